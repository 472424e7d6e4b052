// @ts-check
// An expected line on the board: its discs, numbered in their order, with arrows from each to the next.

import { draw } from "../base/dom.js";

/** Discs beyond these would hide the board. */
const MOST = 6;

/**
 * @param {string[]} moves
 * @param {"black" | "white"} side whose move the first one is
 * @param {(square: string) => [number, number]} middleOf
 */
export function drawLine(moves, side, middleOf) {
  const shown = moves.slice(0, MOST);
  const group = draw("g", { class: "expected", "aria-hidden": "true" });
  shown.slice(1).forEach((to, i) => {
    const [[x1, y1], [x2, y2]] = [middleOf(shown[i]), middleOf(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    // From rim to rim of the two discs.
    const [fromX, fromY, toX, toY] = [x1 + dx * 30, y1 + dy * 30, x2 - dx * 34, y2 - dy * 34];
    if (length < 70) return;
    group.append(
      draw("line", { x1: fromX, y1: fromY, x2: toX - dx * 12, y2: toY - dy * 12 }),
      draw("path", { d: `M${toX} ${toY}L${toX - dx * 18 - dy * 10} ${toY - dy * 18 + dx * 10}L${toX - dx * 18 + dy * 10} ${toY - dy * 18 - dx * 10}Z` }),
    );
  });
  shown.forEach((move, i) => {
    const [x, y] = middleOf(move);
    const color = (i % 2 === 0) === (side === "black") ? "black" : "white";
    group.append(
      draw("circle", { class: color, cx: x, cy: y, r: 30 }),
      draw("text", { class: color, x, y: y + 11 }, String(i + 1)),
    );
  });
  return group;
}
