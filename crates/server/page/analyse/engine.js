// @ts-check
// What the program thinks of the position: how deep it has looked, and the best lines, move by move to step through.

import { Gone } from "../base/client.js";
import { keyed, make, setText } from "../base/dom.js";
import { createControls } from "./controls.js";
import { createGuess } from "./guess.js";
import { squaresOf } from "./reasons.js";
import { signed } from "./scores.js";
import { here } from "./state.js";

/** @typedef {import("../../types/api").ScoredMove} ScoredMove */

/** Moves of a line that are shown. */
const MOVES = 8;

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 * @param {HTMLElement} analyst who analyses, to be chosen
 * @param {(moves: string[]) => void} onLine a line is pointed at, or none
 */
export function createEngine(analysis, speech, analyst, onLine) {
  const { store } = analysis;
  const { words } = speech;
  const depth = make("p", { class: "depth", role: "status" });
  const lines = make("ol", { class: "lines" });
  lines.addEventListener("click", ({ target }) => {
    const chip = /** @type {Element} */ (target).closest(".chip");
    if (chip instanceof HTMLElement) analysis.add(chip.dataset.from ?? "", squaresOf(chip.dataset.line ?? ""));
  });

  /** The line or the move in it that is pointed at, and the line that was told of it. */
  let pointed = /** @type {HTMLElement | null} */ (null);
  let told = "";
  /** @param {Element | null} element */
  function point(element) {
    pointed = element instanceof HTMLElement && lines.contains(element) ? element : null;
    const line = pointed?.dataset.line ?? "";
    if (line !== told) onLine(squaresOf(line));
    told = line;
  }
  for (const type of ["pointerover", "focusin"]) {
    lines.addEventListener(type, ({ target }) => point(/** @type {Element} */ (target).closest(".chip, li")));
  }
  for (const type of ["pointerleave", "focusout"]) lines.addEventListener(type, () => point(null));

  const createLine = () => make("li", {}, make("span"), make("span", { class: "chips" }));
  const createChip = () => make("button", { type: "button", class: "chip" });

  /** The chip that had the focus when the lines went, as its rank and place, until there are lines again. @type {[number, number] | null} */
  let focused = null;
  /** @param {Element | null} chip @returns {[number, number] | null} */
  function placeOf(chip) {
    const line = [...lines.children].findIndex((one) => one.contains(chip));
    return line < 0 ? null : [line, [...lines.children[line].children[1].children].findIndex((one) => one === chip)];
  }
  /** @param {[number, number]} place */
  function focus([line, place]) {
    const chips = (lines.children[line] ?? lines.lastElementChild)?.children[1].children ?? [];
    const chip = chips[Math.min(place, chips.length - 1)];
    if (chip instanceof HTMLElement) chip.focus({ preventScroll: true });
  }

  /** A line is known by its rank and a chip by its place in it: a focus on them outlasts better lines. */
  const rank = (/** @type {unknown} */ _, /** @type {number} */ index) => String(index);

  /** @param {HTMLLIElement} node @param {ScoredMove} scored */
  function updateLine(node, { score, exact, line }) {
    const [value, chips] = node.children;
    value.className = exact ? "value exact" : "value";
    setText(value, (exact ? "=" : "") + signed(score ?? 0, exact));
    const moves = squaresOf(line, MOVES);
    node.dataset.line = moves.join("");
    keyed(chips, moves, rank, createChip, (chip, move, i) => {
      chip.dataset.from = store.get().scoredAt;
      chip.dataset.line = moves.slice(0, i + 1).join("");
      setText(chip, move);
    });
  }

  /** How far the program has looked, or why it does not look. @param {import("../../types/api").PositionView} now */
  function progress(now) {
    const { scored, depth: plies, done, error, isOn } = store.get();
    if (!isOn) return words("engineOff");
    const gone = error instanceof Gone;
    if (now.over) return words("isOver");
    if (now.pass) return words("mustPass", { side: words(now.side), other: words(now.side === "black" ? "white" : "black") });
    if (scored.length > 0 && scored.every(({ exact }) => exact)) return words("proven");
    if (plies === 0) return gone || done ? "" : words("thinks");
    return words(done || gone ? "lookedTo" : "looksTo", { depth: plies });
  }

  function show() {
    const { scored, depth: plies, lines: count } = store.get();
    const now = here(store.get());
    if (now === null) return;
    setText(depth, progress(now));
    depth.dataset.depth = String(plies);
    const held = placeOf(document.activeElement);
    lines.style.minHeight = `${2.4 * Math.min(count, 5)}rem`;
    keyed(lines, scored.slice(0, count), rank, createLine, updateLine);
    // A line that is pointed at gets longer as the program looks deeper.
    if (pointed !== null) point(pointed);
    if (scored.length === 0) focused = held ?? focused;
    else if (focused !== null) {
      // Stepping through a line by keyboard continues in the next line.
      if (document.activeElement === document.body) focus(focused);
      focused = null;
    }
  }
  speech.always(show);
  store.subscribe((now, before) => {
    const shown = /** @type {const} */ (["scored", "done", "at", "error", "tree", "isOn", "lines"]);
    if (shown.some((key) => now[key] !== before[key])) show();
  });
  // What a guess costs is told in the room of the lines that are hidden then, so that nothing moves.
  const answers = make("div", { class: "answers" }, lines, createGuess(store, speech));
  return make("div", { class: "card engine" }, make("div", { class: "head" }, speech.says(make("h2"), "bestLines"), depth), createControls(analysis, speech), analyst, answers);
}
