// @ts-check
// The clock of the game that is played: it runs for the side to move, and goes back with the turns that are taken back.

import { runFor, setTo } from "./clock.js";
import { HUMAN, isOver, position } from "./state.js";

/**
 * How a place of the game is come to: by a move that is made now, by going back or on to what is known, or not at all
 * since it is there already.
 * @typedef {"new" | "known" | "same"} Arrival
 */

/** @param {import("../base/store.js").Store<import("./state.js").Play>} store */
export function createTicking(store) {
  /** Lets the clock run for the side to move. @param {Arrival} how */
  function run(how) {
    const state = store.get();
    if (state.clock === null) return;
    const now = position(state);
    const made = state.game?.moves.length ?? 0;
    // It begins with the first move.
    const side = now === null || isOver(state) || made === 0 ? null : now.side;
    const before = how === "known" ? state.turns[made] : undefined;
    const clock = runFor(before ? setTo(state.clock, before) : state.clock, side, Date.now());
    const { black, white } = clock;
    const turns = how === "new" ? [...state.turns.slice(0, made), { black, white }] : state.turns;
    store.set({ clock, turns });
  }

  return {
    run,
    /** The clock as it stands now. */
    stopped() {
      const { clock } = store.get();
      return clock && runFor(clock, null, Date.now());
    },
    /** The clock of a game that was left: it has run on for a person, not for a program, which was not asked. */
    goOn() {
      const state = store.get();
      const { clock } = state;
      if (clock === null || clock.running === null) return;
      if (clock.running !== position(state)?.side) run("known");
      else if (state[clock.running] !== HUMAN) store.set({ clock: { ...clock, since: Date.now() } });
    },
  };
}
