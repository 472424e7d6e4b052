// @ts-check
// Why a move was worse than another: what can be counted on the board, then the play that is expected.

/**
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {import("../base/speech.js").Speech} Speech
 */

/** Squares of a line, a few of them. @param {string} line @param {number} [most] */
export const squaresOf = (line, most = 8) => (line.match(/[a-h][1-8]/g) ?? []).slice(0, most);

/**
 * @param {ReviewedMove} judged
 * @param {string} variant
 * @param {Speech} speech
 * @returns {string[]}
 */
export function reasons({ side, made, better, best }, variant, { words }) {
  const other = words(side === "black" ? "white" : "black");
  const said = [];
  if (variant === "reversed") {
    if (made.corner && !better.corner) said.push(words("whyTakesCorner"));
    if (made.flips > better.flips) said.push(words("whyFlips", { made: made.flips, better: better.flips, best }));
    if (better.gives_corner && !made.gives_corner) said.push(words("whyOffersCorner", { best, other }));
  } else {
    if (better.corner && !made.corner) said.push(words("whyMissesCorner", { best }));
    if (made.gives_corner && !better.gives_corner) said.push(words("whyGivesCorner", { other }));
  }
  if (made.replies > better.replies) {
    said.push(words("whyReplies", { other, made: made.replies, better: better.replies, best }));
  }
  if (made.own < better.own) said.push(words("whyOwn", { made: made.own, better: better.own, best }));
  if (said.length === 0) said.push(words("whyDeeper"));
  return said;
}
