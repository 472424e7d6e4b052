// @ts-check
// The view in which the games are learned: their rules with examples, and what the program has found out about them.

import { make } from "../base/dom.js";
import { createExamples } from "./examples.js";
import { createKnowledge } from "./knowledge.js";

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 */
export function createLearnView(state, speech) {
  const { says } = speech;
  /** @param {import("../base/speech.js").Phrase[]} row */
  const row = (...row) => make("tr", {}, says(make("th", { scope: "row" }), row[0]), says(make("td"), row[1]), says(make("td"), row[2]));
  const table = make(
    "table",
    { class: "card" },
    make("thead", {}, make("tr", {}, make("td"), says(make("th", { scope: "col" }), "reversedShort"), says(make("th", { scope: "col" }), "reversiShort"))),
    make("tbody", {}, row("ruleWins", "ruleFewest", "ruleMost"), row("ruleWiped", "ruleWipedWins", "ruleWipedLoses"), row("ruleEmpties", "ruleToWinner", "ruleToWinner")),
  );
  return make(
    "section",
    { class: "learn" },
    says(make("h2"), "rules"),
    says(make("p", { class: "lead-in" }), "rulesAbout"),
    createExamples(speech),
    table,
    createKnowledge(state, speech),
  );
}
