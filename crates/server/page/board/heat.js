// @ts-check
// Numbers on squares: warm above nothing, cold below, the deeper the larger.

import { draw } from "../base/dom.js";

const CELL = 100;

/** The depth of a number's colour, from 1 to 9, and its sign. @param {number} value @param {number} most */
export function shade(value, most) {
  const depth = Math.min(9, Math.ceil((Math.abs(value) / most) ** 0.7 * 9));
  return depth === 0 ? "heat none" : `heat ${value > 0 ? "warm" : "cold"}${depth}`;
}

/** @param {number} value */
export const figure = (value) =>
  Math.abs(value) < 0.05 ? "0" : (value > 0 ? "+" : "−") + Math.abs(value).toFixed(1);

/**
 * A table of numbers, row by row.
 * @param {(number | null)[][]} rows
 * @param {{ label: string, figures: boolean, most: number, columns?: string[], names?: string[] }} options
 */
export function drawHeat(rows, { label, figures, most, columns = [], names = [] }) {
  const [left, top] = [names.length > 0 ? 60 : 0, columns.length > 0 ? 56 : 0];
  const [width, height] = [left + (rows[0]?.length ?? 0) * CELL, top + rows.length * CELL];
  const svg = draw("svg", { class: "heatmap", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  columns.forEach((text, i) => svg.append(draw("text", { class: "axis", x: left + (i + 0.5) * CELL, y: 38 }, text)));
  names.forEach((text, i) => svg.append(draw("text", { class: "axis", x: left / 2 - 4, y: top + (i + 0.5) * CELL + 12 }, text)));
  rows.forEach((row, j) =>
    row.forEach((value, i) => {
      const [x, y] = [left + i * CELL, top + j * CELL];
      const kind = value === null ? "heat none" : shade(value, most);
      const square = draw("rect", { class: kind, x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, rx: 8 });
      square.append(draw("title", {}, value === null ? "–" : figure(value)));
      svg.append(square);
      if (figures && value !== null) {
        svg.append(draw("text", { class: `${kind} number`, x: x + CELL / 2, y: y + CELL / 2 + 11 }, figure(value)));
      }
    }),
  );
  return svg;
}
