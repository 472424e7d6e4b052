// @ts-check
// The moves of the game with their branches and marks; each is a way to its place.

import { keyed, make, setText } from "../base/dom.js";
import { showComment } from "./notes.js";
import { keyOf } from "./tree.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {{ place: number, number: number, branch: boolean }} Part a move, or the branch that begins with it
 */

/**
 * What is shown after a place: the first branch move by move, each followed by the other branches at its place. Passes have
 * no number.
 * @param {Tree} tree
 * @param {number} from
 * @param {number} made moves before it
 * @returns {Part[]}
 */
function partsAfter(tree, from, made) {
  /** @type {Part[]} */
  const parts = [];
  for (let place = from; tree[place].children.length > 0; place = tree[place].children[0]) {
    parts.push(...tree[place].children.map((child, i) => ({ place: child, number: made + 1, branch: i > 0 })));
    if (tree[tree[place].children[0]].move !== "pass") made++;
  }
  return parts;
}

/** @param {Element} node @param {string} mark */
export function showMark(node, mark) {
  setText(node, mark);
  node.className = `mark ${mark.startsWith("!") ? "praise" : `m${mark === "?!" ? 0 : mark.length}`}`;
  node.toggleAttribute("hidden", mark === "");
}

/**
 * What the file of a game says of it: who played, where and when.
 * @param {import("../base/store.js").Store<import("./model.js").Analysis>} store
 * @param {import("../base/speech.js").Speech} speech
 */
export function createRecord(store, speech) {
  const [black, white, rest] = [make("span"), make("span"), make("span")];
  const bead = (/** @type {"black" | "white"} */ side) => speech.named(make("span", { class: `bead ${side}`, role: "img" }), side);
  const players = make("span", { class: "players-of" }, bead("black"), " ", black, " – ", bead("white"), " ", white);
  const element = make("p", { class: "quiet record" }, players, " ", rest);
  function show() {
    const { record } = store.get();
    setText(black, record.black || "?");
    setText(white, record.white || "?");
    setText(rest, [record.event, record.date].filter(Boolean).join(" · "));
    players.hidden = record.black === "" && record.white === "";
    element.hidden = players.hidden && rest.textContent === "";
  }
  store.subscribe((now, before) => now.record !== before.record && show());
  show();
  return element;
}

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createMoves(analysis, speech) {
  const { store } = analysis;
  const list = speech.named(make("div", { class: "moves", role: "group" }), "moves");
  list.addEventListener("click", ({ target }) => {
    const move = /** @type {Element} */ (target).closest(".move");
    if (move instanceof HTMLElement) analysis.go(Number(move.dataset.place));
  });

  const createMove = () =>
    make("button", { type: "button" }, make("span", { "aria-hidden": "true" }), make("span"), make("span"), make("span", { class: "comment" }));

  /** @param {Tree} tree @param {HTMLButtonElement} node @param {Part} part */
  function updateMove(tree, node, { place, number }) {
    const { at, judged, notes, isHidden } = store.get();
    const { move, parent } = tree[place];
    const { side } = tree[parent ?? 0].position;
    const [bead, name, mark, comment] = node.children;
    const note = notes[keyOf(tree, place)];
    node.dataset.place = String(place);
    node.className = `move ${side}`;
    bead.className = `bead ${side}`;
    setText(name, move === "pass" ? "–" : `${number}. ${move}`);
    showMark(mark, note?.symbol || (isHidden ? "" : judged[keyOf(tree, place)]?.mark ?? ""));
    showComment(comment, note);
    if (place === at) node.setAttribute("aria-current", "step");
    else node.removeAttribute("aria-current");
  }

  /** @param {Tree} tree @param {Element} parent @param {Part[]} parts */
  function showParts(tree, parent, parts) {
    keyed(
      parent,
      parts,
      ({ place, branch }) => `${branch} ${place}`,
      ({ branch }) => (branch ? make("div", { class: "branch" }) : createMove()),
      (node, part) => {
        if (node instanceof HTMLButtonElement) return updateMove(tree, node, part);
        const { place, number } = part;
        const made = tree[place].move === "pass" ? number - 1 : number;
        showParts(tree, node, [{ place, number, branch: false }, ...partsAfter(tree, place, made)]);
      },
    );
  }

  function show() {
    const { tree } = store.get();
    if (tree === null) return;
    if (tree.length > 1) return showParts(tree, list, partsAfter(tree, 0, 0));
    const none = speech.words(tree[0].position.over ? "isOver" : "noMoves");
    keyed(list, [none], () => "none", () => make("p", { class: "quiet" }), setText);
  }
  /** Brings the move that is looked at into sight. */
  function scroll() {
    const current = /** @type {HTMLElement | null} */ (list.querySelector('[aria-current="step"]'));
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
  speech.always(show);
  store.subscribe((now, before) => {
    const moved = now.tree !== before.tree || now.at !== before.at;
    if (moved || now.judged !== before.judged || now.notes !== before.notes || now.isHidden !== before.isHidden) show();
    // In the frame that lays the page out anyway.
    if (moved) requestAnimationFrame(scroll);
  });
  return list;
}
