// @ts-check
// The board: an SVG that is also a grid for keyboard and screen reader. It draws a position and tells of squares
// that are chosen; it knows no rules.

import { draw } from "../base/dom.js";
import { appear, turn } from "./flip.js";
import { drawLine } from "./line.js";
import { createPreview } from "./preview.js";

/**
 * @typedef {import("../../types/api").PositionView} PositionView
 * @typedef {Pick<PositionView, "position" | "legal"> & Partial<PositionView>} Shown
 * @typedef {{ text: string, kind: "best" | "good" | "fair" | "poor", exact: boolean }} SquareScore
 * @typedef {{ last?: string | null, playable?: boolean, hint?: string | null, scores?: Map<string, SquareScore>,
 *   marked?: string[] }} Marks
 */

const CELL = 100;
/** Room for letters and figures, and on the other two sides. */
const RIM = 46;
const EDGE = 20;

/** @param {number} column @param {number} row */
export const label = (column, row) => String.fromCharCode(97 + column) + (row + 1);

/** Steps of the keys that move the focus, in columns and rows. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {string} cell */
const discOf = (cell) => (cell === "X" ? "black" : cell === "O" ? "white" : "none");

/**
 * A square with everything that it may show.
 * @param {number} column
 * @param {number} row
 * @param {boolean} still
 */
function makeCell(column, row, still) {
  const middle = CELL / 2;
  /** @type {Record<string, string | number>} */
  const role = still ? {} : { role: "gridcell", tabindex: -1 };
  const cell = draw("g", {
    ...role,
    class: "cell",
    "data-square": label(column, row),
  });
  cell.append(
    draw("rect", { class: "ground", width: CELL, height: CELL }),
    draw("circle", { class: "mark", cx: middle, cy: middle, r: 12 }),
    draw(
      "g",
      { class: "disc" },
      draw("circle", { class: "shadow", cx: middle + 2, cy: middle + 5, r: 41 }),
      draw("circle", { class: "face", cx: middle, cy: middle, r: 41 }),
      draw("circle", { class: "shine", cx: middle, cy: middle, r: 41 }),
    ),
    draw("circle", { class: "ghost", cx: middle, cy: middle, r: 38 }),
    draw("circle", { class: "last", cx: middle, cy: middle, r: 8 }),
    draw("text", { class: "score", x: middle, y: middle + 11 }),
    // Within the square, or else the next ones would cover it.
    draw("rect", { class: "ring", x: 5, y: 5, width: CELL - 10, height: CELL - 10 }),
  );
  return cell;
}

/** The ground under the squares: rim, letters and figures, cloth. @param {number} side @param {boolean} turned */
function makeGround(side, turned) {
  const whole = side * CELL + RIM + EDGE;
  const inner = side * CELL;
  const parts = [
    draw("rect", { class: "rim", width: whole, height: whole, rx: 22 }),
    draw("rect", { class: "cloth", x: RIM, y: RIM, width: inner, height: inner }),
    draw("rect", { x: RIM, y: RIM, width: inner, height: inner, fill: "url(#cloth-light)" }),
  ];
  for (let i = 0; i < side; i++) {
    const middle = RIM + (i + 0.5) * CELL;
    const hidden = { class: "coordinate", "aria-hidden": "true" };
    const index = turned ? side - 1 - i : i;
    parts.push(draw("text", { ...hidden, x: middle, y: RIM * 0.68 }, String.fromCharCode(97 + index)));
    parts.push(draw("text", { ...hidden, x: RIM / 2, y: middle + 9 }, String(index + 1)));
  }
  return parts;
}

/** The four dots of a board, over the lines. @param {number} side */
function makeDots(side) {
  const [near, far] = [RIM + 2 * CELL, RIM + (side - 2) * CELL];
  const places = side < 6 ? [] : [near, far].flatMap((x) => [near, far].map((y) => [x, y]));
  return places.map(([x, y]) => draw("circle", { class: "dot", cx: x, cy: y, r: 7 }));
}

/** @param {SVGElement} text @param {SquareScore} [score] */
function showScore(text, score) {
  text.textContent = score?.text ?? "";
  text.setAttribute("class", score ? `score ${score.kind}` : "score");
  text.classList.toggle("exact", score?.exact ?? false);
  text.classList.toggle("long", (score?.text.length ?? 0) > 3);
}

/**
 * A still board is a picture: nothing can be chosen on it. `asksTwice` tells whether a touch first shows what it would do.
 * @param {{ onChoose?: (square: string) => void, describe: (square: string, cell: string, flips: number) => string,
 *   name: () => string, still?: boolean, asksTwice?: () => boolean }} options
 */
export function createBoard({ onChoose = () => {}, describe, name, still = false, asksTwice = () => false }) {
  const svg = /** @type {SVGSVGElement} */ (draw("svg", { class: "board", role: still ? "img" : "grid" }));
  let size = 0;
  /** @type {Map<string, SVGElement>} */
  const cells = new Map();
  /** What each square shows, in words. @type {WeakMap<Element, string>} */
  const drawings = new WeakMap();
  let focused = "";
  /** Whether White's side is below. */
  let turned = false;
  /** A line that is shown over the discs. @type {SVGElement | null} */
  let line = null;

  /** @param {string} square */
  function focus(square) {
    if (still) return;
    cells.get(focused)?.setAttribute("tabindex", "-1");
    focused = square;
    cells.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {number} side */
  function build(side) {
    size = side;
    cells.clear();
    const whole = side * CELL + RIM + EDGE;
    svg.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    svg.replaceChildren(...makeGround(side, turned));
    for (let row = 0; row < side; row++) {
      const group = draw("g", still ? {} : { role: "row" });
      for (let column = 0; column < side; column++) {
        const cell = makeCell(column, row, still);
        const [x, y] = turned ? [side - 1 - column, side - 1 - row] : [column, row];
        cell.setAttribute("transform", `translate(${RIM + x * CELL} ${RIM + y * CELL})`);
        cells.set(label(column, row), cell);
        group.append(cell);
      }
      svg.append(group);
    }
    svg.append(...makeDots(side));
    focus(label(side / 2 - 1, side / 2 - 1));
  }

  /** @param {Event} event */
  const squareOf = (event) =>
    /** @type {Element} */ (event.target).closest?.("[data-square]")?.getAttribute("data-square") ?? null;

  const preview = createPreview(svg, cells, squareOf);
  svg.addEventListener("click", (event) => {
    // Who points does not walk the squares: the keys stay the page's. What clicks without a pointer keeps its place.
    if (event.detail > 0) /** @type {SVGElement | null} */ (svg.querySelector(":focus"))?.blur();
    const square = squareOf(event);
    if (square === null) return;
    focus(square);
    const isTouch = /** @type {PointerEvent} */ (event).pointerType === "touch";
    if (isTouch && asksTwice() && preview.waits(square)) return;
    onChoose(square);
  });

  svg.addEventListener("keydown", (event) => {
    const square = squareOf(event);
    if (square === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onChoose(square);
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const way = turned ? -1 : 1;
    const column = square.charCodeAt(0) - 97 + way * step[0];
    const row = Number(square.slice(1)) - 1 + way * step[1];
    if (column < 0 || row < 0 || column >= size || row >= size) return;
    focus(label(column, row));
    cells.get(focused)?.focus();
  });

  /** What is shown, and whether it can be played on. */
  let drawn = /** @type {Shown | null} */ (null);
  let isOpen = false;

  /**
   * @param {Shown} position
   * @param {number} side
   * @param {Marks} marks
   */
  function show(position, side, { last = null, playable = false, hint = null, scores, marked = [] }) {
    const fresh = side !== size;
    if (fresh) build(side);
    svg.setAttribute("aria-label", name());
    if (position !== drawn || playable !== isOpen) preview.set(playable ? position : null);
    [drawn, isOpen] = [position, playable];
    const legal = new Map(position.legal.map(({ move, flips }) => [move, flips.length]));
    let index = 0;
    for (const [square, cell] of cells) {
      const disc = position.position[index++];
      const open = playable && legal.has(square);
      const score = scores?.get(square);
      const text = describe(square, disc, open ? (legal.get(square) ?? 0) : 0) + (score ? ` ${score.text}` : "");
      const signs = [square === last, square === hint, marked.includes(square), score?.kind, score?.exact].join();
      // Most squares stay as they are, and what is written again is laid out again.
      const drawing = `${disc} ${open} ${signs} ${text}`;
      if (drawings.get(cell) === drawing) continue;
      drawings.set(cell, drawing);
      const before = cell.dataset.disc ?? "none";
      cell.dataset.disc = discOf(disc);
      if (!fresh && before !== cell.dataset.disc) change(cell, before, square, last);
      cell.classList.toggle("legal", open);
      cell.classList.toggle("played", square === last);
      cell.classList.toggle("hinted", square === hint);
      cell.classList.toggle("marked", marked.includes(square));
      cell.classList.toggle("scored", score !== undefined);
      showScore(/** @type {SVGElement} */ (cell.querySelector(".score")), score);
      if (!still) cell.setAttribute("aria-label", text);
    }
  }

  /** Nothing can be chosen until a position is shown again; before the first one an empty board is seen. */
  function rest() {
    if (size === 0) show({ position: "-".repeat(64), legal: [] }, 8, {});
    for (const cell of cells.values()) {
      cell.classList.remove("legal");
      drawings.delete(cell);
    }
  }

  /** Shows an expected line over the discs, or none. @param {string[]} moves @param {"black" | "white"} side */
  function expect(moves, side) {
    line?.remove();
    line = null;
    svg.classList.toggle("expecting", moves.length > 0);
    if (moves.length === 0) return;
    line = drawLine(moves, side, (square) => {
      const [column, row] = [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
      const [x, y] = turned ? [size - 1 - column, size - 1 - row] : [column, row];
      return [RIM + (x + 0.5) * CELL, RIM + (y + 0.5) * CELL];
    });
    svg.append(line);
  }

  /** Turns the board around; what it shows must be shown again. */
  function turnAround() {
    turned = !turned;
    const had = svg.contains(document.activeElement);
    const before = focused;
    if (size > 0) build(size);
    focus(before);
    if (had) cells.get(before)?.focus();
    drawn = null;
  }

  return { element: svg, show, rest, expect, turnAround };
}

/**
 * Lets a disc come or turn.
 * @param {SVGElement} cell
 * @param {string} before
 * @param {string} square
 * @param {string | null} last
 */
function change(cell, before, square, last) {
  const disc = /** @type {SVGElement} */ (cell.querySelector(".disc"));
  if (before === "none") appear(disc);
  else if (cell.dataset.disc !== "none") turn(disc, before, last === null ? 0 : distance(square, last));
}

/** Squares between two, along the longer way. @param {string} one @param {string} other */
const distance = (one, other) =>
  Math.max(
    Math.abs(one.charCodeAt(0) - other.charCodeAt(0)),
    Math.abs(Number(one.slice(1)) - Number(other.slice(1))),
  );
