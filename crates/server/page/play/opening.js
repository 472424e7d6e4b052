// @ts-check
// Where a game begins: as usual, after a random opening that is fair to both, or wherever one likes.

import { chooseMove, Fault, readGame } from "../base/client.js";

/** Moves of a random opening by the size of the board: both sides have moved as often. @type {Record<number, number>} */
const PLIES = { 8: 8, 6: 4, 4: 2 };
/** Who says whether an opening is fair, by how many discs it may favour a side, and how many are tried. */
const REFEREE = "turncoat:level=11";
const FAIR = 2;
const TRIES = 12;

/** @typedef {{ variant: string, size: number }} Board */

/** A position after random moves. @param {Board} board */
async function randomLine({ variant, size }) {
  let moves = "";
  for (let ply = 0; ; ply++) {
    const game = await readGame({ variant, size, start: "start", moves });
    const now = game.positions[game.positions.length - 1];
    if (ply >= PLIES[size] || now.over || now.pass) return now;
    moves += now.legal[Math.floor(Math.random() * now.legal.length)].move;
  }
}

/** A random position that favours no side, or the fairest that was found. @param {Board} board @returns {Promise<string>} */
export async function randomOpening(board) {
  let best = { position: "start", score: Infinity };
  for (let tried = 0; tried < TRIES && best.score > FAIR; tried++) {
    const { position, over, pass } = await randomLine(board);
    if (over || pass) continue;
    const { score } = await chooseMove({ ...board, start: position, moves: "" }, REFEREE, 0);
    if (Math.abs(score ?? Infinity) < best.score) best = { position, score: Math.abs(score ?? Infinity) };
  }
  return best.position;
}

/** The position that a text comes to: a game or a position in any form. @param {Board} board @param {string} text @returns {Promise<string>} */
export async function ownOpening({ variant, size }, text) {
  const game = await readGame({ variant, size, start: text.trim() || "start", moves: "" });
  const last = game.positions[game.positions.length - 1];
  if (last.over) throw new Fault("nothing-to-play");
  return last.position;
}
