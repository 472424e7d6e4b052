// @ts-check
// The game as a graph, and its mistakes in words: how much each lost, what was better, and why.

import { make } from "../base/dom.js";
import { createGraph } from "./graph.js";
import { keyOf } from "./model.js";
import { reasons, squaresOf } from "./reasons.js";
import { signed } from "./scores.js";
import { lineThrough } from "./tree.js";

/**
 * @typedef {import("../base/client.js").Judged} Judged
 * @typedef {import("../base/speech.js").Phrase} Phrase
 */

/** @type {Record<string, Phrase>} */
const NAMES = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/**
 * @param {ReturnType<typeof import("./model.js").createAnalysis>} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createMistakes(analysis, speech) {
  const { store } = analysis;
  const { words } = speech;
  const graph = createGraph({ onGo: analysis.go });
  const summary = make("p", { class: "quiet summary" });
  const list = make("ol", { class: "mistakes" });
  /** The mistake that was brought into sight last. @type {string | undefined} */
  let scrolledTo;

  /** Black's lead that a judged move says. @param {Judged} judged @param {"score" | "best_score"} which */
  const lead = (judged, which) => (judged.side === "black" ? 1 : -1) * judged[which];

  /** @param {Judged} judged @param {number} place */
  function mistakeOf(judged, place) {
    const { variant, at, tree } = store.get();
    const go = make(
      "button",
      { type: "button", class: "to" },
      make("span", { class: `bead ${judged.side}`, "aria-hidden": "true" }),
      `${judged.ply}. ${judged.move} `,
      make("span", { class: `mark m${judged.mark === "?!" ? 0 : judged.mark.length}` }, judged.mark),
      make("span", { class: "lost" }, words(NAMES[judged.mark], { lost: judged.lost.toFixed(1) })),
    );
    go.addEventListener("click", () => analysis.go(tree?.[place].parent ?? place));
    const item = make("li", { "data-ply": String(judged.ply) }, go);
    if (place === at || tree?.[place].parent === at) item.append(explained(judged, variant));
    return item;
  }

  /** @param {Judged} judged @param {string} variant */
  function explained(judged, variant) {
    const { best, best_score: score, exact, line, refutation, move } = judged;
    return make(
      "div",
      { class: "why" },
      make("p", {}, words("better", { best, score: signed(score, exact), line: squaresOf(line, 6).join(" ") })),
      make("p", {}, reasons(judged, variant, speech).join(" ")),
      make("p", { class: "quiet" }, words("expected", { move, line: squaresOf(refutation, 6).slice(1).join(" ") })),
    );
  }

  function show() {
    const { tree, at, judged, judging } = store.get();
    if (tree === null) return;
    const line = lineThrough(tree, at);
    const known = line.map((place) => judged[keyOf(tree, place)] ?? null);
    const points = line.map((place, ply) => {
      const own = known[ply];
      const next = known[ply + 1];
      // What the best move scores is what the position before it is worth.
      const value = own ? lead(own, "score") : next ? lead(next, "best_score") : null;
      const label = own ? `${ply}. ${own.move} ${own.mark} −${own.lost.toFixed(1)}` : "";
      return { ply, place, lead: value, mark: own?.mark ?? "", exact: own?.exact ?? false, label };
    });
    const faults = line.flatMap((place, ply) => (known[ply]?.mark ? [[place, /** @type {Judged} */ (known[ply])]] : []));
    const lost = { black: 0, white: 0 };
    for (const one of known) if (one) lost[one.side] += one.lost;
    const count = known.filter((one) => one !== null).length;
    element.hidden = line.length < 2;
    graph.show(points, line.indexOf(at), words("graph", { moves: line.length - 1, faults: faults.length }));
    const depths = known.flatMap((one) => (one && !one.exact ? [one.depth] : []));
    summary.textContent =
      words("discsLost", { black: lost.black.toFixed(1), white: lost.white.toFixed(1) }) +
      (judging && count > 0 && depths.length > 0 ? ` ${words("looksTo", { depth: Math.min(...depths) })}` : "");
    list.replaceChildren(...faults.map(([place, one]) => mistakeOf(/** @type {Judged} */ (one), Number(place))));
  }
  const element = make(
    "div",
    { class: "card game" },
    speech.says(make("h2"), "theGame"),
    graph.element,
    summary,
    list,
  );
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.tree === before.tree && now.at === before.at && now.judged === before.judged && now.judging === before.judging) return;
    show();
    const open = /** @type {HTMLElement | null} */ (list.querySelector(".why")?.parentElement ?? null);
    if (open !== null && open.dataset.ply !== scrolledTo) list.scrollTop = open.offsetTop;
    scrolledTo = open?.dataset.ply;
  });
  return element;
}
