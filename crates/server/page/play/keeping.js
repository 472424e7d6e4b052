// @ts-check
// Keeping the game that is played: with the server, one time after the other, and in this browser what only the page
// knows of it, so that a reload goes on where it was.

import { keepGame } from "../base/client.js";

/**
 * @typedef {import("./model.js").Choice} Choice
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {import("./clock.js").Times} Times
 * @typedef {{ id: number | null }} Place A game's number among those that are kept; none before its first move.
 * @typedef {Choice & { seed: number, clock: Clock | null, turns: Times[], timeout: boolean }} Known
 * @typedef {Known & { id: number | null }} Remembered
 */

const KEY = "game";

/** @param {string | null} text @returns {Remembered | null} */
function readRemembered(text) {
  try {
    const found = JSON.parse(text ?? "null");
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

export function createKeeper() {
  /** The last time that a game was kept: one waits for the other, whoever asks. */
  let last = Promise.resolve();
  /** The game that goes on. What was begun for an older one goes on with that one's. @type {Place} */
  let place = { id: null };
  /** @type {Known | null} */
  let known = null;

  // Another tab has gone on with this game: what is played here from now on is a game of its own.
  addEventListener("storage", (event) => {
    if (event.key !== KEY || place.id === null) return;
    if (readRemembered(event.newValue)?.id === place.id) place = { id: null };
  });

  function write() {
    if (known !== null) localStorage.setItem(KEY, JSON.stringify({ ...known, id: place.id }));
  }

  return {
    /** From now on it is another game. @param {number | null} id */
    begin(id) {
      place = { id };
    },
    remembered: () => readRemembered(localStorage.getItem(KEY)),
    /** Keeps in this browser what the server does not know. @param {Known} now */
    remember(now) {
      known = now;
      write();
    },
    /**
     * Keeps a game as it is now. Without a move it is none yet.
     * @param {Parameters<typeof keepGame>[1]} game
     * @returns {Promise<void>}
     */
    keep(game) {
      const mine = place;
      const kept = last.then(async () => {
        if (mine.id === null && game.game.moves === "") return;
        mine.id = await keepGame(mine.id, game);
        if (mine === place) write();
      });
      last = kept.catch(() => {});
      return kept;
    },
  };
}
