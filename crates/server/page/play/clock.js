// @ts-check
// The clock of a game: what each side has left, and how it is written. It runs for the side to move.

/**
 * @typedef {import("../../types/api").Side} Side
 * @typedef {{ black: number, white: number }} Times What each side has left.
 * @typedef {Times & { control: string, running: Side | null, since: number }} Clock
 */

/** The choices: none, or minutes and seconds that each move adds. */
export const CONTROLS = ["none", "1+0", "3+2", "5+0", "10+5", "30+0"];
/** The most of both that one may choose instead. */
export const LONGEST = { minutes: 180, seconds: 180 };

/** A clock that stands. @param {string} control @returns {Clock | null} */
export function newClock(control) {
  const parts = /^(\d+)\+(\d+)$/.exec(control);
  if (parts === null) return null;
  const time = Number(parts[1]) * 60_000;
  return { control, black: time, white: time, running: null, since: 0 };
}

/** What is left to a side. @param {Clock} clock @param {Side} side @param {number} now */
export const left = (clock, side, now) =>
  Math.max(0, clock[side] - (clock.running === side ? now - clock.since : 0));

/**
 * The clock once it runs for another side or for none. The side that has moved gets the increment.
 * @param {Clock} clock
 * @param {Side | null} side
 * @param {number} now
 * @returns {Clock}
 */
export function runFor(clock, side, now) {
  const { running } = clock;
  if (running === side) return clock;
  const next = { ...clock, running: side, since: now };
  if (running !== null) {
    const added = side === null ? 0 : Number(clock.control.split("+")[1]) * 1000;
    next[running] = left(clock, running, now) + added;
  }
  return next;
}

/** The clock set to what it was, standing. @param {Clock} clock @param {Times} times @returns {Clock} */
export const setTo = (clock, { black, white }) => ({ ...clock, black, white, running: null });

/** As in 4:05; with tenths in the last seconds. @param {number} time */
export function written(time) {
  if (time < 10_000) return `0:0${(Math.floor(time / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
