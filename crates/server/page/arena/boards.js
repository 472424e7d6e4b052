// @ts-check
// Boards of games under way, and what waits.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { readGame } from "../base/client.js";
import { keyed, make, setText } from "../base/dom.js";

/** @import { LiveBoard, LiveView } from "../../types/api" */

/** The boards of nodes, which are made when a game is first seen. @type {WeakMap<Element, ReturnType<typeof createBoard>>} */
const BOARDS = new WeakMap();

/** A number of seconds in few digits. @param {number} seconds */
export const time = (seconds) => `${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;

/** @param {import("../base/speech.js").Speech} speech */
export function createBoards(speech) {
  const { words } = speech;
  const boards = make("div", { class: "live-boards" });
  const queue = make("p", { class: "quiet" });
  const element = make("section", { class: "card" }, speech.says(make("h3"), "arena-live"), boards, queue);
  /** What the boards are of. */
  let [variant, size] = ["reversed", 8];

  /** @param {LiveBoard} game */
  function create(game) {
    const name = () => words("arena-gameOf", { number: game.game, black: game.black, white: game.white });
    const board = createBoard({ ...describer(speech), name, still: true });
    const node = make("figure", { "data-game": String(game.game) }, board.element, make("figcaption"));
    BOARDS.set(node, board);
    return node;
  }

  /** @param {HTMLElement} node @param {LiveBoard} game */
  function update(node, game) {
    const [black, white] = game.seconds.map(time);
    setText(/** @type {Element} */ (node.lastElementChild), `● ${game.black} ${black} – ○ ${game.white} ${white}`);
    if (node.dataset.moves === game.moves) return;
    node.dataset.moves = game.moves;
    readGame({ variant, size, start: game.start ?? "start", moves: game.moves }).then((read) => {
      // Something later may have come meanwhile.
      if (node.dataset.moves !== game.moves) return;
      const last = [...read.moves].reverse().find((played) => played !== "pass") ?? null;
      BOARDS.get(node)?.show(read.positions[read.positions.length - 1], read.size, { last });
    }, () => {});
  }

  /** @param {LiveView} live @param {{ variant: string, size: number }} rules */
  function show(live, rules) {
    ({ variant, size } = rules);
    element.hidden = live.boards.length + live.testing.length + live.queue.length === 0;
    keyed(boards, live.boards, ({ game }) => String(game), create, update);
    const parts = [];
    if (live.testing.length > 0) parts.push(words("arena-testing", { players: live.testing.join(", ") }));
    if (live.queue.length > 0) parts.push(words("arena-queue", { players: live.queue.join(", ") }));
    setText(queue, parts.join(" "));
  }
  return { element, show };
}
