// @ts-check
// The dialog in which a game is opened: pasted, from a file, or one of those played here.

import { Gone, keptGames } from "../base/client.js";
import { button, fill, make, setText } from "../base/dom.js";
import { aboutKept, isUnfinished } from "../play/kept.js";
import { createArchive } from "./archive.js";

/** Kept games that are offered. */
const OFFERED = 8;

/**
 * @typedef {import("./model.js").AnalysisModel} AnalysisModel
 * @typedef {import("../base/speech.js").Speech} Speech
 * @typedef {import("../../types/api").ListedGame} ListedGame
 */

/**
 * A kept game with what can be done with it.
 * @param {ListedGame} listed
 * @param {Speech} speech
 * @param {() => void} open
 * @param {() => void} close
 */
function keptItem(listed, speech, open, close) {
  const { who, what } = aboutKept(listed, speech);
  const analyse = make("button", { type: "button", "data-action": "analyse-kept" }, make("span", {}, who), make("small", {}, what));
  analyse.addEventListener("click", open);
  const item = make("li", {}, analyse);
  if (isUnfinished(listed)) {
    const resume = button("resume", () => (close(), (location.hash = `#/play?resume=${listed.id}`)));
    resume.textContent = speech.words("resume");
    item.append(resume);
  }
  return item;
}

/**
 * @param {AnalysisModel} analysis
 * @param {Speech} speech
 * @param {ReturnType<typeof import("./collection.js").createCollection>} collection
 */
export function createOpen(analysis, speech, collection) {
  const { store } = analysis;
  const text = speech.named(make("textarea", { name: "pasted", rows: "6", spellcheck: "false" }), "pasteHere");
  const variant = speech.named(make("select", { name: "variant" }), "variant");
  const size = speech.named(make("select", { name: "size" }), "size");
  const fault = make("p", { class: "fault", role: "alert" });
  const games = make("ul", { class: "kept" });
  const file = make("input", { type: "file", name: "file", multiple: "", hidden: "" });
  const dialog = make("dialog", { class: "card" });

  /** @param {string | File[]} pasted */
  async function read(pasted) {
    if (await collection.open(pasted, variant.value, Number(size.value))) dialog.close();
  }
  file.addEventListener("change", () => {
    const chosen = [...(file.files ?? [])];
    // The same file may be chosen again.
    file.value = "";
    if (chosen.length > 0) read(chosen);
  });

  async function offer() {
    const kept = (await keptGames().catch(() => [])).filter((game) => game.moves !== "").slice(0, OFFERED);
    const close = () => dialog.close();
    /** @param {ListedGame} listed */
    const open = ({ variant: game, size: board, start, moves }) => {
      close();
      analysis.openOver({ variant: game, size: board, start, line: moves, at: "0" });
    };
    games.replaceChildren(...kept.map((listed) => keptItem(listed, speech, () => open(listed), close)));
    heading.hidden = kept.length === 0;
  }

  function show() {
    const { words } = speech;
    fill(variant, [["reversed", words("reversed")], ["reversi", words("reversi")]], store.get().variant);
    fill(size, ["8", "6", "4"].map((n) => [n, `${n} × ${n}`]), String(store.get().size));
  }
  /** Says that the server is not responding, until it is. */
  const forgive = () => store.get().error instanceof Gone || store.set({ error: null });
  const showFault = () => {
    const { error } = store.get();
    setText(fault, error === null || !dialog.open ? "" : speech.words("refused", { error: speech.fault(error) }));
  };
  speech.always(showFault);
  store.subscribe((now, before) => now.error !== before.error && showFault());
  // A fault was told in the dialog, and goes with it.
  dialog.addEventListener("close", forgive);

  const heading = speech.says(make("h3"), "keptGames");
  dialog.append(
    speech.says(make("h2"), "paste"),
    speech.says(make("p", { class: "quiet" }), "pasteHow"),
    text,
    make("div", { class: "pair" }, variant, size),
    fault,
    make(
      "div",
      { class: "actions" },
      speech.says(button("paste-cancel", () => dialog.close()), "cancel"),
      speech.says(button("open-file", () => file.click()), "openFile"),
      speech.says(button("paste-read", () => read(text.value.trim()), "main"), "read"),
    ),
    file,
    heading,
    games,
    createArchive(speech, offer) ?? "",
  );
  return {
    element: dialog,
    open() {
      show();
      forgive();
      offer();
      dialog.showModal();
      text.focus();
    },
  };
}
