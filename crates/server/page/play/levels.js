// @ts-check
// How strong the levels are, in words, and which one to propose: the first by what a person says, the next by the result.

import { local } from "../base/memory.js";
import { HUMAN, isOver } from "./state.js";

/**
 * @typedef {import("../base/speech.js").Phrase} Phrase
 * @typedef {import("./state.js").Play} Play
 */

export const LEVELS = 20;

/** The highest level of each kind, with its words: as docs/search.md describes them. @type {readonly [number, Phrase][]} */
const KINDS = [
  [2, "levelFirst"],
  [4, "levelBeginner"],
  [7, "levelCasual"],
  [9, "levelGood"],
  [12, "levelStrong"],
  [16, "levelVeryStrong"],
  [LEVELS, "levelBest"],
];

/** What people may say of themselves, with the level of their first game. @type {readonly [Phrase, number][]} */
export const FIRST_LEVELS = [
  ["amNew", 1],
  ["amCasual", 4],
  ["amGood", 8],
];

/** The level that a player is, 0 if none. @param {string} player */
export const levelOf = (player) => Number(/^turncoat:level=(\d+)$/.exec(player)?.[1] ?? 0);

/** A level in words. @param {number} level @returns {Phrase} */
export const kindOf = (level) => (KINDS.find(([highest]) => level <= highest) ?? KINDS[KINDS.length - 1])[1];

/** A margin in discs that leaves no doubt. */
const CLEAR = 16;

/**
 * The level to play after a game: higher after a win, lower after a clear loss, two up after a clear win of the lower ones.
 * @param {number} level
 * @param {{ won: boolean, isDraw: boolean }} result
 * @param {number} margin in discs, 0 if the game did not end on the board
 */
export function nextLevel(level, { won, isDraw }, margin) {
  const step = isDraw ? 0 : won ? (margin >= CLEAR && level < 8 ? 2 : 1) : margin >= CLEAR ? -1 : 0;
  return Math.min(Math.max(level + step, 1), LEVELS);
}

/** @param {string} variant */
const key = (variant) => `proposed:${variant}`;

/** The level that is proposed, if a game has been played. @param {string} variant */
export function proposed(variant) {
  const level = Number(local.getItem(key(variant)));
  return Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : null;
}

/** @param {string} variant @param {number} level */
export const propose = (variant, level) => local.setItem(key(variant), String(level));

/** A person and the level of the other side on the large board; nothing if it is another game. @param {Readonly<Play>} state */
export function rungOf({ black, white, size }) {
  /** @type {import("../../types/api").Side} */
  const person = black === HUMAN ? "black" : "white";
  const level = levelOf(person === "black" ? white : black);
  return level === 0 || size !== 8 || (black !== HUMAN && white !== HUMAN) ? null : { person, level };
}

/** Whether a game is one of the ladder: a person against a level from the usual start. @param {Readonly<Play>} state */
export const isLadderGame = (state) => rungOf(state) !== null && state.start === "start";

/**
 * A game of a person against a level on the large board that is over: the level, and whether the person won.
 * @param {Readonly<Play>} state
 */
export function result(state) {
  const { game, loser } = state;
  const rung = rungOf(state);
  if (game === null || !isOver(state) || rung === null) return null;
  const { person, level } = rung;
  const won = loser !== null ? loser !== person : game.outcome?.winner === person;
  return { level, person, won, isDraw: loser === null && game.outcome?.winner === null };
}
