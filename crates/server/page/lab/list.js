// @ts-check
// The runs in a table.

import { keyed, make, setText } from "../base/dom.js";
import { brief } from "./curves.js";
import { addressOf } from "./model.js";

/** @typedef {import("../../types/api").RunView} RunView */

/** What a table has of a run, each with the phrase of its column. */
const COLUMNS = /** @type {const} */ (["run", "runState", "generation", "best", "mean", "seconds"]);

/** @param {number | null} value */
const figure = (value) => (value === null ? "–" : brief(value));

/** @param {import("../base/speech.js").Speech} speech */
export function createList(speech) {
  const { words } = speech;
  const body = make("tbody");
  const head = COLUMNS.map((column) => speech.says(make("th", { scope: "col" }), `lab-${column}`));
  const element = make("div", { class: "card scroll" }, make("table", { class: "runs" }, make("thead", {}, make("tr", {}, ...head)), body));

  /** @param {RunView} run */
  function row({ name }) {
    const link = make("a", { href: addressOf(name) }, name);
    return make("tr", { "data-run": name }, make("th", { scope: "row" }, link, make("small")), ...COLUMNS.slice(1).map((column) => make("td", { class: column })));
  }

  /** @param {HTMLTableRowElement} node @param {RunView} run */
  function update(node, run) {
    const [name, ...cells] = [...node.children];
    setText(/** @type {Element} */ (name.lastElementChild), run.fault ?? run.title);
    node.dataset.state = run.state;
    const isRead = run.state !== "damaged";
    const values = isRead ? [`${run.generation} / ${run.generations}`, run.kind === "loop" && run.best !== null ? `${brief(run.best)} Elo` : figure(run.best), figure(run.mean), brief(run.seconds)] : ["–", "–", "–", "–"];
    [words(`state-${run.state}`), ...values].forEach((text, index) => setText(cells[index], text));
  }

  return {
    element,
    /** @param {RunView[]} runs */
    show: (runs) => keyed(body, runs, ({ name }) => name, row, update),
  };
}
