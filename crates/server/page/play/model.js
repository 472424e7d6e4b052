// @ts-check
// A game that is played here: what it is, whose turn it is, and everything that can be done with it. No drawing.

import { asFault, chooseMove, Gone, keptGame, readGame } from "../base/client.js";
import { left, newClock, runFor, setTo } from "./clock.js";
import { createKeeper } from "./keeping.js";

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
 *   turns: import("./clock.js").Times[],
 *   thinking: boolean,
 *   hint: string | null,
 *   error: import("../base/client.js").Fault | null,
 *   gone: boolean,
 *   seed: number,
 * }} Play
 *
 * `turns` is what each side had left when each turn began, by the moves made before it.
 */

export const HUMAN = "human";
/** Who gives hints. */
export const ADVISER = "turncoat:level=14";
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
  turns: [],
  thinking: false,
  hint: null,
  error: null,
  gone: false,
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

/** Whether a person is to move after so many moves. @param {Readonly<Play>} state @param {GameView} game @param {number} made */
function isPersonsPlace(state, game, made) {
  const place = game.positions[made];
  return !place.over && !place.pass && state[place.side] === HUMAN;
}

/** How many moves to keep so that a person is to move again; none if there is no such place. @param {Readonly<Play>} state */
function lastTurnOfPerson(state) {
  const { game } = state;
  for (let made = (game?.moves.length ?? 0) - 1; made >= 0; made--) {
    if (game && isPersonsPlace(state, game, made)) return made;
  }
  return null;
}

/** Whether something can be taken back. @param {Readonly<Play>} state */
export const canUndo = (state) => state.loser !== null || lastTurnOfPerson(state) !== null;

/** Where the random choices of a game come from. */
const anySeed = () => Math.floor(Math.random() * 2 ** 32);

/**
 * How a place of the game is come to: by a move that is made now, by going back or on to what is known, or not at all
 * since it is there already.
 * @typedef {"new" | "known" | "same"} Arrival
 */

/** @param {import("../base/store.js").Store<Play>} store */
export function createGame(store) {
  let asking = new AbortController();
  const keeper = createKeeper();

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
      store.set({ thinking: false, error: asFault(error), gone: error instanceof Gone });
    }
  }

  /** Nobody waits any more for what was asked before. */
  function interrupt() {
    asking.abort();
    asking = new AbortController();
    store.set({ thinking: false, hint: null, error: null });
    return asking.signal;
  }

  /** Keeps the game as it is at this moment, however long that takes. */
  function keep() {
    const { variant, size, black, white, control, loser, timeout, seed, clock, turns } = store.get();
    keeper.remember({ variant, size, black, white, control, seed, clock, turns, timeout });
    return keeper.keep({ game: text(moves()), black, white, loser });
  }

  /** Lets the clock run for the side to move. @param {Arrival} how */
  function tick(how) {
    const state = store.get();
    if (state.clock === null) return;
    const now = position(state);
    const made = moves().length;
    // It begins with the first move.
    const side = now === null || isOver(state) || made === 0 ? null : now.side;
    const before = how === "known" ? state.turns[made] : undefined;
    const clock = runFor(before ? setTo(state.clock, before) : state.clock, side, Date.now());
    const { black, white } = clock;
    const turns = how === "new" ? [...state.turns.slice(0, made), { black, white }] : state.turns;
    store.set({ clock, turns });
  }

  /**
   * Sets the moves, keeps the game and lets the program move if it is its turn.
   * @param {string[]} made
   * @param {Arrival} how
   */
  async function go(made, how) {
    const signal = interrupt();
    const game = await readGame(text(made));
    if (signal.aborted) return;
    store.set({ game });
    tick(how);
    // Keeping the game and thinking about it go on side by side.
    await Promise.all([keep(), answer(signal)]);
  }

  /** @param {AbortSignal} signal @returns {Promise<void>} */
  async function answer(signal) {
    const state = store.get();
    const now = position(state);
    if (signal.aborted || now === null || isOver(state)) return;
    if (now.pass) {
      await new Promise((done) => setTimeout(done, PASS_SEEN));
      return signal.aborted ? undefined : go([...moves(), "pass"], "new");
    }
    if (state[now.side] === HUMAN) return;
    store.set({ thinking: true });
    const chosen = await chooseMove(text(moves()), state[now.side], state.seed, signal);
    if (signal.aborted) return;
    store.set({ undone: [] });
    await go([...moves(), chosen.move], "new");
  }

  /** Who runs out of time has lost. */
  function watchClock() {
    const state = store.get();
    const side = state.clock?.running;
    if (!state.clock || !side || isOver(state) || left(state.clock, side, Date.now()) > 0) return;
    interrupt();
    store.set({ loser: side, timeout: true });
    tick("same");
    attempt(keep);
  }
  setInterval(watchClock, 100);

  /** @param {Choice} choice */
  const begin = ({ variant, size, black, white, control }) =>
    attempt(async () => {
      interrupt();
      keeper.begin(null);
      const clock = newClock(control);
      store.set({ variant, size, black, white, control, clock, turns: [], seed: anySeed() });
      // Nothing can be done with the game before, which has been kept as it is.
      store.set({ start: "start", game: null, undone: [], loser: null, timeout: false });
      await go([], "new");
    });

  /** The clock of a game that was left: it has run on for a person, not for a program, which was not asked. */
  function goOnTicking() {
    const state = store.get();
    const { clock } = state;
    if (clock === null || clock.running === null) return;
    if (clock.running !== position(state)?.side) tick("known");
    else if (state[clock.running] !== HUMAN) store.set({ clock: { ...clock, since: Date.now() } });
  }

  return {
    store,
    begin,
    /** Goes on with the game that was played last, if there is one; tells whether. */
    async resume() {
      const last = keeper.remembered();
      if (last === null) return false;
      if (last.id === null) {
        await begin(last);
        return true;
      }
      try {
        const { variant, size, start, moves: made, black, white, loser } = await keptGame(last.id);
        const game = await readGame({ variant, size, start, moves: made });
        const { control, seed, clock, turns } = last;
        keeper.begin(last.id);
        store.set({ variant, size, start, black, white, control, seed, clock, turns, game });
        store.set({ undone: [], loser, timeout: loser !== null && last.timeout });
      } catch (error) {
        if (error instanceof Gone) throw error;
        return false;
      }
      goOnTicking();
      await attempt(() => answer(interrupt()));
      return true;
    },
    /** @param {string} square */
    play: (square) =>
      attempt(async () => {
        const state = store.get();
        if (!isPersonsTurn(state) || !position(state)?.legal.some((move) => move.move === square)) return;
        store.set({ undone: [] });
        await go([...moves(), square], "new");
      }),
    /** Takes back a resignation, or else a person's turn, with what the clocks showed then. */
    undo: () =>
      attempt(async () => {
        const state = store.get();
        if (!canUndo(state)) return;
        const all = moves();
        const resigned = state.loser !== null && !state.timeout;
        const kept = resigned ? all.length : (lastTurnOfPerson(state) ?? all.length);
        store.set({ undone: [...all.slice(kept), ...state.undone], loser: null, timeout: false });
        await go(all.slice(0, kept), resigned ? "same" : "known");
      }),
    /** One turn: to the next place where a person is to move, or to the end. */
    redo: () =>
      attempt(async () => {
        const { undone } = store.get();
        if (undone.length === 0) return;
        const [before, all] = [moves().length, [...moves(), ...undone]];
        const game = await readGame(text(all));
        let made = before + 1;
        while (made < all.length && !isPersonsPlace(store.get(), game, made)) made++;
        store.set({ undone: all.slice(made) });
        await go(all.slice(0, made), "known");
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
        tick("same");
        await keep();
      }),
    /** Tries again after a failure. */
    retry: () => attempt(() => go(moves(), "same")),
  };
}
