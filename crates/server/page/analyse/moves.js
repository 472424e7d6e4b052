// @ts-check
// The moves of the game with their branches and marks; each is a way to its place.

import { make } from "../base/dom.js";
import { keyOf } from "./model.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 */

/**
 * @param {ReturnType<typeof import("./model.js").createAnalysis>} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createMoves(analysis, speech) {
  const { store } = analysis;
  const list = speech.named(make("div", { class: "moves", role: "group" }), "moves");

  /** @param {Tree} tree @param {number} place @param {number} ply */
  function moveOf(tree, place, ply) {
    const { at, judged } = store.get();
    const { move, parent } = tree[place];
    const mark = judged[keyOf(tree, place)]?.mark ?? "";
    const side = tree[parent ?? 0].position.side;
    const made = make(
      "button",
      { type: "button", class: `move ${side}`, "data-place": String(place) },
      make("span", { class: `bead ${side}`, "aria-hidden": "true" }),
      `${ply}. ${move === "pass" ? "–" : move}`,
    );
    if (mark !== "") made.append(make("span", { class: `mark m${mark.length === 1 ? 1 : mark === "?!" ? 0 : 2}` }, mark));
    if (place === at) made.setAttribute("aria-current", "step");
    made.addEventListener("click", () => analysis.go(place));
    return made;
  }

  /** @param {Tree} tree @param {number} from @param {number} ply @returns {HTMLElement[]} */
  function lineFrom(tree, from, ply) {
    /** @type {HTMLElement[]} */
    const parts = [];
    for (let place = from; tree[place].children.length > 0; ply++) {
      const [first, ...others] = tree[place].children;
      parts.push(moveOf(tree, first, ply));
      for (const other of others) {
        parts.push(make("div", { class: "branch" }, moveOf(tree, other, ply), ...lineFrom(tree, other, ply + 1)));
      }
      place = first;
    }
    return parts;
  }

  function show() {
    const { tree } = store.get();
    if (tree === null) return;
    const parts = lineFrom(tree, 0, 1);
    const none = () => make("p", { class: "quiet" }, speech.words(tree[0].position.over ? "isOver" : "noMoves"));
    list.replaceChildren(...(parts.length > 0 ? parts : [none()]));
    const current = /** @type {HTMLElement | null} */ (list.querySelector('[aria-current="step"]'));
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.tree !== before.tree || now.at !== before.at || now.judged !== before.judged) show();
  });
  return list;
}
