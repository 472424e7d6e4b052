// @ts-check
// All kept games as one file, and back: a browser's storage can be cleared, and people change browsers.

import { everyGame, keep } from "./games.js";
import { askRules } from "./workers.js";

/** @typedef {import("../../../server/types/api").ListedGame} ListedGame */

const FORM = "turncoat-games";
const VERSION = 1;

/** All games as a text. */
export async function save() {
  return JSON.stringify({ form: FORM, version: VERSION, games: await everyGame() }, null, 1);
}

/** What a game is told by, whatever its number. @param {ListedGame} game */
const mark = ({ variant, size, start, moves, black, white, loser }) =>
  JSON.stringify([variant, size, start, moves, black, white, loser]);

/**
 * Adds the games of such a text that are not there yet.
 * @param {string} text
 * @returns {Promise<{ added: number, refused: number } | null>} nothing if it is another text
 */
export async function load(text) {
  const read = parsed(text);
  if (read?.form !== FORM || read.version !== VERSION || !Array.isArray(read.games)) return null;
  const known = new Set((await everyGame()).map(mark));
  let [added, refused] = [0, 0];
  for (const found of read.games) {
    const { variant, size, start, moves, black, white, loser, changed } = found ?? {};
    const checked = await askRules({ method: "POST", path: "check", body: { game: { variant, size, start, moves }, black, white, loser } });
    if (checked.status !== 200) {
      refused++;
      continue;
    }
    const game = /** @type {ListedGame} */ (checked.body);
    if (known.has(mark(game))) continue;
    await keep(null, game, null, Number.isInteger(changed) ? changed : undefined);
    known.add(mark(game));
    added++;
  }
  return { added, refused };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
