// @ts-check
// How accurate both sides played, as a whole and by phase. docs/guide.md defines the measure.

import { make, setText } from "../base/dom.js";

/**
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {{ judged: ReviewedMove, choices: number }} Made a move, and among how many it was chosen
 */

/** Discs whose loss halves the accuracy of a move. */
const HALF = 4;
const PHASES = /** @type {const} */ (["phaseOpening", "phaseMidgame", "phaseEndgame"]);
const SIDES = /** @type {const} */ (["black", "white"]);

/** The accuracy of a move that lost so many discs, in percent. @param {number} lost */
export const accuracyOf = (lost) => 100 * 2 ** (-lost / HALF);

/** The mean accuracy of moves; none if nobody had a choice. @param {Made[]} made @returns {number | null} */
export function meanAccuracy(made) {
  const chosen = made.filter(({ choices }) => choices > 1);
  return chosen.length === 0 ? null : chosen.reduce((sum, { judged }) => sum + accuracyOf(judged.lost), 0) / chosen.length;
}

/** @param {import("../base/speech.js").Speech} speech */
export function createAccuracy({ words }) {
  const lines = SIDES.map((side) => {
    const [whole, phases] = [make("strong"), make("small")];
    return { side, whole, phases, line: make("p", {}, make("span", { class: `bead ${side}`, "aria-hidden": "true" }), whole, phases) };
  });
  return {
    element: make("div", { class: "accuracy" }, ...lines.map(({ line }) => line)),
    /** @param {Made[]} made @param {number} size */
    show(made, size) {
      // A third of the squares that are empty at the start each.
      const third = (size * size - 4) / 3;
      const percent = (/** @type {Made[]} */ some) => ((mean) => (mean === null ? "–" : `${Math.round(mean)} %`))(meanAccuracy(some));
      for (const { side, whole, phases } of lines) {
        const own = made.filter(({ judged }) => judged.side === side);
        setText(whole, words("accuracy", { side: words(side), percent: percent(own) }));
        const by = PHASES.map((phase, i) => [words(phase), percent(own.filter(({ judged }) => Math.floor((judged.number - 1) / third) === i))].join(" "));
        setText(phases, by.join(" · "));
      }
    },
  };
}
