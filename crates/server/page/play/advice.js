// @ts-check
// Why a move is advised: what can be counted on the board, beside the other moves, or else what the search has found.

import { readGame } from "../base/client.js";
import { squaresOf } from "../analyse/reasons.js";

/**
 * @typedef {import("../../types/api").PositionView} PositionView
 * @typedef {import("../../types/api").ScoredMove} ScoredMove
 * @typedef {{ flips: number, replies: number, corner: boolean, gives: boolean }} Facts
 * @typedef {{ phrase: import("../base/speech.js").Phrase, values: Record<string, string | number> }} Reason
 */

/** Moves of the expected play that are told. */
const TOLD = 3;

/** @param {string} square @param {number} size */
const isCorner = (square, size) => ["a", String.fromCharCode(96 + size)].includes(square[0]) && [1, size].includes(Number(square.slice(1)));

/**
 * The strongest reason that can be counted, or none: what a move does less or more of than every other one.
 * @param {Facts} own
 * @param {Facts[]} others
 * @param {string} variant
 * @returns {Reason | null}
 */
function strongest(own, others, variant) {
  const { flips, replies } = own;
  const isLeast = (/** @type {"flips" | "replies"} */ fact) => others.every((other) => other[fact] > own[fact]);
  if (variant === "reversi") {
    if (own.corner) return { phrase: "adviceCorner", values: {} };
    if (!own.gives && others.some(({ gives }) => gives)) return { phrase: "adviceNoCorner", values: {} };
  } else if (!own.corner && own.gives && others.every(({ gives }) => !gives)) return { phrase: "adviceOffers", values: {} };
  if (isLeast("replies")) return { phrase: "adviceReplies", values: { replies } };
  if (variant === "reversed" && isLeast("flips")) return { phrase: "adviceFlips", values: { flips } };
  return null;
}

/** What is proven of the best move, if it is. @param {ScoredMove} chosen @returns {Reason | null} */
function proven({ exact, score }) {
  if (!exact || score === null) return null;
  const margin = Math.abs(Math.round(score));
  return { phrase: margin === 0 ? "adviceDraws" : score > 0 ? "adviceWins" : "adviceLoses", values: { margin } };
}

/**
 * A weaker reason that holds: what no move does less of, though some do more.
 * @param {Facts} own
 * @param {Facts[]} others
 * @param {string} variant
 * @returns {Reason | null}
 */
function shared({ flips, replies }, others, variant) {
  const isShared = (/** @type {"flips" | "replies"} */ fact, /** @type {number} */ count) =>
    others.every((other) => other[fact] >= count) && others.some((other) => other[fact] > count);
  if (isShared("replies", replies)) return { phrase: "adviceFewReplies", values: { replies } };
  return variant === "reversed" && isShared("flips", flips) ? { phrase: "adviceFewFlips", values: { flips } } : null;
}

/** The play that the search expects after a move, if it says so. @param {ScoredMove} chosen @returns {Reason | null} */
function expected({ move, depth, line }) {
  const [first, ...after] = squaresOf(line, TOLD + 1);
  return first === move && after.length > 0 ? { phrase: "adviceLine", values: { depth, line: after.join(" ") } } : null;
}

/**
 * @param {import("../base/client.js").GameText} game
 * @param {PositionView} now
 * @param {ScoredMove} chosen
 * @returns {Promise<Reason | null>} none if the move is not among those of the position
 */
export async function reasonFor(game, now, chosen) {
  const { move } = chosen;
  /** @type {Map<string, Facts>} */
  const all = new Map();
  for (const { move: one, flips } of now.legal) {
    const after = (await readGame({ ...game, moves: game.moves + one })).positions.at(-1);
    if (after === undefined) return null;
    const gives = after.legal.some((reply) => isCorner(reply.move, game.size));
    all.set(one, { flips: flips.length, replies: after.legal.length, corner: isCorner(one, game.size), gives });
  }
  const own = all.get(move);
  if (own === undefined) return null;
  const others = [...all].filter(([other]) => other !== move).map(([, facts]) => facts);
  if (others.length === 0) return { phrase: "adviceOnly", values: {} };
  const { flips, replies } = own;
  const counts = /** @type {const} */ ({ phrase: "adviceCounts", values: { flips, replies } });
  return strongest(own, others, game.variant) ?? proven(chosen) ?? shared(own, others, game.variant) ?? expected(chosen) ?? counts;
}
