// @ts-check
// Learning from a game: its key moments, the costliest first, each asked before it is answered.

import { button, fill, make, setText } from "../base/dom.js";
import { sentences } from "../base/words.js";
import { reasons, squaresOf } from "./reasons.js";
import { discs, signed } from "./scores.js";
import { keyOf, lineThrough } from "./tree.js";

/**
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {{ moments: number[], now: number, tried: string, isAnswered: boolean, found: number }} Lesson
 *
 * `moments` are the places of the moves that were mistakes; `tried` is the last guess.
 */

/** Moments of a lesson, how deep a guess is looked at, and what it may lose to be right. */
const MOST = 8;
const DEEP = 8;
const RIGHT = 1;

/**
 * Whether the moments of a lesson are still what they were: another game has others, and where moves are deleted places change.
 * @param {Readonly<import("./state.js").Analysis>} now
 * @param {Readonly<import("./state.js").Analysis>} before
 * @param {Lesson} lesson
 */
function hasMoments(now, before, { moments }) {
  if (now.variant !== before.variant || now.size !== before.size || now.start !== before.start) return false;
  const [tree, old] = [now.tree, before.tree];
  if (tree === old || old === null) return true;
  return tree !== null && moments.every((place) => tree[place] !== undefined && keyOf(tree, place) === keyOf(old, place));
}

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createLesson(analysis, speech) {
  const { store } = analysis;
  const { words } = speech;
  const begin = speech.says(button("lesson", start), "lesson");
  /** Whose mistakes are asked about: a side's, or those of both. */
  const whose = speech.named(make("select", { name: "lesson-side" }), "lessonSide");
  whose.addEventListener("change", show);
  const beginning = make("div", { class: "actions" }, begin, whose);
  const text = make("p", { role: "status" });
  const answer = speech.says(button("lesson-answer", () => reveal(false)), "lessonAnswer");
  const back = speech.says(button("lesson-back", () => move(0)), "lessonBack");
  const next = speech.says(button("lesson-next", () => move(1), "main"), "lessonNext");
  const stop = speech.says(button("lesson-stop", () => store.set({ lesson: null })), "lessonStop");
  const element = make("div", { class: "lesson card", tabindex: "-1" }, text, make("div", { class: "actions" }, answer, back, next, stop));

  /** Whether the board shows the position that is asked about. */
  function isThere() {
    const { lesson, tree, at } = store.get();
    return lesson !== null && tree?.[lesson.moments[lesson.now]]?.parent === at;
  }

  /** The mistakes of the line that is looked at, the costliest first. */
  function mistakes() {
    const { tree, at, judged } = store.get();
    if (tree === null) return [];
    const isAsked = (/** @type {ReviewedMove | undefined} */ one) => one?.mark && (!whose.value || one.side === whose.value);
    const marked = lineThrough(tree, at).filter((place) => isAsked(judged[keyOf(tree, place)]));
    return marked.sort((one, other) => judged[keyOf(tree, other)].lost - judged[keyOf(tree, one)].lost).slice(0, MOST);
  }

  function start() {
    const moments = mistakes();
    if (moments.length === 0) return;
    if (!store.get().isOn) analysis.control({ isOn: true });
    store.set({ lesson: { moments, now: -1, tried: "", isAnswered: false, found: 0 } });
    move(1);
    // The question stands beside the board or below it; the button that was pressed, far down, is gone.
    scrollTo(0, 0);
    element.focus({ preventScroll: true });
  }

  /** @param {number} by */
  function move(by) {
    const { lesson, tree } = store.get();
    if (lesson === null || tree === null) return;
    const now = lesson.now + by;
    store.set({ lesson: { ...lesson, now, tried: "", isAnswered: false } });
    const parent = tree[lesson.moments[now]]?.parent;
    if (parent !== undefined && parent !== null) analysis.go(parent);
  }

  /** The mistake that is asked about. */
  function asked() {
    const { lesson, tree, judged } = store.get();
    const place = lesson?.moments[lesson.now];
    return tree === null || place === undefined || tree[place] === undefined ? null : (judged[keyOf(tree, place)] ?? null);
  }

  /** @param {boolean} isFound */
  function reveal(isFound) {
    const { lesson } = store.get();
    if (lesson !== null) store.set({ lesson: { ...lesson, isAnswered: true, found: lesson.found + Number(isFound) } });
  }

  /** Discs that the guess loses beside the best move; nothing until that is known. */
  function costs() {
    const { lesson, scored, depth, done } = store.get();
    const found = scored.find(({ move: one }) => one === lesson?.tried);
    if (!found || (depth < DEEP && !done && !found.exact)) return null;
    return (scored[0].score ?? 0) - (found.score ?? 0);
  }

  /** What is said. @param {ReviewedMove} judged @param {Lesson} lesson */
  function said(judged, lesson) {
    const { number, side, move: made, best, lost, line, best_score: score, exact } = judged;
    const cost = costs();
    if (lesson.isAnswered) {
      const why = sentences(reasons(judged, store.get().variant, speech));
      const right = lesson.tried && cost !== null && cost < RIGHT ? words("lessonRight", { move: lesson.tried }) : "";
      // What was found is not told again.
      const better = words("better", { best, score: signed(score, exact), line: squaresOf(line, 6).join(" ") });
      return sentences([right, right && lesson.tried === best ? "" : better, `${made}: ${why}`]);
    }
    // A guess that nobody looks at is asked for again.
    const isOpen = lesson.tried === "" || (cost === null && !store.get().isOn);
    if (isOpen) return words("lessonAsk", { number, side: words(side), move: made, lost: discs(lost, exact) });
    return cost === null ? words("guessWaits") : words("lessonWrong", { move: lesson.tried, lost: cost.toFixed(1) });
  }

  function show() {
    const { lesson, editing } = store.get();
    beginning.hidden = lesson !== null;
    fill(whose, [["", words("bothSides")], ["black", words("black")], ["white", words("white")]], whose.value);
    begin.disabled = mistakes().length === 0;
    element.hidden = lesson === null || editing !== null;
    if (lesson === null) return;
    const isEnd = lesson.now >= lesson.moments.length;
    const mistake = asked();
    if (isEnd || mistake === null) setText(text, words("lessonEnd", { found: lesson.found, all: lesson.moments.length }));
    else setText(text, `${lesson.now + 1}/${lesson.moments.length} · ${said(mistake, lesson)}`);
    const isDone = isEnd || lesson.isAnswered;
    answer.hidden = isDone || !isThere();
    back.hidden = isDone || isThere();
    next.hidden = isEnd || !lesson.isAnswered;
    const cost = lesson.tried && !lesson.isAnswered ? costs() : null;
    if (cost !== null && cost < RIGHT) reveal(true);
  }
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.lesson !== null && !hasMoments(now, before, now.lesson)) return store.set({ lesson: null });
    const fields = /** @type {const} */ (["lesson", "tree", "at", "judged", "scored", "done", "editing", "isOn"]);
    if (fields.some((field) => now[field] !== before[field])) show();
  });

  return {
    element,
    beginning,
    /** Whether a move on the board is a guess; takes it if it is. @param {string} square */
    takes(square) {
      const { lesson, tree, at, isOn } = store.get();
      if (lesson === null || lesson.isAnswered || tree === null || !isThere()) return false;
      if (!tree[at].position.legal.some(({ move: one }) => one === square)) return true;
      if (!isOn) analysis.control({ isOn: true });
      store.set({ lesson: { ...lesson, tried: square } });
      return true;
    },
  };
}
