// @ts-check
// Which game is analysed, and the switch to the other one: the same moves under its rules.

import { make } from "../base/dom.js";

const GAMES = /** @type {const} */ (["reversed", "reversi"]);

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createVariantSwitch(analysis, speech) {
  const { store } = analysis;
  const buttons = GAMES.map((variant) => {
    const made = make("button", { type: "button", "data-variant": variant });
    made.addEventListener("click", () => variant === store.get().variant || analysis.setVariant(variant));
    speech.always(() => {
      made.textContent = speech.words(`${variant}Short`);
      made.title = speech.words(variant);
    });
    return made;
  });
  const element = speech.named(make("div", { class: "tabs variant", role: "group" }, ...buttons), "variant");
  function show() {
    const { variant, editing } = store.get();
    for (const made of buttons) made.setAttribute("aria-pressed", String(made.dataset.variant === variant));
    // A set-up chooses its own game.
    element.hidden = editing !== null;
  }
  store.subscribe((now, before) => (now.variant !== before.variant || now.editing !== before.editing) && show());
  show();
  return element;
}
