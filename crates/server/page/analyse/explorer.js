// @ts-check
// What the opening book says of the position that is shown: its moves, to go on with, and the name of the opening.

import { AGAIN, Gone, lookUp } from "../base/client.js";
import { keyed, make, setText } from "../base/dom.js";
import { signed } from "./scores.js";
import { movesOf, wayTo } from "./tree.js";

/** @import { BookMoveView, BookView } from "../../types/api" */

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createExplorer({ store, add }, speech) {
  const { says, words } = speech;
  const status = make("p", { class: "depth", role: "status" });
  const rows = make("tbody");
  const head = /** @type {const} */ (["bookMove", "bookScore", "bookDepth", "bookPositions", "bookGames"]);
  const columns = head.map((name) => says(make("th", { scope: "col" }), name));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...columns)), rows);
  const element = make("div", { class: "card explorer" }, make("div", { class: "head" }, says(make("h2"), "book"), status), table);
  let asked = 0;
  /** @type {BookView | null} */
  let found = null;
  /** The moves to the position that it is of: a click means what is shown, also where one has gone on meanwhile. */
  let from = "";
  /** Whether a first answer has come: until then its place is kept, so that nothing moves from under the pointer. */
  let isKnown = false;

  rows.addEventListener("click", ({ target }) => {
    const chosen = /** @type {Element} */ (target).closest("button");
    if (chosen instanceof HTMLElement) add(from, [chosen.dataset.move ?? ""]);
  });

  const createRow = () =>
    make("tr", {}, make("th", { scope: "row" }, make("button", { type: "button", class: "chip" })), ...head.slice(1).map(() => make("td")));

  /** Games, and how many points of each hundred the mover made. @param {BookMoveView} known */
  const games = ({ games: all, wins, draws }) => (all === 0 ? "" : `${all} · ${Math.round(((wins + draws / 2) / all) * 100)} %`);

  /** @param {HTMLTableRowElement} row @param {BookMoveView} known */
  function update(row, known) {
    const [name, ...cells] = row.children;
    const chip = /** @type {HTMLElement} */ (name.firstElementChild);
    chip.dataset.move = known.move;
    setText(chip, known.move);
    const score = known.score === null ? "" : (known.exact ? "=" : "") + signed(known.score, known.exact);
    const texts = [score, known.depth === 0 ? "" : String(known.depth), String(known.positions), games(known)];
    cells.forEach((cell, index) => setText(cell, texts[index]));
  }

  function show() {
    element.hidden = (isKnown && !found?.book) || store.get().editing !== null;
    element.classList.toggle("coming", !isKnown);
    table.hidden = !found?.moves.length;
    if (found === null) return;
    const { name, moves } = found;
    const title = name === null ? "" : { en: name.english, "zh-Hans": name.chinese, ja: name.japanese }[speech.language()];
    setText(status, moves.length > 0 ? title ?? "" : [title, words("outOfBook")].filter(Boolean).join(" · "));
    keyed(rows, moves, ({ move }) => move, createRow, update);
    const hasGames = moves.some((known) => known.games > 0);
    for (const cell of element.querySelectorAll("tr > :last-child")) /** @type {HTMLElement} */ (cell).hidden = !hasGames;
  }

  async function look() {
    const mine = ++asked;
    const { variant, size, start, tree, at, editing } = store.get();
    element.ariaBusy = tree === null || editing !== null ? null : "true";
    if (tree === null || editing !== null) return show();
    const moves = movesOf(tree, wayTo(tree, at)).join("");
    let isGone = false;
    // A book is missed by nobody who does not know of it; what else goes wrong is told elsewhere.
    const known = await lookUp({ variant, size, start, moves }).catch((error) => ((isGone = error instanceof Gone), null));
    await store.released();
    if (mine !== asked) return;
    if (isGone) setTimeout(() => mine === asked && look(), AGAIN);
    [found, from, isKnown] = [known, moves, true];
    element.ariaBusy = null;
    show();
  }

  store.subscribe((now, before) => {
    const shown = /** @type {const} */ (["tree", "at", "variant", "size", "editing"]);
    if (shown.some((key) => now[key] !== before[key])) look();
  });
  speech.always(show);
  look();
  return element;
}
