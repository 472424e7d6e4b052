// @ts-check
// How values change in the course of a game: one line each.

import { draw } from "../base/dom.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 300, 44, 34];

/**
 * @param {{ kind: string, values: (number | null)[] }[]} lines
 * @param {number} now the stage that is looked at
 * @param {{ label: string, axis: [string, string] }} words
 */
export function drawCourse(lines, now, { label, axis }) {
  const all = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const [low, high] = [Math.min(-1, ...all) - 0.5, Math.max(1, ...all) + 0.5];
  const stages = lines[0].values.length;
  /** @param {number} stage */
  const x = (stage) => LEFT + (stage / (stages - 1)) * (WIDTH - LEFT - 16);
  /** @param {number} value */
  const y = (value) => 10 + ((high - value) / (high - low)) * (HEIGHT - BOTTOM - 10);
  const svg = draw("svg", { class: "course", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (let value = Math.ceil(low / 2) * 2; value <= high; value += 2) {
    svg.append(draw("line", { class: value === 0 ? "zero" : "rule", x1: LEFT, x2: WIDTH - 16, y1: y(value), y2: y(value) }));
    const text = value === 0 ? "0" : (value > 0 ? "+" : "−") + Math.abs(value);
    svg.append(draw("text", { class: "figure", x: LEFT - 8, y: y(value) + 6 }, text));
  }
  svg.append(draw("line", { class: "now", x1: x(now), x2: x(now), y1: 10, y2: HEIGHT - BOTTOM }));
  svg.append(draw("text", { class: "figure begin", x: LEFT, y: HEIGHT - 6 }, axis[0]));
  svg.append(draw("text", { class: "figure", x: WIDTH - 16, y: HEIGHT - 6 }, axis[1]));
  for (const { kind, values } of lines) {
    const points = values.flatMap((value, stage) => (value === null ? [] : [`${x(stage).toFixed(1)} ${y(value).toFixed(1)}`]));
    if (points.length > 1) svg.append(draw("path", { class: `series ${kind}`, d: `M${points.join("L")}` }));
  }
  return svg;
}
