// @ts-check
// Curves by generation, with a band around the mean where there is one.

import { draw } from "../base/dom.js";

/**
 * @typedef {[number, number]} Point Generation and value.
 * @typedef {{ kind: string, points: Point[] }} Line
 * @typedef {{ label: string, lines: Line[], band?: { low: Point[], high: Point[] }, height?: number, percent?: boolean }} Chart
 */

const WIDTH = 640;
const [LEFT, RIGHT, TOP, BOTTOM] = [78, 14, 14, 30];

/** A number in few digits. @param {number} value */
export function brief(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits))).replace("-", "−");
}

/** @param {Chart} chart */
export function drawCurves({ label, lines, band, height = 300, percent = false }) {
  const all = [...lines.flatMap(({ points }) => points), ...(band?.low ?? []), ...(band?.high ?? [])];
  const svg = draw("svg", { class: "curves", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
  if (all.length === 0) return svg;
  /** @param {number} at */
  const ends = (at) => [Math.min(...all.map((point) => point[at])), Math.max(...all.map((point) => point[at]))];
  const [first, last] = ends(0);
  let [low, high] = percent ? [0, 1] : ends(1);
  // A flat line lies in the middle.
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  /** @param {Point} point */
  const place = ([generation, value]) => {
    const x = LEFT + ((generation - first) / Math.max(1, last - first)) * (WIDTH - LEFT - RIGHT);
    const y = TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  for (const value of [low, (low + high) / 2, high]) {
    const y = TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM);
    svg.append(draw("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }));
    svg.append(draw("text", { class: "figure", x: LEFT - 8, y: y + 6 }, percent ? `${value * 100} %` : brief(value)));
  }
  svg.append(draw("text", { class: "figure begin", x: LEFT, y: height - 6 }, String(first)));
  if (last > first) svg.append(draw("text", { class: "figure", x: WIDTH - RIGHT, y: height - 6 }, String(last)));
  if (band) svg.append(draw("path", { class: "band", d: `M${[...band.low, ...[...band.high].reverse()].map(place).join("L")}Z` }));
  for (const { kind, points } of lines) {
    if (points.length > 1) svg.append(draw("path", { class: `line ${kind}`, d: `M${points.map(place).join("L")}` }));
    else if (points.length === 1) {
      const [cx, cy] = place(points[0]).split(" ");
      svg.append(draw("circle", { class: `line ${kind}`, cx, cy, r: 3 }));
    }
  }
  return svg;
}
