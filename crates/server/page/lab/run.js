// @ts-check
// One run: how far it is, its curves, and the parameters of its best.

import { make, setText } from "../base/dom.js";
import { brief, drawCurves } from "./curves.js";
import { reportOf } from "./model.js";

/**
 * @import { GeneView, RunDetails, YardstickView } from "../../types/api"
 * @import { Point } from "./curves.js"
 */

/** What is done of a run, each with its phrase. */
const PROGRESS = /** @type {const} */ ({ genetic: "lab-progress", loop: "lab-rounds", report: "lab-parts" });
const FITNESS = /** @type {const} */ (["best", "mean", "worst"]);

/** @param {import("../base/speech.js").Speech} speech */
export function createRun(speech) {
  const { says, words } = speech;
  const [title, progress, fault] = [make("h2"), make("p", { class: "quiet progress" }), make("p", { class: "fault", lang: "en" })];
  const [fitness, rates, genes] = [make("div"), make("div"), make("div", { class: "genes" })];
  const parameters = make("pre", { tabindex: "0" });
  const keys = FITNESS.map((kind) => says(make("span", { class: `key ${kind}` }), `lab-${kind}`));
  const [wins, rivals, strength] = [make("p", { class: "keys" }), make("p", { class: "keys" }), make("div")];
  const report = says(make("a", { target: "_blank", rel: "noopener" }), "lab-report");
  /** @param {import("../base/speech.js").Phrase} name @param {HTMLElement[]} parts */
  const part = (name, ...parts) => make("article", { class: "card" }, says(make("h3"), name), ...parts);
  const won = part("lab-yardsticks", wins, rates);
  const parts = make(
    "div",
    { class: "charts" },
    part("lab-fitness", make("p", { class: "keys" }, ...keys), fitness),
    won,
    part("lab-genes", says(make("p", { class: "quiet" }), "lab-genesAbout"), genes),
    part("lab-parameters", says(make("p", { class: "quiet" }), "lab-parametersAbout"), parameters),
  );
  const elo = make("div", { class: "charts" }, part("lab-elo", rivals, strength));
  const element = make("section", { class: "run" }, title, progress, make("p", {}, report), fault, elo, parts);

  /** The run whose curves are drawn. @type {RunDetails | null} */
  let drawn = null;

  /** @param {GeneView} gene */
  function drawGene({ name, points }) {
    /** @param {1 | -1} sign @returns {Point[]} */
    const edge = (sign) => points.map(({ generation, mean, deviation }) => [generation, mean + sign * deviation]);
    /** @type {Point[]} */
    const best = points.map((point) => [point.generation, point.best]);
    const picture = drawCurves({ label: name, lines: [{ kind: "best", points: best }], band: { low: edge(-1), high: edge(1) }, height: 300 });
    return make("figure", {}, make("figcaption", {}, name), picture);
  }

  /**
   * A curve for each opponent, and which is whose.
   * @param {YardstickView[]} met @param {HTMLElement} keys @param {HTMLElement} place @param {{ label: string, percent?: boolean }} how
   */
  function drawMet(met, keys, place, how) {
    const kinds = met.map((_, index) => `yardstick-${index % 4}`);
    keys.replaceChildren(...met.map(({ player }, index) => make("span", { class: `key ${kinds[index]}` }, player)));
    place.replaceChildren(drawCurves({ ...how, lines: met.map(({ points }, index) => ({ kind: kinds[index], points })) }));
  }

  /** @param {RunDetails} run */
  function drawAll(run) {
    const lines = FITNESS.map((kind) => ({
      kind,
      points: run.fitness.map((point) => /** @type {Point} */ ([point.generation, point[kind]])),
    }));
    fitness.replaceChildren(drawCurves({ label: words("lab-fitness"), lines }));
    won.hidden = run.yardsticks.length === 0;
    drawMet(run.yardsticks, wins, rates, { label: words("lab-yardsticks"), percent: true });
    drawMet(run.elo, rivals, strength, { label: words("lab-elo") });
    genes.replaceChildren(...run.genes.map(drawGene));
    setText(parameters, run.parameters ?? "");
  }

  /** @param {RunDetails} run */
  function show(run) {
    setText(title, run.title || run.name);
    const { generation, generations, player } = run;
    const values = { name: run.name, player, state: words(`state-${run.state}`), generation, generations, seconds: brief(run.seconds) };
    setText(progress, run.state === "damaged" ? words("state-damaged") : words(PROGRESS[run.kind], values));
    report.hidden = !run.has_report;
    report.href = reportOf(run.name);
    fault.hidden = run.fault === null;
    setText(fault, run.fault ?? "");
    parts.hidden = run.fitness.length === 0;
    elo.hidden = run.elo.length === 0;
    if (run !== drawn) drawAll(run);
    drawn = run;
  }
  speech.always(() => drawn && drawAll(drawn));
  return { element, show };
}
