// @ts-check
// Discs in motion: one that comes, and one that turns over, the farther from the move the later.

import { mayMove } from "../base/dom.js";

const TURN = 380;
const LATER = 70;

/** @param {SVGElement} disc */
export function appear(disc) {
  if (!mayMove()) return;
  disc.animate([{ transform: "scale(0.4)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], {
    duration: 170,
    easing: "cubic-bezier(.2, 1.4, .5, 1)",
  });
}

/**
 * Turns a disc over: it gets narrow with its old face and wide with its new one.
 * @param {SVGElement} disc
 * @param {string} before
 * @param {number} distance
 */
export function turn(disc, before, distance) {
  if (!mayMove()) return;
  const timing = { duration: TURN, delay: distance * LATER, fill: /** @type {const} */ ("backwards") };
  disc.animate(
    [
      { transform: "scale(1, 1)", easing: "ease-in" },
      { transform: "scale(0.02, 1.06)", easing: "ease-out" },
      { transform: "scale(1, 1)" },
    ],
    timing,
  );
  const face = /** @type {SVGElement} */ (disc.querySelector(".face"));
  const old = `var(--${before})`;
  const now = `var(--${before === "black" ? "white" : "black"})`;
  face.animate(
    [
      { fill: old, offset: 0 },
      { fill: old, offset: 0.5 },
      { fill: now, offset: 0.501 },
      { fill: now, offset: 1 },
    ],
    timing,
  );
}
