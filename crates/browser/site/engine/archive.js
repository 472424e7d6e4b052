// @ts-check
// All kept games as one file, and back: a browser's storage can be cleared, and people change browsers.

import { everyGame, keep, oddField } from "./games.js";
import { askRules } from "./workers.js";

/**
 * @typedef {import("../../../server/types/api").ListedGame} ListedGame
 * @typedef {import("../base/faults.js").Told} Told
 */

const FORM = "turncoat-games";
const VERSION = 1;

/** All games as a text. */
export async function save() {
  return JSON.stringify({ form: FORM, version: VERSION, games: await everyGame() }, null, 1);
}

/** What a game is told by, whatever its number. @param {ListedGame} game */
const mark = ({ variant, size, start, moves, black, white, loser }) =>
  JSON.stringify([variant, size, start, moves, black, white, loser]);

/** A game of such a text, or what is wrong with it. @param {any} found @returns {Promise<ListedGame | Told>} */
async function check(found) {
  const odd = (/** @type {string} */ field) => ({ code: "odd-field", params: { field } });
  const field = oddField(found);
  if (field !== null) return odd(field);
  const { variant, size, start, moves, black, white, loser } = found;
  const checked = await askRules({ method: "POST", path: "check", body: { game: { variant, size, start, moves }, black, white, loser } });
  if (checked.status !== 200) return /** @type {Told} */ (checked.body);
  const game = /** @type {ListedGame} */ (checked.body);
  // Nobody gives up a game that is over.
  return game.outcome !== null && loser !== null ? odd("loser") : game;
}

/**
 * Adds the games of such a text that are not there yet.
 * @param {string} text
 * @returns {Promise<{ added: number, refused: number, fault: Told | null } | null>} with the first fault and its place;
 *   nothing if it is another text
 */
export async function load(text) {
  const read = parsed(text);
  if (read?.form !== FORM || read.version !== VERSION || !Array.isArray(read.games)) return null;
  const known = new Set((await everyGame()).map(mark));
  let [added, refused] = [0, 0];
  /** @type {Told | null} */
  let fault = null;
  for (const [place, found] of read.games.entries()) {
    const game = await check(found);
    if ("code" in game) {
      refused++;
      fault ??= { code: game.code, params: { ...game.params, game: place + 1 } };
      continue;
    }
    if (known.has(mark(game))) continue;
    await keep(null, game, null, found.changed);
    known.add(mark(game));
    added++;
  }
  return { added, refused, fault };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
