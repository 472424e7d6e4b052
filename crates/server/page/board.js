// @ts-check
// The board: an SVG that is also a grid for keyboard and screen reader. It draws a position and tells of squares
// that are chosen; it knows no rules.

/** @typedef {import("./client.js").PositionView} PositionView */

const CELL = 100;
const RIM = 44;
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 */
function element(name, attributes = {}, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** @param {number} column @param {number} row */
const label = (column, row) => String.fromCharCode(97 + column) + (row + 1);

/** Steps of the keys that move the focus, in columns and rows. @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * @param {{ onChoose: (square: string) => void, describe: (square: string, cell: string, legal: boolean) => string,
 *   name: () => string }} options
 */
export function createBoard({ onChoose, describe, name }) {
  const svg = /** @type {SVGSVGElement} */ (element("svg", { class: "board", role: "grid" }));
  let size = 0;
  /** @type {Map<string, SVGElement>} */
  const cells = new Map();
  let focused = "";

  /** @param {string} square */
  function focus(square) {
    cells.get(focused)?.setAttribute("tabindex", "-1");
    focused = square;
    cells.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {number} side */
  function build(side) {
    size = side;
    cells.clear();
    const whole = side * CELL + 2 * RIM;
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    svg.append(element("rect", { class: "rim", width: whole, height: whole, rx: 18 }));
    for (let i = 0; i < side; i++) {
      const middle = RIM + (i + 0.5) * CELL;
      const hidden = { class: "coordinate", "aria-hidden": "true" };
      svg.append(element("text", { ...hidden, x: middle, y: RIM * 0.68 }, String.fromCharCode(97 + i)));
      svg.append(element("text", { ...hidden, x: RIM / 2, y: middle + 9 }, String(i + 1)));
    }
    for (let row = 0; row < side; row++) {
      const group = element("g", { role: "row" });
      for (let column = 0; column < side; column++) {
        const square = label(column, row);
        const cell = element("g", {
          role: "gridcell",
          class: "cell",
          tabindex: -1,
          "data-square": square,
          transform: `translate(${RIM + column * CELL} ${RIM + row * CELL})`,
        });
        cell.append(
          element("rect", { class: "ground", width: CELL, height: CELL }),
          element("circle", { class: "mark", cx: CELL / 2, cy: CELL / 2, r: 13 }),
          element("circle", { class: "disc", cx: CELL / 2, cy: CELL / 2, r: 41 }),
          element("circle", { class: "last", cx: CELL / 2, cy: CELL / 2, r: 8 }),
        );
        cells.set(square, /** @type {SVGElement} */ (cell));
        group.append(cell);
      }
      svg.append(group);
    }
    focus(label(side / 2 - 1, side / 2 - 1));
  }

  /** @param {Event} event */
  const squareOf = (event) =>
    /** @type {Element} */ (event.target).closest?.("[data-square]")?.getAttribute("data-square") ?? null;

  svg.addEventListener("click", (event) => {
    const square = squareOf(event);
    if (square === null) return;
    focus(square);
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
    const column = square.charCodeAt(0) - 97 + step[0];
    const row = Number(square.slice(1)) - 1 + step[1];
    if (column < 0 || row < 0 || column >= size || row >= size) return;
    focus(label(column, row));
    cells.get(focused)?.focus();
  });

  /**
   * @param {PositionView} position
   * @param {number} side
   * @param {{ last: string | null, playable: boolean, hint: string | null }} marks
   */
  function show(position, side, { last, playable, hint }) {
    if (side !== size) build(side);
    svg.setAttribute("aria-label", name());
    const legal = new Set(position.legal.map((move) => move.move));
    let index = 0;
    for (const [square, cell] of cells) {
      const disc = position.position[index++];
      const open = playable && legal.has(square);
      cell.dataset.disc = disc === "X" ? "black" : disc === "O" ? "white" : "none";
      cell.classList.toggle("legal", open);
      cell.classList.toggle("played", square === last);
      cell.classList.toggle("hinted", square === hint);
      cell.setAttribute("aria-label", describe(square, disc, open));
    }
  }

  return { element: svg, show };
}
