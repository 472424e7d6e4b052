// @ts-check
// The view of the lab: the runs of the server's folder, and one of them in full.

import { make, setText } from "../base/dom.js";
import { createList } from "./list.js";
import { addressOf, createLab } from "./model.js";
import { createRun } from "./run.js";

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 */
export function createLabView(state, speech) {
  const { says, words } = speech;
  const list = createList(speech);
  const run = createRun(speech);
  const status = make("p", { class: "quiet", role: "status" });
  const all = make("section", {}, says(make("h2"), "lab-runs"), says(make("p", { class: "lead-in" }), "lab-about"), list.element);
  const back = says(make("a", { href: addressOf(null) }), "lab-all");
  const element = make("section", { class: "lab" }, all, back, run.element, status);
  const store = createLab(state);

  function show() {
    const { runs, chosen, details, error } = store.get();
    all.hidden = chosen !== null;
    back.hidden = chosen === null;
    list.element.hidden = !runs || runs.length === 0;
    if (runs && chosen === null) list.show(runs);
    run.element.hidden = details === null;
    if (details) run.show(details);
    const isWaiting = chosen === null ? runs === null : details === null;
    const told = error !== null ? words("failed", { error: speech.fault(error) }) : isWaiting ? words("lab-reading") : "";
    setText(status, told || (chosen === null && runs?.length === 0 ? words("lab-none") : ""));
    status.classList.toggle("fault", error !== null);
  }
  speech.always(show);
  store.subscribe(show);
  return element;
}
