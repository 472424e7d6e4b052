// @ts-check
// Examples of the rules that play by themselves, on small boards of their own. The positions come from the server.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { readGame } from "../base/client.js";
import { button, make, mayMove } from "../base/dom.js";

/**
 * @typedef {import("../base/speech.js").Phrase} Phrase
 * @typedef {{ title: Phrase, about: Phrase, size: number, start: string, moves: string[] }} Example
 */

/** @type {Example[]} */
const EXAMPLES = [
  { title: "exampleMove", about: "exampleMoveAbout", size: 8, start: "start", moves: ["f5", "f6", "e6", "f4"] },
  {
    title: "exampleLines",
    about: "exampleLinesAbout",
    size: 8,
    start: "---------X-X-X----OOO----XO-OX----OOO----X-X-X------------------ X",
    moves: ["d4"],
  },
  { title: "examplePass", about: "examplePassAbout", size: 4, start: "XXXXXXXXXXOXXXO- O", moves: ["pass", "d4"] },
  {
    title: "exampleEnd",
    about: "exampleEndAbout",
    size: 4,
    start: "XXXOXXOOOXOO-XOO X",
    moves: ["a4"],
  },
];

const STEP = 1500;
const REST = 2 * STEP;

/** @param {Example} example @param {import("../base/speech.js").Speech} speech */
function createExample({ title, about, size, start, moves }, speech) {
  const board = createBoard({ ...describer(speech), name: () => speech.words(title), still: true });
  /** @type {import("../../types/api").GameView | null} */
  let game = null;
  let ply = 0;
  let runs = mayMove();
  let seen = false;
  let timer = 0;
  const toggle = button("toggle-example", () => {
    runs = !runs;
    show();
    next();
  });

  function show() {
    toggle.textContent = speech.words(runs ? "pause" : "run");
    if (game === null) return;
    const last = ply > 0 && game.moves[ply - 1] !== "pass" ? game.moves[ply - 1] : null;
    const coming = game.moves[ply];
    board.show(game.positions[ply], size, { last, marked: coming && coming !== "pass" ? [coming] : [] });
  }

  function next() {
    clearTimeout(timer);
    if (!runs || !seen || game === null) return;
    const atEnd = ply === game.moves.length;
    timer = setTimeout(
      () => {
        ply = atEnd ? 0 : ply + 1;
        show();
        next();
      },
      atEnd ? REST : STEP,
    );
  }

  readGame({ variant: "reversed", size, start, moves: moves.join("") }).then((read) => {
    game = read;
    show();
    next();
  }, () => {});
  speech.always(show);
  const element = make(
    "figure",
    { class: "card example" },
    board.element,
    make("figcaption", {}, speech.says(make("h3"), title), speech.says(make("p"), about), toggle),
  );
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    next();
  }).observe(element);
  return element;
}

/** @param {import("../base/speech.js").Speech} speech */
export const createExamples = (speech) =>
  make("div", { class: "examples" }, ...EXAMPLES.map((example) => createExample(example, speech)));
