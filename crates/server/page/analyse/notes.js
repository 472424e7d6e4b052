// @ts-check
// Comments and symbols on moves, which line is the main one, and playing on from here.

import { button, fill, make, setText } from "../base/dom.js";
import { playerName } from "../play/choice.js";
import { LEVELS, proposed } from "../play/levels.js";
import { HUMAN } from "../play/state.js";
import { keyOf } from "./tree.js";

/** @typedef {{ symbol: string, text: string }} Note */
/** @typedef {Readonly<Record<string, Note>>} Notes by the moves to their place */

const SYMBOLS = ["!!", "!", "!?", "?!", "?", "??"];
/** A comment has at most so many letters, and an address so many notes. */
const LONGEST = 300;
const MOST = 200;

/** Notes as they stand in an address. @param {Notes} notes */
export function writeNotes(notes) {
  const all = Object.entries(notes).map(([key, { symbol, text }]) => [key, symbol, text]);
  return all.length === 0 ? "" : JSON.stringify(all);
}

/** The notes of an address; what is none is left out. @param {string | undefined} text @returns {Notes} */
export function readNotes(text) {
  /** @type {unknown} */
  let found = [];
  try {
    found = JSON.parse(text || "[]");
  } catch {
    // None are there.
  }
  const all = (Array.isArray(found) ? found : []).slice(0, MOST).flatMap((/** @type {unknown} */ one) => {
    const [key, symbol, comment] = Array.isArray(one) ? one : [];
    if (![key, symbol, comment].every((part) => typeof part === "string")) return [];
    return [[key, { symbol: SYMBOLS.includes(symbol) ? symbol : "", text: comment.slice(0, LONGEST) }]];
  });
  return Object.fromEntries(all);
}

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createNotes({ store, annotate, promote }, speech) {
  const text = speech.named(make("input", { type: "text", name: "comment", maxlength: String(LONGEST), autocomplete: "off" }), "comment");
  speech.always(() => (text.placeholder = speech.words("comment")));
  const symbols = SYMBOLS.map((symbol) => {
    const made = button("symbol", () => change({ symbol: noteHere().symbol === symbol ? "" : symbol }));
    made.append(symbol);
    return made;
  });
  const main = speech.says(button("promote", promote), "promote");
  const play = speech.says(button("play-here", playHere), "playHere");
  const other = speech.named(make("select", { name: "other" }), "playHereWith");
  speech.always(() => {
    const players = [HUMAN, ...Array.from({ length: LEVELS }, (_, i) => `turncoat:level=${i + 1}`)];
    const chosen = other.value || `turncoat:level=${proposed(store.get().variant) ?? 3}`;
    fill(other, players.map((one) => [one, playerName(one, speech).replace("Turncoat · ", "")]), chosen);
  });
  text.addEventListener("input", () => change({ text: text.value }));
  /** The place whose comment is being written: all that is typed in one go is undone at once. */
  let typing = "";
  text.addEventListener("blur", () => (typing = ""));

  /** @returns {Note} */
  function noteHere() {
    const { tree, at, notes } = store.get();
    return (tree && notes[keyOf(tree, at)]) ?? { symbol: "", text: "" };
  }
  /** @param {Partial<Note>} patch */
  function change(patch) {
    const { tree, at, notes } = store.get();
    if (tree === null || at === 0) return;
    const note = { ...noteHere(), ...patch };
    const key = keyOf(tree, at);
    const { [key]: _, ...others } = notes;
    annotate(note.symbol || note.text ? { ...others, [key]: note } : others, patch.text === undefined || typing !== key);
    typing = patch.text === undefined ? "" : key;
  }
  function playHere() {
    const { tree, at, variant, size } = store.get();
    if (tree === null) return;
    const start = tree[at].position.position.replace(" ", "_");
    location.hash = `#/play?${new URLSearchParams({ game: variant, size: String(size), start, other: other.value })}`;
  }

  function show() {
    const { tree, at } = store.get();
    if (tree === null) return;
    const { symbol, text: comment } = noteHere();
    for (const one of symbols) {
      one.setAttribute("aria-pressed", String(one.textContent === symbol));
      one.disabled = at === 0;
    }
    if (text.value !== comment) text.value = comment;
    text.disabled = at === 0;
    let isMain = true;
    for (let place = at, { parent } = tree[at]; parent !== null; [place, { parent }] = [parent, tree[parent]]) {
      isMain &&= tree[parent].children[0] === place;
    }
    main.disabled = isMain;
    play.disabled = tree[at].position.over;
  }
  store.subscribe((now, before) => (now.tree !== before.tree || now.at !== before.at || now.notes !== before.notes) && show());
  const group = speech.named(make("div", { class: "symbols", role: "group" }, ...symbols), "symbols");
  return make("div", { class: "notes" }, text, group, make("div", { class: "actions" }, main), make("div", { class: "actions" }, play, other));
}

/** Shows the comment of a move. @param {Element} node @param {Note | undefined} note */
export function showComment(node, note) {
  setText(node, note?.text ?? "");
  node.toggleAttribute("hidden", !note?.text);
}
