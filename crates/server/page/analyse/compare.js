// @ts-check
// Two players side by side on the position that is shown: what each would play, and what each makes of it.

import { asFault, chooseMove, explain, players } from "../base/client.js";
import { fill, make, setText } from "../base/dom.js";
import { LEVELS } from "../play/levels.js";
import { playerName } from "../play/choice.js";
import { signed } from "./scores.js";
import { here } from "./state.js";
import { movesOf, wayTo } from "./tree.js";

/** Who is compared at first. */
const FIRST = ["turncoat:level=5", "turncoat:level=12"];

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createCompare({ store }, speech) {
  const { words } = speech;
  /** @type {import("../../types/api").PlayerView[]} */
  let all = [];
  let asked = 0;
  const rows = FIRST.map((first) => {
    const who = speech.named(make("select", { name: "compared" }), "comparedPlayer");
    const said = make("p", { role: "status" });
    who.addEventListener("change", look);
    return { first, who, said };
  });
  const element = make("details", { class: "card explanation compare" }, speech.says(make("summary"), "compare"), ...rows.flatMap(({ who, said }) => [who, said]));

  function list() {
    const { variant, size } = store.get();
    const levels = Array.from({ length: LEVELS }, (_, i) => `turncoat:level=${i + 1}`);
    const others = all.filter((one) => one.name !== "turncoat" && one.variants.includes(variant) && one.sizes.includes(size));
    const names = [...levels, ...others.map(({ name, analyses }) => (analyses ? `${name}:level=8` : name))];
    for (const { who, first } of rows) {
      fill(who, names.map((name) => [name, playerName(name, speech).replace("Turncoat · ", "")]), names.includes(who.value) ? who.value : first);
    }
  }

  /** Asks both, if anybody wants to know. */
  async function look() {
    const mine = ++asked;
    const { variant, size, start, tree, at } = store.get();
    const now = here(store.get());
    if (!element.open || tree === null || now === null) return;
    const game = { variant, size, start, moves: movesOf(tree, wayTo(tree, at)).join("") };
    for (const { said } of rows) setText(said, now.over ? words("isOver") : "…");
    for (const { who, said } of now.over ? [] : rows) {
      try {
        const { move, score, exact } = await chooseMove(game, who.value, 1);
        const seen = await explain(game, who.value.split(":")[0]).catch(() => null);
        await store.released();
        if (mine !== asked) return;
        const values = { move, score: score === null ? "–" : signed(score, exact), value: seen === null ? "–" : signed(seen.value, false) };
        setText(said, words("compared", values));
      } catch (error) {
        await store.released();
        if (mine === asked) setText(said, words("failed", { error: speech.fault(asFault(error)) }));
      }
    }
  }

  element.addEventListener("toggle", look);
  players().then((found) => ((all = found), store.released().then(list)), () => {});
  speech.always(list);
  store.subscribe((now, before) => {
    if (now.variant !== before.variant || now.size !== before.size) list();
    if (now.tree !== before.tree || now.at !== before.at || now.variant !== before.variant) look();
  });
  return element;
}
