// @ts-check
// What a player sees in the position that is shown: its evaluation, feature by feature.

import { asFault, explain, players } from "../base/client.js";
import { fill, make, setText } from "../base/dom.js";
import { signed } from "./scores.js";
import { movesOf, wayTo } from "./tree.js";

/** @import { ExplanationView, FeatureView, PlayerView } from "../../types/api" */

/** A number without digits that mean nothing. @param {number} value */
const number = (value) => String(Number(value.toFixed(2))).replace("-", "−");

/** Whether a player plays the game that is analysed. @param {PlayerView} player @param {{ variant: string, size: number }} game */
const fits = ({ variants, sizes }, { variant, size }) => variants.includes(variant) && sizes.includes(size);

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createExplanation({ store, setAnalyst }, speech) {
  const { says, words } = speech;
  const who = speech.named(make("select", { name: "explains" }), "explainer");
  const analyst = speech.named(make("select", { name: "analyst" }), "analyst");
  const rows = make("tbody");
  const head = /** @type {const} */ (["feature", "featureValue", "featureWeight", "featureProduct"]);
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name) => says(make("th", { scope: "col" }), name)))), rows);
  const status = make("p", { class: "quiet", role: "status" });
  const element = make("details", { class: "card explanation" }, says(make("summary"), "explanation"), who, status, table);
  /** @type {PlayerView[]} */
  let all = [];
  let asked = 0;

  /** Features of one name together, as those of patterns are. @param {FeatureView[]} features */
  function grouped(features) {
    /** @type {FeatureView[][]} */
    const groups = [];
    for (const feature of features) {
      const last = groups[groups.length - 1];
      if (last && last[0].name === feature.name && feature.detail !== undefined) last.push(feature);
      else groups.push([feature]);
    }
    return groups;
  }

  /** What a player calls something: other languages have words for some of it. @param {string} name */
  const called = (name) => words(/** @type {import("../base/speech.js").Phrase} */ (`sees ${name}`)).replace(/^sees /, "");
  /** @param {string | null} [detail] */
  const told = (detail) => called(detail ?? "").replace(/^(\d+) against (\d+)$/, (_, own, other) => words("against", { own, other }));

  /** @param {FeatureView[]} group */
  function row(group) {
    const [{ name, value, weight, detail }] = group;
    const product = group.reduce((sum, feature) => sum + feature.product, 0);
    const seen = group.length > 1 ? group.map((one) => `${one.detail} ${signed(one.product, false)}`).join(", ") : told(detail);
    const cells = detail === undefined ? [number(value), number(weight)] : ["", ""];
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, called(name), make("small", {}, seen)),
      ...[...cells, number(product)].map((text) => make("td", {}, text)),
    );
  }

  /** @param {ExplanationView} found */
  function draw({ value, features }) {
    const total = make("tr", { class: "total" }, make("th", { scope: "row" }, words("featureTotal")), make("td"), make("td"), make("td", {}, number(value)));
    rows.replaceChildren(...grouped(features).map(row), total);
  }

  /** Asks what the chosen player sees, if anybody wants to know. */
  async function look() {
    const mine = ++asked;
    const { variant, size, start, tree, at } = store.get();
    if (!element.open || tree === null || who.value === "") return;
    try {
      const moves = movesOf(tree, wayTo(tree, at)).join("");
      const found = await explain({ variant, size, start, moves }, who.value);
      await store.released();
      if (mine !== asked) return;
      draw(found);
      setText(status, words("explained", { side: words(tree[at].position.side) }));
    } catch (error) {
      await store.released();
      if (mine !== asked) return;
      rows.replaceChildren();
      setText(status, words("failed", { error: speech.fault(asFault(error)) }));
    }
    table.hidden = rows.children.length === 0;
  }

  /** Lists who can explain and analyse the game that is shown. */
  function list() {
    const own = all.filter((player) => fits(player, store.get()));
    const [explains, analyses] = [own.filter((player) => player.explains), own.filter((player) => player.analyses)];
    /** @param {PlayerView[]} some @param {string} chosen */
    const offer = (some, chosen) => (some.some(({ name }) => name === chosen) ? chosen : "turncoat");
    fill(who, explains.map(({ name }) => [name, name]), offer(explains, who.value));
    fill(analyst, analyses.map(({ name }) => [name, name]), offer(analyses, store.get().analyst));
    analyst.hidden = analyses.length < 2;
    if (all.length > 0 && analyst.value !== store.get().analyst) setAnalyst(analyst.value);
  }

  who.addEventListener("change", look);
  analyst.addEventListener("change", () => setAnalyst(analyst.value));
  element.addEventListener("toggle", look);
  players().then(async (found) => {
    await store.released();
    all = found;
    list();
    look();
  }, () => {});
  store.subscribe((now, before) => {
    if (now.variant !== before.variant || now.size !== before.size) list();
    if (now.tree !== before.tree || now.at !== before.at || now.variant !== before.variant) look();
  });
  speech.always(look);
  return { element, analyst };
}
