// @ts-check
// Keys and the wheel, as people know them from other boards, and the list of them.

import { button, make } from "./dom.js";

/**
 * @typedef {import("./state.js").ViewName} ViewName
 * @typedef {import("./store.js").Store<import("./state.js").Frame>} FrameStore
 */

/** Where keys belong to what has the focus. */
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog";
/** Keys that a square of the board, and those that a button takes for itself. */
const OF_SQUARES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", " ", "Enter"];
const OF_BUTTONS = [" ", "Enter"];

/**
 * Acts on keys while a view is shown.
 * @param {FrameStore} frame
 * @param {ViewName | null} view any view if none is named
 * @param {Record<string, () => void>} actions
 */
export function onKeys(frame, view, actions) {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const action = actions[key.length === 1 ? key.toLowerCase() : key];
    if (action === undefined || (view !== null && frame.get().view !== view)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || !(target instanceof Element)) return;
    if (target.closest(FIELDS) || (target.closest("[data-square]") && OF_SQUARES.includes(key))) return;
    if (target.closest("button, a, summary, input") && OF_BUTTONS.includes(key)) return;
    event.preventDefault();
    action();
  });
}

/** Puts away what is shown when Escape is pressed, except where that closes a dialog. @param {Element} shown @param {() => void} close */
export function onEscape(shown, close) {
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && shown.isConnected && !document.querySelector("dialog[open]")) close();
  });
}

/** Turns of the wheel, in pixels, that make a step. */
const NOTCH = 60;

/** Steps back and on with the wheel over an element. @param {Element} element @param {(by: -1 | 1) => void} step */
export function onWheel(element, step) {
  let turned = 0;
  element.addEventListener(
    "wheel",
    (event) => {
      const { deltaY, deltaMode, ctrlKey } = /** @type {WheelEvent} */ (event);
      if (ctrlKey || deltaY === 0) return;
      event.preventDefault();
      if (Math.sign(deltaY) !== Math.sign(turned)) turned = 0;
      turned += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : Math.sign(deltaY) * NOTCH;
      if (Math.abs(turned) < NOTCH) return;
      step(turned > 0 ? 1 : -1);
      turned = 0;
    },
    { passive: false },
  );
}

/** All shortcuts, as they are listed. */
const LISTED = /** @type {const} */ ([
  ["← →", "keySteps"],
  ["Home End", "keyEnds"],
  ["keyWheelName", "keyWheel"],
  ["f", "keyTurn"],
  ["Space", "keyBest"],
  ["l", "keyEngine"],
  ["h", "keyHide"],
  ["Ctrl+Z Ctrl+Y", "keyUndo"],
  ["Ctrl+V", "keyPaste"],
  ["Tab Enter", "keyBoard"],
  ["?", "keyHelp"],
]);

/** The list of shortcuts, which `?` opens. @param {import("./speech.js").Speech} speech @param {FrameStore} frame */
export function createHelp(speech, frame) {
  const rows = LISTED.map(([keys, phrase]) => {
    const name = make("th", { scope: "row" });
    if (keys === "keyWheelName") speech.says(name, keys);
    else name.append(...keys.split(" ").flatMap((key, i) => [i > 0 ? " " : "", make("kbd", {}, key)]));
    return make("tr", {}, name, speech.says(make("td"), phrase));
  });
  const close = speech.says(button("help-close", () => dialog.close(), "main"), "dismiss");
  const dialog = make("dialog", { class: "card help" }, speech.says(make("h2"), "keys"), make("table", {}, make("tbody", {}, ...rows)), close);
  speech.named(dialog, "keys");
  dialog.removeAttribute("title");
  onKeys(frame, null, { "?": () => dialog.showModal() });
  return dialog;
}
