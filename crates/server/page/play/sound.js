// @ts-check
// Quiet sounds, made here: a tick for a disc, a softer one for those that turn, a chord at the end.

import { prefers } from "../base/preferences.js";
import { HUMAN, isOver, shownPosition } from "./state.js";

/** @typedef {import("./state.js").Play} Play */

/** How loud the loudest is, of 1. */
const VOLUME = 0.12;
/** Turning discs that are heard one by one. */
const MOST_TURNS = 6;

/** Made with the first sound: browsers allow none before a click. @type {AudioContext | null} */
let context = null;

/**
 * A tone that dies away.
 * @param {number} pitch in hertz
 * @param {number} after seconds from now
 * @param {number} lasts seconds
 * @param {number} [volume] of the loudest
 */
function tone(pitch, after, lasts, volume = 1) {
  if (context === null) return;
  const at = context.currentTime + after;
  const [source, gain] = [context.createOscillator(), context.createGain()];
  source.type = "sine";
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(VOLUME * volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + lasts);
}

/** A disc is put, and so many turn. @param {number} turned */
function move(turned) {
  tone(320, 0, 0.09);
  for (let i = 0; i < Math.min(turned, MOST_TURNS); i++) tone(520 + 25 * i, 0.1 + 0.06 * i, 0.05, 0.35);
}

/** The end, bright or not. @param {boolean} isBright */
const end = (isBright) => [392, isBright ? 494 : 466, 587].forEach((pitch, i) => tone(pitch, 0.25 + 0.12 * i, 0.6, 0.6));

/** Whether a person has lost to a program. @param {Readonly<Play>} state */
function isSad(state) {
  const winner = state.loser === "black" ? "white" : state.loser === "white" ? "black" : state.game?.outcome?.winner;
  return (state.black === HUMAN) !== (state.white === HUMAN) && winner !== null && winner !== undefined && state[winner] !== HUMAN;
}

/** Lets a game be heard. @param {import("../base/store.js").Store<Play>} store */
export function createSounds(store) {
  store.subscribe((now, before) => {
    const isMove = now.game !== null && before.game !== null && now.game.moves.length === before.game.moves.length + 1 && now.id === before.id;
    const isEnd = isOver(now) && !isOver(before) && before.game !== null;
    if ((!isMove && !isEnd) || !prefers("sounds") || document.hidden) return;
    context ??= new AudioContext();
    if (isMove) {
      const made = now.game?.moves.at(-1);
      move(shownPosition(before)?.legal.find((one) => one.move === made)?.flips.length ?? 0);
    }
    if (isEnd) end(!isSad(now));
  });
}
