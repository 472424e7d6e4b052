// @ts-check
// The game as a graph, and its mistakes in words: how much each lost, what was better, and why.

import { keyed, make, setText } from "../base/dom.js";
import { sentences } from "../base/words.js";
import { createAccuracy } from "./accuracy.js";
import { createGraph } from "./graph.js";
import { showMark } from "./moves.js";
import { reasons, squaresOf } from "./reasons.js";
import { discs, signed } from "./scores.js";
import { keyOf, lineThrough, numberOf } from "./tree.js";

/**
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {import("../base/speech.js").Phrase} Phrase
 * @typedef {{ judged: ReviewedMove, place: number, number: number }} Mistake
 */

/** @type {Record<string, Phrase>} */
const NAMES = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 * @param {HTMLElement} lesson begins one
 * @param {Element} board
 */
export function createMistakes(analysis, speech, lesson, board) {
  const { store } = analysis;
  const { words } = speech;
  const graph = createGraph({ onGo: analysis.go });
  const accuracy = createAccuracy(speech);
  const summary = make("p", { class: "quiet summary" });
  const list = make("ol", { class: "mistakes" });
  list.addEventListener("click", ({ target }) => {
    const to = /** @type {Element} */ (target).closest(".to");
    if (!(to instanceof HTMLElement)) return;
    chosen = Number(to.dataset.place);
    show();
    analysis.go(placeBefore(chosen));
    // On a narrow screen the board is far above.
    const { top, bottom } = board.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    if (middle < 0 || middle > innerHeight) board.scrollIntoView({ block: "nearest", behavior: "instant" });
  });
  /** The mistake that was chosen last, as long as the position before it is looked at. */
  let chosen = -1;
  /** The place before a move. @param {number} place */
  const placeBefore = (place) => store.get().tree?.[place]?.parent ?? place;
  /** The mistake that was brought into sight last. @type {string | undefined} */
  let scrolledTo;

  /** Black's lead that a judged move says. @param {ReviewedMove} judged @param {"score" | "best_score"} which */
  const lead = (judged, which) => (judged.side === "black" ? 1 : -1) * judged[which];

  const createMistake = () =>
    make(
      "li",
      {},
      make("button", { type: "button", class: "to" }, make("span", { "aria-hidden": "true" }), make("span"), make("span"), make("span", { class: "lost" })),
    );

  /** The one whose reasons are told: of two around one position the chosen one, or else that which led to it. @param {Mistake[]} faults */
  function opened(faults) {
    const { at } = store.get();
    const around = faults.map(({ place }) => place).filter((place) => place === at || placeBefore(place) === at);
    return around.find((place) => place === chosen) ?? around[0];
  }

  /** @param {HTMLLIElement} item @param {Mistake} mistake @param {boolean} isOpen */
  function updateMistake(item, { judged, place, number }, isOpen) {
    const go = /** @type {HTMLElement} */ (item.firstElementChild);
    const [bead, name, mark, lost] = go.children;
    item.dataset.ply = String(judged.ply);
    go.dataset.place = String(place);
    bead.className = `bead ${judged.side}`;
    setText(name, `${number}. ${judged.move}`);
    showMark(mark, judged.mark);
    setText(lost, words(NAMES[judged.mark], { lost: discs(judged.lost, judged.exact) }));
    if (!isOpen) item.children[1]?.remove();
    else explain(item.children[1] ?? item.appendChild(make("div", { class: "why" })), judged);
  }

  /** @param {Element} element @param {ReviewedMove} judged */
  function explain(element, judged) {
    const { best, best_score: score, exact, line, refutation, move } = judged;
    const said = [
      words("better", { best, score: signed(score, exact), line: squaresOf(line, 6).join(" ") }),
      sentences(reasons(judged, store.get().variant, speech)),
      words("expected", { move, line: squaresOf(refutation, 6).slice(1).join(" ") }),
    ];
    keyed(element, said, (_, i) => String(i), () => make("p"), setText);
    element.lastElementChild?.classList.add("quiet");
  }

  function show() {
    const { tree, at, judged, judging, isHidden, editing } = store.get();
    if (tree === null) return;
    const line = lineThrough(tree, at);
    const known = line.map((place) => judged[keyOf(tree, place)] ?? null);
    const points = line.map((place, ply) => {
      const own = known[ply];
      const next = known[ply + 1];
      // What the best move scores is what the position before it is worth.
      const value = own ? lead(own, "score") : next ? lead(next, "best_score") : null;
      const label = own ? `${numberOf(tree, place)}. ${own.move} ${own.mark} −${discs(own.lost, own.exact)}` : "";
      return { ply, place, lead: value, mark: own?.mark ?? "", label };
    });
    /** @type {Mistake[]} */
    const faults = [];
    const lost = { black: 0, white: 0 };
    for (const [ply, one] of known.entries()) {
      if (one === null) continue;
      lost[one.side] += one.lost;
      if (one.mark) faults.push({ judged: one, place: line[ply], number: numberOf(tree, line[ply]) });
    }
    element.hidden = line.length < 2 || isHidden || editing !== null;
    graph.show(points, line.indexOf(at), words("graph", { moves: numberOf(tree, line[line.length - 1]), faults: faults.length }));
    const made = known.flatMap((one, ply) => (one === null ? [] : [{ judged: one, choices: tree[line[ply - 1]]?.position.legal.length ?? 0 }]));
    accuracy.show(made, store.get().size);
    const depths = known.flatMap((one) => (one && !one.exact ? [one.depth] : []));
    const all = words("discsLost", { black: lost.black.toFixed(1), white: lost.white.toFixed(1) });
    setText(summary, sentences([all, judging && depths.length > 0 ? words("looksTo", { depth: Math.min(...depths) }) : ""]));
    const open = opened(faults);
    keyed(list, faults, ({ place }) => String(place), createMistake, (item, one) => updateMistake(item, one, one.place === open));
  }
  const element = make(
    "div",
    { class: "card game" },
    speech.says(make("h2"), "theGame"),
    graph.element,
    accuracy.element,
    summary,
    lesson,
    list,
  );
  speech.always(show);
  store.subscribe((now, before) => {
    const fields = /** @type {const} */ (["tree", "at", "judged", "judging", "isHidden", "editing"]);
    if (fields.every((field) => now[field] === before[field])) return;
    if (now.at !== before.at && now.tree?.[chosen]?.parent !== now.at) chosen = -1;
    show();
    const open = /** @type {HTMLElement | null} */ (list.querySelector(".why")?.parentElement ?? null);
    if (open !== null && open.dataset.ply !== scrolledTo) list.scrollTop = open.offsetTop;
    scrolledTo = open?.dataset.ply;
  });
  return element;
}
