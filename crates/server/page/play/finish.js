// @ts-check
// The end of a game: how it stands on the board, the moves that cost the loser most, and the next game between the same two.

import { createSocket } from "../analyse/socket.js";
import { addressOf } from "../analyse/link.js";
import { discs as written } from "../analyse/scores.js";
import { AGAIN } from "../base/client.js";
import { button, keyed, make, setText } from "../base/dom.js";
import { isOver, position } from "./state.js";

/**
 * @typedef {import("./state.js").Play} Play
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {import("../../types/api").Side} Side
 */

/** Moves that are named, and from which depth on. */
const NAMED = 3;
const SHOWN = 6;

/** Who lost on the board. @param {Play["game"]} game @returns {Side | null} */
function loserOf(game) {
  const winner = game?.outcome?.winner ?? null;
  return winner === null ? null : winner === "black" ? "white" : "black";
}

/**
 * @param {import("../base/store.js").Store<Play>} store
 * @param {import("../base/speech.js").Speech} speech
 * @param {(choice: import("./state.js").Choice) => void} begin
 */
export function createFinish(store, speech, begin) {
  const { words } = speech;
  /** What is known of each move, by its place in the game. @type {Map<number, ReviewedMove>} */
  let known = new Map();
  let done = false;
  /** Why it could not be looked at. @type {import("../base/faults.js").Told | null} */
  let fault = null;
  /** The game that is looked at. @type {Play["game"]} */
  let asked = null;
  // As deep as Analyse goes, so that both say the same.
  const socket = createSocket((answer) => {
    if ("judged" in answer) learn(answer.judged);
    else if ("error" in answer && answer.code === "busy") setTimeout(again, AGAIN);
    else {
      done = true;
      fault = "error" in answer ? answer : null;
      socket.stop();
    }
    show();
  }, () => setTimeout(again, AGAIN));
  // What could not be fetched may come now.
  addEventListener("online", () => fault !== null && again());

  // Nobody computes for those who look elsewhere.
  for (const [target, type] of /** @type {const} */ ([[document, "visibilitychange"], [window, "hashchange"]])) {
    target.addEventListener(type, () => {
      if (asked === null || done) return;
      if (document.hidden || !element.isConnected) socket.stop();
      else ask(asked);
    });
  }

  /** Keeps the deeper of what was said of a move. @param {ReviewedMove} judged */
  function learn(judged) {
    const before = known.get(judged.ply);
    if (before === undefined || (!before.exact && before.depth <= judged.depth)) known.set(judged.ply, judged);
  }

  /** @param {NonNullable<Play["game"]>} game */
  function ask({ moves }) {
    const { variant, size, start } = store.get();
    socket.ask({ variant, size, start, moves: moves.join("") }, true, "turncoat");
  }

  /** Asks once more about a game whose answer was lost. */
  function again() {
    if (asked === null || (done && fault === null)) return;
    asked = null;
    look();
    show();
  }

  const discs = make("div", { class: "discs", "aria-hidden": "true" }, make("span", { class: "black" }), make("span", { class: "white" }));
  const heading = make("p", { class: "quiet" });
  const list = make("ol", { class: "costly" });
  const rematch = speech.says(button("rematch", () => next(false)), "rematch");
  const swap = speech.says(button("swap", () => next(true)), "swapColours");
  const element = make("div", { class: "finish" }, discs, make("div", { class: "row" }, rematch, swap), heading, list);

  /** The same players once more. @param {boolean} isSwapped */
  function next(isSwapped) {
    const { variant, size, black, white, control, start } = store.get();
    begin({ variant, size, control, start, black: isSwapped ? white : black, white: isSwapped ? black : white });
  }

  /** Whether every move has been looked at so deep. @param {number} plies */
  const isDeep = (plies) => {
    const placed = asked?.moves.filter((move) => move !== "pass").length ?? 0;
    return known.size === placed && [...known.values()].every(({ depth, exact }) => exact || depth >= plies);
  };

  /** Looks at a game that is over and shown; at none otherwise. */
  function look() {
    const now = store.get();
    const wanted = isOver(now) && !now.taken && (now.game?.moves.length ?? 0) > 1 ? now.game : null;
    if (wanted === asked) return;
    asked = wanted;
    known = new Map();
    [done, fault] = [false, null];
    if (wanted === null) socket.stop();
    else ask(wanted);
  }

  /** @param {HTMLElement} item @param {ReviewedMove} judged */
  function showMove(item, { ply, number, side, move, lost, exact, best }) {
    const { variant, size, start } = store.get();
    const line = asked?.moves.filter((one) => one !== "pass").join("") ?? "";
    const [bead, link] = item.children;
    bead.className = `bead ${side}`;
    link.setAttribute("href", addressOf({ variant, size, start, line, at: String(ply - 1) }));
    setText(link, words("costlyMove", { number, move, lost: written(lost, exact), best }));
  }

  /** What the list is of. @param {boolean} isAny @param {boolean} hasOthers moves of the winner @param {Side | null} loser */
  function headingOf(isAny, hasOthers, loser) {
    if (!isAny && !hasOthers) return words("nothingCostly");
    if (loser === null) return words("costlyDraw");
    return words(isAny ? "costly" : "noneCostly", { side: words(loser) });
  }

  function show() {
    const now = store.get();
    const end = position(now);
    element.hidden = !isOver(now) || now.taken || end === null;
    if (element.hidden || end === null) return;
    const [black, white] = /** @type {HTMLElement[]} */ ([...discs.children]);
    black.style.flexGrow = String(end.black);
    white.style.flexGrow = String(end.white);
    setText(black, String(end.black));
    setText(white, String(end.white));
    const all = [...known.values()].filter(({ mark }) => mark !== "");
    const loser = now.loser ?? loserOf(now.game);
    // What the winner lost has decided nothing.
    const theirs = all.filter(({ side }) => loser === null || side === loser);
    const costly = theirs.sort((one, other) => other.lost - one.lost).slice(0, NAMED);
    const isKnown = fault === null && (done || isDeep(SHOWN));
    if (fault !== null) setText(heading, words("notReviewed", { error: speech.fault(fault) }));
    else setText(heading, isKnown ? headingOf(costly.length > 0, all.length > 0, loser) : words("reviewing"));
    heading.hidden = asked === null;
    // It keeps its place whatever comes: a pointer may be on what is below.
    list.hidden = asked === null;
    const create = () => make("li", {}, make("span", { "aria-hidden": "true" }), make("a"));
    keyed(list, isKnown ? costly : [], ({ ply }) => String(ply), create, showMove);
  }

  store.subscribe((now, before) => {
    if (now.game === before.game && now.loser === before.loser && now.taken === before.taken) return;
    look();
    show();
  });
  speech.always(show);
  return element;
}
