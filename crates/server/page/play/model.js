// @ts-check
// Everything that can be done with a game that is played here. No drawing.

import { asFault, chooseMove, Gone, keptGame, keptGames, readGame } from "../base/client.js";
import { notify } from "../base/notices.js";
import { createQueue } from "../base/queue.js";
import { startOf } from "../analyse/reading.js";
import { reasonFor } from "./advice.js";
import { left, newClock, setTo } from "./clock.js";
import { createKeeper, unsaved } from "./keeping.js";
import { isUnfinished } from "./kept.js";
import { canUndo, HUMAN, isOver, isPersonsPlace, isPersonsTurn, lastTurnOfPerson, position, USUAL } from "./state.js";
import { createTicking } from "./ticking.js";

/**
 * @typedef {import("./state.js").Play} Play
 * @typedef {import("./state.js").Choice} Choice
 */

/** Who gives hints. */
export const ADVISER = "turncoat:level=14";
/** How long a pass is shown, in milliseconds. */
const PASS_SEEN = 1200;

/** Where the random choices of a game come from. */
const anySeed = () => Math.floor(Math.random() * 2 ** 32);

/**
 * @param {import("../base/store.js").Store<Play>} store
 * @param {() => void} onAct called when a person does something with the game: what was done before is settled then
 */
export function createGame(store, onAct) {
  let asking = new AbortController();
  const keeper = createKeeper(setTaken);
  const ticking = createTicking(store);
  /** A turn waits until the position of the one before is reached. */
  const inTurn = createQueue();

  /** The names of all players, once they are known. @type {string[] | null} */
  let names = null;

  /** A player, or another in the place of one that is not here. @param {string} player */
  function present(player) {
    const isHere = player === HUMAN || names === null || names.some((name) => player === name || player.startsWith(`${name}:`));
    if (!isHere) notify({ code: "other-player", params: { player } });
    return isHere ? player : USUAL;
  }

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
      const fault = asFault(error);
      if (fault.code === "game-changed") return setTaken();
      const gone = error instanceof Gone;
      // Nobody can move until it answers again.
      store.set({ thinking: false, error: fault, gone, clock: gone ? ticking.stopped() : store.get().clock });
    }
  }

  /** Nobody waits any more for what was asked before. */
  function interrupt() {
    asking.abort();
    asking = new AbortController();
    store.set({ thinking: false, hint: null, reason: null, error: null });
    return asking.signal;
  }

  /** The game is being continued elsewhere: nothing happens here until the user has chosen. */
  function setTaken() {
    interrupt();
    store.set({ taken: true, viewed: null, clock: ticking.stopped() });
    onAct();
  }

  /** Notes in this browser what the server does not know of the game, or not yet. @param {string} [made] @param {Partial<Play>} [patch] */
  function remember(made = store.get().game?.transcript ?? "", patch = {}) {
    const { variant, size, start, black, white, control, timeout, seed, clock, turns, loser } = { ...store.get(), ...patch };
    keeper.remember({ variant, size, start, black, white, control, seed, clock, turns, timeout }, { moves: made, loser });
  }

  /** Keeps the game as it is at this moment, however long that takes. */
  async function keep() {
    const { game, black, white, loser } = store.get();
    const place = keeper.place();
    remember();
    try {
      await keeper.keep({ game: text(moves()), black, white, loser }, { moves: game?.transcript ?? "", loser });
    } catch (error) {
      const fault = asFault(error);
      if (fault.code !== "no-storage") throw error;
      // The game goes on without it.
      notify(fault);
    }
    if (place === keeper.place() && store.get().id !== place.id) store.set({ id: place.id });
  }

  /** Leaves the game for another one. Its clock stands until it is resumed. */
  function leave() {
    interrupt();
    store.set({ clock: ticking.stopped() });
    if (store.get().game !== null && !store.get().taken) remember();
  }

  /** What a person does with the game, which must be this tab's. @param {() => Promise<void>} action */
  const act = (action) =>
    attempt(async () => {
      if (store.get().taken) return;
      onAct();
      store.set({ viewed: null });
      await action();
    });

  /**
   * Sets the moves, keeps the game and lets the program move if it is its turn.
   * @param {string[]} made
   * @param {import("./ticking.js").Arrival} how
   */
  async function go(made, how) {
    await goOn(await reach(made, how));
  }

  /**
   * Sets the moves, and what changes with them, unless something else is done meanwhile.
   * @param {string[]} made
   * @param {import("./ticking.js").Arrival} how
   * @param {Partial<Play>} [patch]
   */
  async function reach(made, how, patch = {}) {
    const signal = interrupt();
    // Before anything is asked: a page that is left at once has made the move.
    remember(made.filter((move) => move !== "pass").join(""), patch);
    const game = await readGame(text(made));
    if (signal.aborted) return null;
    store.set({ ...patch, game });
    ticking.run(how);
    // Kept at once: another game may begin in the next moment.
    const kept = keep();
    kept.catch(() => {});
    return { signal, kept };
  }

  /** Saves the game and searches for a move at the same time. @param {Awaited<ReturnType<typeof reach>>} reached */
  async function goOn(reached) {
    if (reached !== null) await Promise.all([reached.kept, answer(reached.signal)]);
  }

  /**
   * A turn of a person, made, taken back or made again: quick ones follow each other.
   * @param {() => ReturnType<typeof reach> | null} take nothing if there is none now
   */
  const turn = (take) =>
    attempt(async () => {
      const reached = await inTurn(async () => {
        const taken = store.get().taken ? null : take();
        if (taken === null) return null;
        onAct();
        store.set({ viewed: null });
        return taken;
      });
      await goOn(reached);
    });

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
    ticking.run("same");
    attempt(keep);
  }
  setInterval(watchClock, 100);

  /** @param {Choice} choice @param {string} [made] what has been played in it @param {Partial<Play>} [known] what is known of it */
  const begin = ({ variant, size, black, white, control, start = "start" }, made = "", known = {}) =>
    attempt(async () => {
      leave();
      onAct();
      keeper.begin(null);
      const clock = newClock(control);
      const [first, second] = [present(black), present(white)];
      store.set({ variant, size, black: first, white: second, control, clock, turns: [], seed: anySeed(), id: null, taken: false, viewed: null });
      // Nothing can be done with the game before, which has been kept as it is.
      store.set({ start, game: null, undone: [], loser: null, timeout: false, ...known });
      const reached = await reach(made === "" ? [] : [made], "new");
      ticking.goOn();
      await goOn(reached);
    });

  /**
   * What this browser knows of a kept game, if it is that one.
   * @param {import("../../types/api").KeptGame} kept
   * @param {import("./keeping.js").Remembered | null} last what it knows of the game without a number
   */
  function knownOf(kept, last) {
    const known = keeper.known(kept.id) ?? last;
    const fields = /** @type {const} */ (["variant", "size", "black", "white"]);
    const isIt = known !== null && fields.every((field) => known[field] === kept[field]);
    return isIt ? known : { control: "none", seed: anySeed(), clock: null, turns: [], timeout: false };
  }

  /** The number of a game that was kept while the page was reloaded. @param {import("./keeping.js").Remembered} last */
  async function unanswered(last) {
    if (!last.moves) return null;
    const fields = /** @type {const} */ (["variant", "size", "black", "white", "moves", "loser"]);
    // One that this browser knows by its number is another.
    const kept = (await keptGames()).find((game) => fields.every((field) => game[field] === last[field]) && keeper.known(game.id) === null);
    return kept?.id ?? null;
  }

  /**
   * Shows a kept game, and gives it; fails if there is none.
   * @param {number} id
   * @param {import("./keeping.js").Remembered | null} [last]
   */
  async function load(id, last = null) {
    const kept = await keptGame(id);
    const { variant, size, moves: made, loser } = kept;
    const start = startOf(kept.start, size);
    const game = await readGame({ variant, size, start, moves: made });
    if (store.get().game !== null) leave();
    const { control, seed, clock, turns, timeout } = knownOf(kept, last);
    const [black, white] = [present(kept.black), present(kept.white)];
    keeper.begin(id, { moves: made, loser });
    store.set({ variant, size, start, black, white, control, seed, clock, turns, game, id, taken: false, viewed: null });
    store.set({ undone: [], loser, timeout: loser !== null && timeout });
    return kept;
  }

  async function redo() {
    const all = [...moves(), ...store.get().undone];
    let made = moves().length + 1;
    const game = await readGame(text(all));
    while (made < all.length && !isPersonsPlace(store.get(), game, made)) made++;
    return reach(all.slice(0, made), "known", { undone: all.slice(made) });
  }

  /** What an undo comes back to: the game with its clock as it stands, and where it is kept. */
  const snapshot = () => ({ state: { ...store.get(), clock: ticking.stopped() }, place: keeper.place() });

  return {
    store,
    begin,
    /** @param {{ name: string }[]} all */
    setPlayers(all) {
      names = all.map(({ name }) => name);
    },
    /** Goes on with the game that was played last, if there is one; tells whether. */
    async resumeLast() {
      const last = keeper.remembered();
      if (last === null) return false;
      const id = last.id ?? (await unanswered(last).catch(() => null));
      try {
        if (id === null) {
          const { moves: made = "", loser = null } = last.next ?? last;
          const { seed, turns, timeout, clock } = last;
          await begin(last, made, made === "" ? {} : { seed, turns, timeout, clock, loser });
          return store.get().game !== null;
        }
        const kept = await load(id, last);
        const next = unsaved(last, kept);
        if (next !== null) {
          await attempt(async () => {
            const how = next.moves.length > kept.moves.length ? "new" : "known";
            const reached = await reach([next.moves], how, { loser: next.loser, timeout: last.timeout });
            ticking.goOn();
            await goOn(reached);
          });
          return true;
        }
      } catch (error) {
        if (error instanceof Gone) throw error;
        return false;
      }
      ticking.goOn();
      await attempt(() => answer(interrupt()));
      return true;
    },
    /** Goes on with a kept game, with its clock as it was left. @param {number} id */
    resume: (id) =>
      attempt(async () => {
        await keeper.settled();
        await load(id);
        onAct();
        const { clock } = store.get();
        if (clock !== null) store.set({ clock: setTo(clock, clock) });
        ticking.run("same");
        remember();
        await answer(interrupt());
      }),
    /** Goes on with what another tab has made of the game. */
    follow: () =>
      attempt(async () => {
        const { id } = keeper.place();
        if (id === null) return;
        await load(id);
        ticking.goOn();
        await answer(interrupt());
      }),
    /** Goes on with the game as it is here, as one of its own. */
    branch: () =>
      attempt(async () => {
        keeper.begin(null);
        store.set({ taken: false, id: null });
        await go(moves(), "same");
      }),
    /** Unfinished games, newest first. */
    async unfinished() {
      await keeper.settled();
      const { id } = keeper.place();
      return (await keptGames()).filter((game) => game.id !== id && isUnfinished(game));
    },
    /** Looks at the position after so many moves. @param {number} made */
    view: (made) => store.set({ viewed: made < moves().length ? made : null }),
    snapshot,
    /** Goes back to a game. One that was begun since, in which no person has moved, is forgotten. @param {ReturnType<typeof snapshot>} before */
    restore: ({ state, place }) =>
      attempt(async () => {
        const signal = interrupt();
        const since = keeper.place();
        keeper.goBack(place);
        store.set({ ...state, thinking: false, hint: null, error: null, gone: false });
        ticking.run("same");
        await Promise.all([since === place ? null : keeper.forget(since), keep(), answer(signal)]);
      }),
    /** @param {string} square */
    async play(square) {
      if (store.get().viewed !== null) return;
      await turn(() => {
        const state = store.get();
        if (!isPersonsTurn(state) || !position(state)?.legal.some((move) => move.move === square)) return null;
        return reach([...moves(), square], "new", { undone: [] });
      });
    },
    /** Takes back a resignation, or else a person's turn, with what the clocks showed then. */
    undo: () =>
      turn(() => {
        const state = store.get();
        if (!canUndo(state)) return null;
        const all = moves();
        const resigned = state.loser !== null && !state.timeout;
        const kept = resigned ? all.length : (lastTurnOfPerson(state) ?? all.length);
        const patch = { undone: [...all.slice(kept), ...state.undone], loser: null, timeout: false };
        return reach(all.slice(0, kept), resigned ? "same" : "known", patch);
      }),
    /** One turn: to the next place where a person is to move, or to the end. */
    redo: () => turn(() => (store.get().undone.length === 0 ? null : redo())),
    hint: () =>
      act(async () => {
        if (!isPersonsTurn(store.get())) return;
        const signal = interrupt();
        const game = text(moves());
        const now = position(store.get());
        const chosen = await chooseMove(game, ADVISER, 0, signal);
        if (signal.aborted || now === null) return;
        store.set({ hint: chosen.move });
        const reason = await reasonFor(game, now, chosen);
        if (!signal.aborted) store.set({ reason });
      }),
    resign: () =>
      act(async () => {
        const state = store.get();
        const now = position(state);
        if (now === null || isOver(state)) return;
        // Against a program it is always the person who resigns.
        const side = state[now.side] === HUMAN ? now.side : now.side === "black" ? "white" : "black";
        interrupt();
        store.set({ loser: side });
        ticking.run("same");
        await keep();
      }),
    /** Tries again after a failure. */
    retry: () => attempt(() => go(moves(), "same")),
  };
}
