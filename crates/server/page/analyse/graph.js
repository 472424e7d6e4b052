// @ts-check
// The evaluation of a game as a graph: Black's lead in discs after every move, with the mistakes marked by size.

import { draw, keyed, setText } from "../base/dom.js";

/**
 * @typedef {{ ply: number, place: number, lead: number | null, mark: string, label: string }} Point
 */

const [WIDTH, HEIGHT, PAD] = [640, 230, 44];
/** @type {Record<string, string>} */
const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** The highest number of discs that the graph has room for. @param {Point[]} points */
function reach(points) {
  const most = Math.max(6, ...points.map(({ lead }) => Math.abs(lead ?? 0)));
  return Math.ceil(most / 4) * 4 + 2;
}

/** @param {SVGElement} node @param {Record<string, string | number>} attributes */
function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (node.getAttribute(key) !== String(value)) node.setAttribute(key, String(value));
  }
}

/** The parts of the graph that are always there. */
function makeParts() {
  const [middle, inner] = [HEIGHT / 2, { x1: PAD, x2: WIDTH - PAD }];
  return {
    ground: draw("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 10 }),
    rules: [1, -1].map((sign) => ({ sign, rule: draw("line", { class: "rule", ...inner }), figure: draw("text", { class: "figure", x: PAD - 6 }) })),
    halves: [
      draw("clipPath", { id: "above" }, draw("rect", { width: WIDTH, height: middle })),
      draw("clipPath", { id: "below" }, draw("rect", { y: middle, width: WIDTH, height: middle })),
    ],
    areas: [
      draw("path", { class: "black-lead", "clip-path": "url(#above)" }),
      draw("path", { class: "white-lead", "clip-path": "url(#below)" }),
    ],
    zero: draw("line", { class: "zero", ...inner, y1: middle, y2: middle }),
    lead: draw("path", { class: "lead" }),
    now: draw("line", { class: "now", y1: 6, y2: HEIGHT - 6 }),
    dots: draw("g"),
  };
}

/** @param {{ onGo: (place: number) => void }} options */
export function createGraph({ onGo }) {
  const { ground, rules, halves, areas, zero, lead, now, dots } = makeParts();
  const lines = rules.flatMap(({ rule, figure }) => [rule, figure]);
  const svg = /** @type {SVGSVGElement} */ (
    draw("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, ground, ...lines, ...halves, ...areas, zero, lead, now, dots)
  );
  /** @type {Point[]} */
  let shown = [];
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    const ply = Math.round(((share - PAD) / (WIDTH - 2 * PAD)) * (shown.length - 1));
    const point = shown[Math.max(0, Math.min(shown.length - 1, ply))];
    if (point) onGo(point.place);
  });

  /**
   * @param {Point[]} points
   * @param {number} at the ply that is looked at
   * @param {string} label
   */
  function show(points, at, label) {
    shown = points;
    set(svg, { "aria-label": label });
    const most = reach(points);
    /** @param {number} ply */
    const x = (ply) => PAD + (ply / Math.max(1, points.length - 1)) * (WIDTH - 2 * PAD);
    /** @param {number | null} discs */
    const y = (discs) => HEIGHT / 2 - ((discs ?? 0) / most) * (HEIGHT / 2 - 12);
    for (const { sign, rule, figure } of rules) {
      const height = y(sign * (most - 2));
      set(rule, { y1: height, y2: height });
      set(figure, { y: height + 6 });
      setText(figure, `${sign > 0 ? "+" : "−"}${most - 2}`);
    }
    const known = points.filter((point) => point.lead !== null);
    const way = known.map((point) => `${x(point.ply).toFixed(1)} ${y(point.lead).toFixed(1)}`).join("L");
    const ends = known.length > 1 ? [x(known[0].ply), x(known[known.length - 1].ply)] : null;
    for (const area of areas) set(area, { d: ends ? `M${ends[0]} ${y(0)}L${way}L${ends[1]} ${y(0)}Z` : "" });
    set(lead, { d: ends ? `M${way}` : "" });
    set(now, { x1: x(at), x2: x(at) });
    const faults = known.filter(({ mark }) => mark !== "");
    keyed(dots, faults, ({ place }) => String(place), () => draw("circle", {}, draw("title")), (dot, point) => {
      const { ply, mark, label: name } = point;
      set(dot, { class: `fault ${KINDS[mark] ?? ""}`, cx: x(ply), cy: y(point.lead), r: mark === "??" ? 6 : 4.5 });
      setText(/** @type {Element} */ (dot.firstElementChild), name);
    });
  }

  return { element: svg, show };
}
