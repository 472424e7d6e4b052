// @ts-check
// A game that is played here: what it is, whose turn it is, and everything that can be done with it. No drawing.

import { chooseMove, keepGame, keptGame, readGame } from "./client.js";
import { createStore } from "./store.js";

/**
 * @typedef {import("./client.js").GameView} GameView
 * @typedef {"black" | "white"} Side
 * @typedef {{ variant: string, size: number, black: string, white: string }} Choice
 * @typedef {Choice & {
 *   start: string,
 *   game: GameView | null,
 *   undone: string[],
 *   loser: Side | null,
 *   thinking: boolean,
 *   hint: string | null,
 *   error: string | null,
 *   id: number | null,
 *   seed: number,
 * }} Play
 */

export const HUMAN = "human";
/** Who gives hints. */
export const ADVISER = "turncoat:level=14";
/** Where the number of the game that goes on is remembered. */
const REMEMBERED = "game";

/** @param {Play} state */
export const position = (state) => state.game?.positions.at(-1) ?? null;

/** @param {Play} state */
export const isOver = (state) => state.loser !== null || (position(state)?.over ?? false);

/** Whether a person is to move. @param {Play} state */
export function isPersonsTurn(state) {
  const now = position(state);
  return now !== null && !isOver(state) && state[now.side] === HUMAN;
}

export function createGame() {
  /** @type {ReturnType<typeof createStore<Play>>} */
  const store = createStore(
    /** @type {Play} */ ({
      variant: "reversed",
      size: 8,
      black: HUMAN,
      white: "turncoat:level=3",
      start: "start",
      game: null,
      undone: [],
      loser: null,
      thinking: false,
      hint: null,
      error: null,
      id: null,
      seed: 0,
    }),
  );
  let asking = new AbortController();

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
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      store.set({ thinking: false, error: error instanceof Error ? error.message : String(error) });
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

  /** Sets the moves, keeps the game and lets the program move if it is its turn. @param {string[]} made */
  async function go(made) {
    const signal = interrupt();
    const game = await readGame(text(made));
    if (signal.aborted) return;
    store.set({ game });
    await keep();
    await answer(signal);
  }

  /** @param {AbortSignal} signal */
  async function answer(signal) {
    const state = store.get();
    const now = position(state);
    if (signal.aborted || now === null || isOver(state)) return;
    if (now.pass) return go([...moves(), "pass"]);
    if (state[now.side] === HUMAN) return;
    store.set({ thinking: true });
    const chosen = await chooseMove(text(moves()), state[now.side], state.seed, signal);
    if (signal.aborted) return;
    store.set({ undone: [] });
    await go([...moves(), chosen.move]);
  }

  /** How many moves to keep so that a person is to move again; none if there is no such place. */
  function lastTurnOfPerson() {
    const { game, black, white } = store.get();
    const players = { black, white };
    for (let made = moves().length - 1; made >= 0; made--) {
      const before = game?.positions[made];
      if (before && !before.pass && players[before.side] === HUMAN) return made;
    }
    return null;
  }

  return {
    store,
    /** @param {Choice} choice */
    begin: ({ variant, size, black, white }) =>
      attempt(async () => {
        const seed = Math.floor(Math.random() * 2 ** 32);
        store.set({ variant, size, black, white, start: "start", undone: [], loser: null, id: null, seed });
        await go([]);
      }),
    /** Goes on with the game that was played last, if there is one; tells whether. */
    async resume() {
      const id = Number(localStorage.getItem(REMEMBERED));
      if (!id) return false;
      try {
        const { variant, size, start, moves: made, black, white, loser } = await keptGame(id);
        store.set({ variant, size, start, black, white, loser, id, undone: [] });
        const game = await readGame({ variant, size, start, moves: made });
        store.set({ game });
      } catch {
        return false;
      }
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
        store.set({ undone: [...all.slice(kept), ...store.get().undone], loser: null });
        await go(all.slice(0, kept));
      }),
    redo: () =>
      attempt(async () => {
        const [...undone] = store.get().undone;
        if (undone.length === 0) return;
        store.set({ undone: [] });
        await go([...moves(), ...undone]);
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
        await keep();
      }),
  };
}
