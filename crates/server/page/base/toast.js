// @ts-check
// A short message at the foot of the page, with a button that undoes what it reports.

import { button, make } from "./dom.js";

/** How long a toast stays, in milliseconds. A pointer or the focus on it keeps it longer. */
const STAYS = 10_000;

/** @typedef {ReturnType<typeof createToast>} Toast */

/** @param {import("./speech.js").Speech} speech */
export function createToast(speech) {
  /** @type {(() => void) | null} */
  let undo = null;
  /** @type {(() => void) | null} */
  let redo = null;
  /** @type {() => string} */
  let message = () => "";
  let timer = 0;

  const text = make("span", { role: "status" });
  const undoButton = speech.says(button("toast-undo", () => (hide(), undo?.())), "undoThis");
  const redoButton = speech.says(button("toast-redo", () => (hide(), redo?.())), "redo");
  const close = speech.named(button("toast-close", hide, "close"), "dismiss");
  close.append("×");
  const element = make("div", { class: "toast card" }, text, undoButton, redoButton, close);
  element.hidden = true;

  function hide() {
    clearTimeout(timer);
    element.hidden = true;
  }
  function hideLater() {
    clearTimeout(timer);
    timer = setTimeout(() => (element.matches(":hover, :focus-within") ? hideLater() : hide()), STAYS);
  }
  speech.always(() => {
    text.textContent = message();
  });

  /** @param {() => string} say */
  function show(say) {
    message = say;
    text.textContent = message();
    element.hidden = false;
    hideLater();
  }

  return {
    element,
    hide,
    /** Says something that cannot be undone, in the language of the moment. @param {() => string} say */
    tell(say) {
      undoButton.hidden = redoButton.hidden = true;
      show(say);
    },
    /**
     * Reports what was done, and offers to undo it.
     * @param {import("./speech.js").Phrase} phrase
     * @param {(() => void) | null} takeBack
     * @param {(() => void) | null} [doAgain] offered beside it
     */
    offerUndo(phrase, takeBack, doAgain = null) {
      [undo, redo] = [takeBack, doAgain];
      // It keeps its place: one click too many must not meet the other button.
      undoButton.hidden = false;
      undoButton.toggleAttribute("disabled", undo === null);
      redoButton.hidden = redo === null;
      show(() => speech.words(phrase));
    },
  };
}
