// @ts-check
// What is going on in a game, in words.

import { playerName } from "./choice.js";
import { ADVISER } from "./model.js";
import { numbersOf, position } from "./state.js";
import { sentences } from "../base/words.js";

/**
 * @typedef {import("./state.js").Play} Play
 * @typedef {import("../base/speech.js").Speech} Speech
 */

/** What the last move was. @param {Readonly<Play>} state @param {Speech} speech */
function lastMove({ game }, { words }) {
  if (game === null || game.moves.length === 0) return [];
  const { moves, positions } = game;
  const said = [];
  for (let ply = Math.max(0, moves.length - 2); ply < moves.length; ply++) {
    const side = words(positions[ply].side);
    if (moves[ply] === "pass") said.push(words("passed", { side }));
    else if (ply === moves.length - 1 || moves[ply + 1] === "pass") said.push(words("played", { side, move: moves[ply] }));
  }
  return said;
}

/**
 * How a game ended on the board; empty while it lasts.
 * @param {import("../../types/api").PositionView} position
 * @param {string} variant
 * @param {Speech} speech
 */
export function ending({ outcome, black, white }, variant, { words }) {
  if (outcome === null) return "";
  if (outcome.winner === null) return words("draw");
  const values = { side: words(outcome.winner), margin: outcome.margin, black, white };
  return words(variant === "reversed" ? "winsFewest" : "winsMost", values);
}

/** How it ended, or who is to move. @param {Readonly<Play>} state @param {Speech} speech */
function nowOrEnd(state, speech) {
  const { words } = speech;
  const now = position(state);
  if (now === null || state.game === null) return "";
  if (state.loser !== null) {
    const winner = words(state.loser === "black" ? "white" : "black");
    return words(state.timeout ? "winsOnTime" : "winsBy", { side: winner, loser: words(state.loser) });
  }
  if (now.over) return ending(now, state.variant, speech);
  if (now.pass) return words("mustPass", { side: words(now.side), other: words(now.side === "black" ? "white" : "black") });
  return words(state.thinking ? "thinking" : "turn", { side: words(now.side) });
}

/** Which earlier position is looked at. @param {Readonly<Play>} state @param {number} made @param {Speech} speech */
function looking({ game }, made, { words }) {
  if (made === 0) return words("viewingStart");
  const moves = game?.moves.slice(0, made) ?? [];
  const number = numbersOf(moves).findLast((one) => one !== null) ?? 0;
  const move = moves.findLast((one) => one !== "pass") ?? "";
  return words(moves.at(-1) === "pass" ? "viewingPass" : "viewing", { number, move });
}

/**
 * A hint and its reason. What was last played is on the board, and all that is said has to fit in the room that is kept.
 * @param {Readonly<Play>} state
 * @param {string} move
 * @param {Speech} speech
 */
function hinted(state, move, speech) {
  const said = [speech.words("hinted", { player: playerName(ADVISER, speech), move })];
  const now = position(state);
  if (state.reason !== null && now !== null) {
    const other = speech.words(now.side === "black" ? "white" : "black");
    said.push(speech.words(state.reason.phrase, { ...state.reason.values, other }));
  }
  return said;
}

/** @param {Readonly<Play>} state @param {Speech} speech */
export function news(state, speech) {
  if (state.gone && state.error !== null) return speech.fault(state.error);
  if (state.error !== null) return speech.words("failed", { error: speech.fault(state.error) });
  if (state.taken) return speech.words("taken");
  if (state.viewed !== null) return looking(state, state.viewed, speech);
  if (state.hint !== null) return sentences(hinted(state, state.hint, speech));
  return sentences([...lastMove(state, speech), nowOrEnd(state, speech)]);
}
