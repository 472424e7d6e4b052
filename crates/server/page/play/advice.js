// @ts-check
// Why a move is advised: what can be counted on the board, beside the other moves.

import { readGame } from "../base/client.js";

/**
 * @typedef {import("../../types/api").PositionView} PositionView
 * @typedef {{ flips: number, replies: number, corner: boolean, gives: boolean }} Facts
 * @typedef {{ phrase: import("../base/speech.js").Phrase, values: Record<string, string | number> }} Reason
 */

/** @param {string} square @param {number} size */
const isCorner = (square, size) => ["a", String.fromCharCode(96 + size)].includes(square[0]) && [1, size].includes(Number(square.slice(1)));

/**
 * The strongest reason that holds, or none: what a move does less or more of than every other one.
 * @param {string} move
 * @param {Map<string, Facts>} all
 * @param {string} variant
 * @returns {Reason | null}
 */
function strongest(move, all, variant) {
  const own = all.get(move);
  const others = [...all].filter(([other]) => other !== move).map(([, facts]) => facts);
  if (own === undefined || others.length === 0) return null;
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

/**
 * @param {import("../base/client.js").GameText} game
 * @param {PositionView} now
 * @param {string} move
 * @returns {Promise<Reason | null>}
 */
export async function reasonFor(game, now, move) {
  /** @type {Map<string, Facts>} */
  const all = new Map();
  for (const { move: one, flips } of now.legal) {
    const after = (await readGame({ ...game, moves: game.moves + one })).positions.at(-1);
    if (after === undefined) return null;
    const gives = after.legal.some((reply) => isCorner(reply.move, game.size));
    all.set(one, { flips: flips.length, replies: after.legal.length, corner: isCorner(one, game.size), gives });
  }
  return strongest(move, all, game.variant);
}
