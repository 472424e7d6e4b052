// @ts-check
// What must not be missed: a notice stays until it has been read.

import { button, keyed, make, setText } from "./dom.js";
import { createStore } from "./store.js";

/** @typedef {import("./faults.js").Told} Told */

/** @type {import("./store.js").Store<{ open: readonly Told[] }>} */
const notices = createStore({ open: /** @type {readonly Told[]} */ ([]) });
/** Codes that this page has told: once is enough. @type {Set<string>} */
const told = new Set();

/** @param {Told} notice */
export function notify(notice) {
  if (told.has(notice.code)) return;
  told.add(notice.code);
  notices.set({ open: [...notices.get().open, notice] });
}

/** @param {import("./speech.js").Speech} speech */
export function createNotices(speech) {
  const element = make("div", { class: "notices", role: "status" });

  /** @param {Told} notice */
  function create(notice) {
    const close = button("notice-close", () => notices.set({ open: notices.get().open.filter((one) => one !== notice) }), "close");
    close.append("×");
    return make("div", { class: "notice card", "data-code": notice.code }, make("span"), close);
  }
  function show() {
    keyed(element, notices.get().open, ({ code }) => code, create, (node, notice) => {
      setText(node.children[0], speech.words("failed", { error: speech.fault(notice) }));
      node.children[1].setAttribute("aria-label", speech.words("dismiss"));
    });
  }
  speech.always(show);
  notices.subscribe(show);
  return element;
}
