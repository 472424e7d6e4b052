// @ts-check
// Scores in writing, and as they stand on the squares.

/**
 * @typedef {import("../../types/api").ScoredMove} ScoredMove
 * @typedef {import("../board/board.js").SquareScore} SquareScore
 */

/** With its sign; a proven one is a whole number. @param {number} score @param {boolean} exact */
export function signed(score, exact) {
  const size = Math.abs(score);
  const text = exact ? String(Math.round(size)) : size.toFixed(1);
  return Number(text) === 0 ? text : (score > 0 ? "+" : "−") + text;
}

/** Discs that a move loses, as every card writes them. @param {number} lost @param {boolean} exact */
export const discs = (lost, exact) => signed(lost, exact).replace("+", "");

/** From so many discs on a square has no room for tenths. */
const ROUND_FROM = 9.95;

/** As it stands on a square: proven scores are marked. @param {number} score @param {boolean} exact */
const onSquare = (score, exact) => (exact ? "=" : "") + signed(score, exact || Math.abs(score) >= ROUND_FROM);

/** Discs behind the best from which a move is fair, and poor. */
const [FAIR, POOR] = [2, 5];

/** The scores of moves by their squares. @param {readonly ScoredMove[]} scored @returns {Map<string, SquareScore>} */
export function squareScores(scored) {
  const best = scored[0]?.score ?? 0;
  return new Map(
    scored.map(({ move, score, exact }) => {
      const behind = best - (score ?? 0);
      const kind = behind <= 0.05 ? "best" : behind < FAIR ? "good" : behind < POOR ? "fair" : "poor";
      return [move, { text: onSquare(score ?? 0, exact), kind, exact }];
    }),
  );
}
