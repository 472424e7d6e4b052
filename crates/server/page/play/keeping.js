// @ts-check
// Saves the game in progress: on the server, one save after the other, and in this browser what only the page knows of
// it, so that a reload continues the game. A game that is played in two places is reported, never overwritten.

import { local, tab } from "../base/memory.js";
import { asFault, forgetGame, keepGame, keptGame } from "../base/client.js";

/**
 * @typedef {import("./state.js").Choice} Choice
 * @typedef {import("../base/client.js").Seen} Seen
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {import("./clock.js").Times} Times
 * @typedef {{ id: number | null, seen: Seen | null, sent: Seen | null, next: Seen | null, known: Known | null }} Place Where
 *   a game is kept: its number, none before its first move, how it was when the server last told or took it, what was last
 *   sent there, what the page makes of it, and what only the page knows of it.
 * @typedef {Choice & { seed: number, clock: Clock | null, turns: Times[], timeout: boolean }} Known
 * @typedef {Known & Seen & { id: number | null, tab: string, sent?: Seen | null, next?: Seen | null }} Remembered
 */

/** The game that this browser and this tab played last; with a number after it, any one game. */
const KEY = "game";
/** Games that this browser knows more of than the server. */
const MOST_KNOWN = 100;
/** This tab among those of the browser. */
const TAB = Math.random().toString(36).slice(2);

/** @param {string | null} text @returns {Remembered | null} */
function readRemembered(text) {
  try {
    const found = JSON.parse(text ?? "null");
    const isGame = ["reversed", "reversi"].includes(found?.variant) && [4, 6, 8].includes(found.size);
    return isGame && typeof found.black === "string" && typeof found.white === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Seen | null} one @param {Seen | null} other */
const isSame = (one, other) => one?.moves === other?.moves && one?.loser === other?.loser;

/**
 * What was done with a game and has not come to the server, if the server has it as this browser left it there.
 * @param {Remembered} last
 * @param {Seen} kept
 */
export function unsaved(last, kept) {
  const { next, sent } = last;
  if (typeof next?.moves !== "string" || isSame(next, kept)) return null;
  return isSame(last, kept) || (sent && isSame(sent, kept)) ? next : null;
}

/** Forgets what is known of the oldest games. */
function forgetOldest() {
  const numbers = local.keys().flatMap((key) => (key.startsWith(`${KEY}:`) ? [Number(key.slice(KEY.length + 1))] : []));
  numbers.sort((one, other) => other - one);
  for (const id of numbers.slice(MOST_KNOWN)) local.removeItem(`${KEY}:${id}`);
}

/** @param {() => void} onTaken called when another tab has continued the game */
export function createKeeper(onTaken) {
  /** The last save; the next one waits for it. */
  let last = Promise.resolve();
  /** The game in progress. What was started for an older game keeps that game's place. @type {Place} */
  let place = { id: null, seen: null, sent: null, next: null, known: null };

  addEventListener("storage", (event) => {
    if (event.key !== KEY || place.id === null) return;
    // Of two tabs that continue at once, the last to write has the game.
    const now = readRemembered(local.getItem(KEY));
    if (now?.id === place.id && now.tab !== TAB && !isSame(now, place.seen)) onTaken();
  });

  /** @param {Place} mine */
  function write(mine) {
    if (mine.known === null) return;
    // Other tabs are told of moves that the server has: they may ask for them at once.
    // A page that is reloaded before the server has answered for the first time finds its game by what was sent.
    const text = JSON.stringify({ ...mine.known, ...(mine.seen ?? mine.sent), sent: mine.sent, next: mine.next, id: mine.id, tab: TAB });
    if (mine === place) {
      tab.setItem(KEY, text);
      local.setItem(KEY, text);
    }
    if (mine.id === null) return;
    local.setItem(`${KEY}:${mine.id}`, text);
    forgetOldest();
  }

  /** @param {Place} mine @param {Parameters<typeof keepGame>[1]} game @param {Seen} now */
  async function send(mine, game, now) {
    const before = mine.sent;
    mine.sent = now;
    write(mine);
    try {
      mine.id = await keepGame(mine.id, game, mine.seen);
    } catch (error) {
      if (asFault(error).code !== "game-changed" || mine.id === null) throw error;
      // What came from here itself, with an answer that was lost, is no conflict.
      const { moves, loser } = await keptGame(mine.id);
      if (!isSame({ moves, loser }, before)) throw error;
      await keepGame(mine.id, game, before);
    }
    mine.seen = now;
  }

  return {
    place: () => place,
    /** From now on it is another game. @param {number | null} id @param {Seen | null} [seen] */
    begin(id, seen = null) {
      place = { id, seen, sent: seen, next: seen, known: null };
    },
    /** Goes back to a game. @param {Place} to */
    goBack(to) {
      place = to;
    },
    /** The game that was played last, in this tab or else in another. */
    remembered: () => readRemembered(tab.getItem(KEY)) ?? readRemembered(local.getItem(KEY)),
    /** What this browser knows of a game. @param {number} id */
    known: (id) => readRemembered(local.getItem(`${KEY}:${id}`)),
    /** Keeps in this browser what the server does not know, or not yet. @param {Known} now @param {Seen} next */
    remember(now, next) {
      place.known = now;
      place.next = next;
      write(place);
    },
    /**
     * Keeps a game as it is now. Without a move it is none yet.
     * @param {Parameters<typeof keepGame>[1]} game
     * @param {Seen} now
     * @returns {Promise<void>}
     */
    keep(game, now) {
      const mine = place;
      const kept = last.then(async () => {
        if (mine.id === null && now.moves === "") return;
        await send(mine, game, now);
        // Also if another game has begun meanwhile: the clock of this one is known by its number from now on.
        write(mine);
      });
      last = kept.catch(() => {});
      return kept;
    },
    /** Takes a game away from those that are kept. @param {Place} gone */
    forget(gone) {
      const forgotten = last.then(async () => {
        if (gone.id === null) return;
        local.removeItem(`${KEY}:${gone.id}`);
        await forgetGame(gone.id);
      });
      last = forgotten.catch(() => {});
      return forgotten;
    },
    /** Everything has been kept that was to be. */
    settled: () => last,
  };
}
