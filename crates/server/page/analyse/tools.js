// @ts-check
// What can be done with an analysis: paste another game, share it, save it.

import { keptGames } from "../base/client.js";
import { button, fill, make } from "../base/dom.js";
import { playerName } from "../play/choice.js";
import { FORMATS, saveAs } from "./exports.js";
import { addressOf } from "./link.js";
import { shared } from "./model.js";

/** Kept games that are offered. */
const OFFERED = 8;

/**
 * @typedef {ReturnType<typeof import("./model.js").createAnalysis>} AnalysisModel
 * @typedef {import("../base/speech.js").Speech} Speech
 */

/** The size that the text of a position has by its length; none if it is another text. @param {string} text */
function sideOf(text) {
  const cells = /^([-.*_xo]+)(\s+[xo*])?;?/i.exec(text)?.[1] ?? "";
  return [4, 6, 8].find((side) => side * side === cells.length) ?? null;
}

/** The dialog in which a game is pasted or chosen. @param {AnalysisModel} analysis @param {Speech} speech */
function createPaste(analysis, speech) {
  const { store } = analysis;
  const text = speech.named(make("textarea", { name: "pasted", rows: "6", spellcheck: "false" }), "pasteHere");
  const variant = speech.named(make("select", { name: "variant" }), "variant");
  const size = speech.named(make("select", { name: "size" }), "size");
  const fault = make("p", { class: "fault", role: "alert" });
  const games = make("ul", { class: "kept" });
  const dialog = make("dialog", { class: "card" });

  async function read() {
    const pasted = text.value.trim();
    if (await analysis.paste(pasted, variant.value, sideOf(pasted) ?? Number(size.value))) dialog.close();
    else fault.textContent = speech.words("refused", { error: store.get().error ?? "" });
  }

  /** How a kept game ended, or how far it went. @param {import("../base/client.js").ListedGame} listed */
  function result({ outcome, loser, moves }) {
    const winner = loser === null ? outcome?.winner : loser === "black" ? "white" : "black";
    if (winner) return speech.words(loser ? "wonBy" : "wonByDiscs", { side: speech.words(winner), margin: outcome?.margin ?? 0 });
    return outcome ? speech.words("draw") : speech.words("goesOn", { moves: moves.length / 2 });
  }

  async function offer() {
    const kept = (await keptGames().catch(() => [])).filter((game) => game.moves !== "").slice(0, OFFERED);
    games.replaceChildren(
      ...kept.map((listed) => {
        const { variant: game, size: board, start, moves, black, white, changed } = listed;
        const when = new Date(changed * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
        const who = `${playerName(black, speech)} – ${playerName(white, speech)}`;
        const which = `${speech.words(game === "reversi" ? "reversiShort" : "reversedShort")} ${board} × ${board}`;
        const about = make("small", {}, which, make("br"), `${result(listed)} · ${when}`);
        const open = make("button", { type: "button" }, make("span", {}, who), about);
        open.addEventListener("click", () => {
          dialog.close();
          analysis.open({ variant: game, size: board, start, line: moves, at: "0" });
        });
        return make("li", {}, open);
      }),
    );
    heading.hidden = kept.length === 0;
  }

  // A fault was told in the dialog, and goes with it.
  dialog.addEventListener("close", () => store.set({ error: null }));

  const heading = speech.says(make("h3"), "keptGames");
  const title = speech.says(make("h2"), "paste");
  dialog.append(
    title,
    speech.says(make("p", { class: "quiet" }), "pasteHow"),
    text,
    make("div", { class: "pair" }, variant, size),
    fault,
    make(
      "div",
      { class: "actions" },
      speech.says(button("paste-cancel", () => dialog.close()), "cancel"),
      speech.says(button("paste-read", read, "main"), "read"),
    ),
    heading,
    games,
  );
  return {
    element: dialog,
    open() {
      const { words } = speech;
      fill(variant, [["reversed", words("reversed")], ["reversi", words("reversi")]], store.get().variant);
      fill(size, ["8", "6", "4"].map((n) => [n, `${n} × ${n}`]), String(store.get().size));
      fault.textContent = "";
      offer();
      dialog.showModal();
      text.focus();
    },
  };
}

/**
 * @param {AnalysisModel} analysis
 * @param {Speech} speech
 * @param {() => void} setUp
 */
export function createTools(analysis, speech, setUp) {
  const { store } = analysis;
  const paste = createPaste(analysis, speech);
  const said = make("p", { class: "quiet said", role: "status" });
  const link = speech.named(make("input", { type: "text", class: "link", readonly: "" }), "shareLink");
  link.hidden = true;

  async function share() {
    link.value = new URL(addressOf(shared(store.get())), location.href).href;
    link.hidden = false;
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      said.textContent = speech.words("copied");
    } catch {
      said.textContent = speech.words("copyThis");
    }
  }

  const save = speech.named(make("select", { name: "save" }), "saveAs");
  speech.always(() =>
    fill(save, [["", speech.words("saveAs")], .../** @type {[string, string][]} */ (FORMATS.map((f) => [f, speech.words(f)]))], ""),
  );
  save.addEventListener("change", async () => {
    const format = FORMATS.find((known) => known === save.value);
    save.value = "";
    try {
      if (format) await saveAs(store.get(), format);
    } catch (error) {
      said.textContent = speech.words("failed", { error: error instanceof Error ? error.message : String(error) });
    }
  });

  return make(
    "div",
    { class: "exchange" },
    make(
      "div",
      { class: "actions" },
      speech.says(button("paste", paste.open), "paste"),
      speech.says(button("set-up", setUp), "setUp"),
      speech.says(button("share", share), "share"),
      save,
    ),
    link,
    said,
    paste.element,
  );
}
