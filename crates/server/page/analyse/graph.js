// @ts-check
// The evaluation of a game as a graph: Black's lead in discs after every move, with the mistakes marked by size.

import { draw } from "../base/dom.js";

/**
 * @typedef {{ ply: number, place: number, lead: number | null, mark: string, exact: boolean, label: string }} Point
 */

const [WIDTH, HEIGHT, PAD] = [640, 230, 44];

/** The highest number of discs that the graph has room for. @param {Point[]} points */
function reach(points) {
  const most = Math.max(6, ...points.map(({ lead }) => Math.abs(lead ?? 0)));
  return Math.ceil(most / 4) * 4 + 2;
}

/** @param {{ onGo: (place: number) => void }} options */
export function createGraph({ onGo }) {
  const svg = /** @type {SVGSVGElement} */ (
    draw("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" })
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
    svg.setAttribute("aria-label", label);
    const most = reach(points);
    /** @param {number} ply */
    const x = (ply) => PAD + (ply / Math.max(1, points.length - 1)) * (WIDTH - 2 * PAD);
    /** @param {number} lead */
    const y = (lead) => HEIGHT / 2 - (lead / most) * (HEIGHT / 2 - 12);
    const known = points.filter((point) => point.lead !== null);
    const line = known.map(({ ply, lead }) => `${x(ply).toFixed(1)} ${y(lead ?? 0).toFixed(1)}`);
    const parts = [draw("rect", { class: "ground", width: WIDTH, height: HEIGHT, rx: 10 })];
    for (const lead of [most - 2, -(most - 2)]) {
      parts.push(draw("line", { class: "rule", x1: PAD, x2: WIDTH - PAD, y1: y(lead), y2: y(lead) }));
      const text = { class: "figure", x: PAD - 6, y: y(lead) + 6 };
      parts.push(draw("text", text, `${lead > 0 ? "+" : "−"}${Math.abs(lead)}`));
    }
    if (line.length > 1) {
      const [first, last] = [x(known[0].ply), x(known[known.length - 1].ply)];
      const area = `M${first} ${y(0)}L${line.join("L")}L${last} ${y(0)}Z`;
      parts.push(
        draw("clipPath", { id: "above" }, draw("rect", { width: WIDTH, height: y(0) })),
        draw("clipPath", { id: "below" }, draw("rect", { y: y(0), width: WIDTH, height: HEIGHT - y(0) })),
        draw("path", { class: "black-lead", d: area, "clip-path": "url(#above)" }),
        draw("path", { class: "white-lead", d: area, "clip-path": "url(#below)" }),
      );
    }
    parts.push(draw("line", { class: "zero", x1: PAD, x2: WIDTH - PAD, y1: y(0), y2: y(0) }));
    if (line.length > 1) parts.push(draw("path", { class: "lead", d: `M${line.join("L")}` }));
    parts.push(draw("line", { class: "now", x1: x(at), x2: x(at), y1: 6, y2: HEIGHT - 6 }));
    for (const { ply, lead, mark, label: name } of known) {
      if (mark === "") continue;
      const kind = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" }[mark] ?? "";
      const dot = draw("circle", { class: `fault ${kind}`, cx: x(ply), cy: y(lead ?? 0), r: mark === "??" ? 6 : 4.5 });
      dot.append(draw("title", {}, name));
      parts.push(dot);
    }
    svg.replaceChildren(...parts);
  }

  return { element: svg, show };
}
