// @ts-check
// Guessing the move: with the scores hidden, a move on the board is answered by what it costs. Nothing tells it before.

import { make, setText } from "../base/dom.js";
import { discs, signed } from "./scores.js";
import { keyOf } from "./tree.js";

/** Plies from which an answer is given. */
const DEEP = 6;
/** Discs below which a move is as good as the best. */
const AS_GOOD = 0.5;

/** Whether a move is to be found: nothing shows what the moves are worth. @param {Readonly<import("./model.js").Analysis>} state */
export const isAsking = ({ isHidden, lesson }) => isHidden || (lesson !== null && !lesson.isAnswered && lesson.now < lesson.moments.length);

/**
 * @param {import("../base/store.js").Store<import("./model.js").Analysis>} store
 * @param {import("../base/speech.js").Speech} speech
 */
export function createGuess(store, speech) {
  const { words } = speech;
  const element = make("p", { class: "guess", role: "status" });
  function show() {
    const { isHidden, tree, at, judged, editing, lesson, guessed } = store.get();
    element.hidden = !isHidden || tree === null || editing !== null || lesson !== null;
    if (element.hidden || tree === null) return;
    // A pass follows its move by itself.
    const { move, parent } = tree[at];
    const key = keyOf(tree, move === "pass" && parent !== null ? parent : at);
    if (!guessed.includes(key)) return setText(element, words("guessFirst"));
    const known = judged[key];
    if (known === undefined || (known.depth < DEEP && !known.exact)) return setText(element, words("guessWaits"));
    const values = { move: known.move, best: known.best, lost: discs(known.lost, known.exact), score: signed(known.best_score, known.exact) };
    setText(element, words(known.move === known.best ? "guessBest" : known.lost < AS_GOOD ? "guessGood" : "guessCosts", values));
  }
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.isHidden !== before.isHidden && now.guessed.length > 0) store.set({ guessed: [] });
    const fields = /** @type {const} */ (["isHidden", "at", "tree", "judged", "editing", "lesson", "guessed"]);
    if (fields.some((field) => now[field] !== before[field])) show();
  });
  return element;
}
