// @ts-check
// The evaluation bar beside the board: how far Black leads, as the share of its height.

import { make, setText } from "../base/dom.js";
import { isAsking } from "./guess.js";
import { signed } from "./scores.js";
import { here } from "./state.js";

/** A lead in discs that fills three quarters of the way. */
const FAR = 16;

/**
 * Black's lead, if it is known: that of the best move, or of the end.
 * @param {Readonly<import("./model.js").Analysis>} state
 */
function leadOf({ scored, variant, ...state }) {
  const now = here({ scored, variant, ...state });
  if (now?.outcome) return now.outcome.winner === null ? 0 : now.outcome.winner === "black" ? now.outcome.margin : -now.outcome.margin;
  const best = scored[0]?.score;
  return now === null || best === null || best === undefined ? null : now.side === "black" ? best : -best;
}

/**
 * @param {import("../base/store.js").Store<import("./model.js").Analysis>} store
 * @param {import("../base/speech.js").Speech} speech
 */
export function createBar(store, speech) {
  const black = make("div", { class: "black" });
  const figure = make("span", { class: "number" });
  const element = make("div", { class: "bar", role: "img" }, black, figure);
  /** The last lead that was known: the bar waits for the next one. */
  let last = 0;

  function show() {
    const state = store.get();
    const known = isAsking(state) || state.editing !== null ? null : (leadOf(state) ?? (state.isOn ? last : null));
    const lead = known ?? 0;
    last = lead;
    black.style.transform = `scaleY(${(0.5 + 0.5 * Math.tanh(lead / FAR)).toFixed(3)})`;
    setText(figure, known !== null ? Math.abs(lead).toFixed(Math.abs(lead) < 10 ? 1 : 0) : "");
    figure.classList.toggle("ahead", lead >= 0);
    element.setAttribute("aria-label", known !== null ? speech.words("blackLead", { lead: signed(lead, false) }) : speech.words("scoresHidden"));
  }
  speech.always(show);
  store.subscribe((now, before) => {
    const fields = /** @type {const} */ (["scored", "at", "tree", "isHidden", "lesson", "editing", "isOn"]);
    if (fields.some((field) => now[field] !== before[field])) show();
  });
  return element;
}
