// @ts-check
// A game that is played here: what it is, whose turn it is, and everything that can be done with it. No drawing.

import { chooseMove, Gone, keepGame, keptGame, readGame } from "../base/client.js";
import { left, newClock, runFor } from "./clock.js";

/**
 * @typedef {import("../base/client.js").GameView} GameView
 * @typedef {import("../base/client.js").Side} Side
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {{ variant: string, size: number, black: string, white: string, control: string }} Choice
 * @typedef {Choice & {
 *   start: string,
 *   game: GameView | null,
 *   undone: string[],
 *   loser: Side | null,
 *   timeout: boolean,
 *   clock: Clock | null,
 *   thinking: boolean,
 *   hint: string | null,
 *   error: string | null,
 *   gone: boolean,
 *   id: number | null,
 *   seed: number,
 * }} Play
 */

export const HUMAN = "human";
/** Who gives hints. */
export const ADVISER = "turncoat:level=14";
/** Where the number of the game that goes on is remembered, with its clock. */
const REMEMBERED = "game";
const REMEMBERED_CLOCK = "clock";
/** Passes are seen before the game goes on, in milliseconds. */
const PASS_SEEN = 1200;

/** @returns {Play} */
export const firstPlay = () => ({
  variant: "reversed",
  size: 8,
  black: HUMAN,
  white: "turncoat:level=3",
  control: "none",
  start: "start",
  game: null,
  undone: [],
  loser: null,
  timeout: false,
  clock: null,
  thinking: false,
  hint: null,
  error: null,
  gone: false,
  id: null,
  seed: 0,
});

/** @param {Readonly<Play>} state */
export const position = (state) => state.game?.positions.at(-1) ?? null;

/** @param {Readonly<Play>} state */
export const isOver = (state) => state.loser !== null || (position(state)?.over ?? false);

/** Whether a person is to move. @param {Readonly<Play>} state */
export function isPersonsTurn(state) {
  const now = position(state);
  return now !== null && !now.pass && !isOver(state) && state[now.side] === HUMAN;
}

/** Where the random choices of a game come from. */
const anySeed = () => Math.floor(Math.random() * 2 ** 32);

/** @param {import("../base/store.js").Store<Play>} store */
export function createGame(store) {
  let asking = new AbortController();
  /** The last time that the game was kept; one waits for the other. */
  let saved = Promise.resolve();

  /** @param {string[]} moves */
  const text = (moves) => {
    const { variant, size, start } = store.get();
    return { variant, size, start, moves: moves.join("") };
  };
  const moves = () => store.get().game?.moves ?? [];

  /** Does something that may fail, and tells if it does. @param {() => Promise<void>} action */
  async function attempt(action) {
    try {
      await action();
      if (store.get().gone) store.set({ gone: false });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      const told = error instanceof Error ? error.message : String(error);
      store.set({ thinking: false, error: told, gone: error instanceof Gone });
    }
  }

  /** Nobody waits any more for what was asked before. */
  function interrupt() {
    asking.abort();
    asking = new AbortController();
    store.set({ thinking: false, hint: null, error: null });
    return asking.signal;
  }

  async function keep() {
    const { id, black, white, loser } = store.get();
    const kept = await keepGame(id, { game: text(moves()), black, white, loser });
    localStorage.setItem(REMEMBERED, String(kept));
    store.set({ id: kept });
  }

  /** Lets the clock run for the side to move. */
  function tick() {
    const state = store.get();
    if (state.clock === null) return;
    const now = position(state);
    // It begins with the first move.
    const side = now === null || isOver(state) || moves().length === 0 ? null : now.side;
    const clock = runFor(state.clock, side, Date.now());
    localStorage.setItem(REMEMBERED_CLOCK, JSON.stringify(clock));
    store.set({ clock });
  }

  /** Sets the moves, keeps the game and lets the program move if it is its turn. @param {string[]} made */
  async function go(made) {
    const signal = interrupt();
    const game = await readGame(text(made));
    if (signal.aborted) return;
    store.set({ game });
    tick();
    // Keeping the game and thinking about it go on side by side.
    saved = saved.then(keep, keep);
    await Promise.all([saved, answer(signal)]);
  }

  /** @param {AbortSignal} signal @returns {Promise<void>} */
  async function answer(signal) {
    const state = store.get();
    const now = position(state);
    if (signal.aborted || now === null || isOver(state)) return;
    if (now.pass) {
      await new Promise((done) => setTimeout(done, PASS_SEEN));
      return signal.aborted ? undefined : go([...moves(), "pass"]);
    }
    if (state[now.side] === HUMAN) return;
    store.set({ thinking: true });
    const chosen = await chooseMove(text(moves()), state[now.side], state.seed, signal);
    if (signal.aborted) return;
    store.set({ undone: [] });
    await go([...moves(), chosen.move]);
  }

  /** @param {GameView} game @param {number} made */
  function isPersonsPlace(game, made) {
    const { black, white } = store.get();
    const place = game.positions[made];
    return !place.over && !place.pass && { black, white }[place.side] === HUMAN;
  }

  /** How many moves to keep so that a person is to move again; none if there is no such place. */
  function lastTurnOfPerson() {
    const { game } = store.get();
    for (let made = moves().length - 1; made >= 0; made--) {
      if (game && isPersonsPlace(game, made)) return made;
    }
    return null;
  }

  /** Who runs out of time has lost. */
  function watchClock() {
    const state = store.get();
    const side = state.clock?.running;
    if (!state.clock || !side || isOver(state) || left(state.clock, side, Date.now()) > 0) return;
    interrupt();
    store.set({ loser: side, timeout: true });
    tick();
    attempt(keep);
  }
  setInterval(watchClock, 100);

  return {
    store,
    /** @param {Choice} choice */
    begin: ({ variant, size, black, white, control }) =>
      attempt(async () => {
        const seed = anySeed();
        const clock = newClock(control);
        localStorage.removeItem(REMEMBERED_CLOCK);
        store.set({ variant, size, black, white, control, clock, seed });
        store.set({ start: "start", undone: [], loser: null, timeout: false, id: null });
        await go([]);
      }),
    /** Goes on with the game that was played last, if there is one; tells whether. */
    async resume() {
      const id = Number(localStorage.getItem(REMEMBERED));
      if (!id) return false;
      try {
        const { variant, size, start, moves: made, black, white, loser } = await keptGame(id);
        const kept = localStorage.getItem(REMEMBERED_CLOCK);
        /** @type {Clock | null} */
        const clock = kept === null ? null : { ...JSON.parse(kept), running: null };
        store.set({ variant, size, start, black, white, loser, id, undone: [], clock, seed: anySeed() });
        store.set({ game: await readGame({ variant, size, start, moves: made }) });
      } catch (error) {
        if (error instanceof Gone) throw error;
        return false;
      }
      tick();
      await attempt(() => answer(interrupt()));
      return true;
    },
    /** @param {string} square */
    play: (square) =>
      attempt(async () => {
        const state = store.get();
        if (!isPersonsTurn(state) || !position(state)?.legal.some((move) => move.move === square)) return;
        store.set({ undone: [] });
        await go([...moves(), square]);
      }),
    undo: () =>
      attempt(async () => {
        const kept = lastTurnOfPerson();
        if (kept === null) return;
        const all = moves();
        store.set({ undone: [...all.slice(kept), ...store.get().undone], loser: null, timeout: false });
        await go(all.slice(0, kept));
      }),
    /** One turn: to the next place where a person is to move, or to the end. */
    redo: () =>
      attempt(async () => {
        const { undone } = store.get();
        if (undone.length === 0) return;
        const [before, all] = [moves().length, [...moves(), ...undone]];
        const game = await readGame(text(all));
        let made = before + 1;
        while (made < all.length && !isPersonsPlace(game, made)) made++;
        store.set({ undone: all.slice(made) });
        await go(all.slice(0, made));
      }),
    hint: () =>
      attempt(async () => {
        if (!isPersonsTurn(store.get())) return;
        const signal = interrupt();
        const chosen = await chooseMove(text(moves()), ADVISER, 0, signal);
        if (!signal.aborted) store.set({ hint: chosen.move });
      }),
    resign: () =>
      attempt(async () => {
        const state = store.get();
        const now = position(state);
        if (now === null || isOver(state)) return;
        // Against a program it is always the person who resigns.
        const side = state[now.side] === HUMAN ? now.side : now.side === "black" ? "white" : "black";
        interrupt();
        store.set({ loser: side });
        tick();
        await keep();
      }),
    /** Tries again after a failure. */
    retry: () => attempt(() => go(moves())),
  };
}
