// @ts-check
// What the program thinks of the position: how deep it has looked, and the best lines, move by move to step through.

import { make } from "../base/dom.js";
import { squaresOf } from "./reasons.js";
import { signed } from "./scores.js";
import { here } from "./model.js";

/** Lines that are shown. */
const LINES = 3;
/** Moves of a line that are shown. */
const MOVES = 8;

/**
 * @param {ReturnType<typeof import("./model.js").createAnalysis>} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createEngine(analysis, speech) {
  const { store } = analysis;
  const { words } = speech;
  const depth = make("p", { class: "depth", role: "status" });
  const lines = make("ol", { class: "lines" });

  /** @param {import("../base/client.js").Chosen} thought */
  function lineOf({ score, exact, line }) {
    const moves = squaresOf(line, MOVES);
    const chips = moves.map((move, i) => {
      const chip = make("button", { type: "button", class: "chip" }, move);
      chip.addEventListener("click", () => analysis.add(moves.slice(0, i + 1)));
      return chip;
    });
    const value = make("span", { class: exact ? "value exact" : "value" }, (exact ? "=" : "") + signed(score ?? 0, exact));
    return make("li", {}, value, make("span", { class: "chips" }, ...chips));
  }

  function show() {
    const { thoughts, depth: plies, done } = store.get();
    const now = here(store.get());
    if (now === null) return;
    if (now.over) depth.textContent = words("isOver");
    else if (now.pass) depth.textContent = words("mustPass", { side: words(now.side), other: words(now.side === "black" ? "white" : "black") });
    else if (thoughts.length > 0 && thoughts.every(({ exact }) => exact)) depth.textContent = words("proven");
    else depth.textContent = plies === 0 ? words("thinks") : words(done ? "lookedTo" : "looksTo", { depth: plies });
    depth.dataset.depth = String(plies);
    lines.replaceChildren(...thoughts.slice(0, LINES).map(lineOf));
  }
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.thoughts !== before.thoughts || now.done !== before.done || now.at !== before.at) show();
  });
  return make("div", { class: "card engine" }, make("div", { class: "head" }, speech.says(make("h2"), "bestLines"), depth), lines);
}
