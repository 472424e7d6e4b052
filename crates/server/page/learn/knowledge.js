// @ts-check
// What the trained evaluation knows, on boards: squares, corners, mobility, by stage of the game.

import { drawHeat, figure } from "../board/heat.js";
import { asFault, knowledge } from "../base/client.js";
import { draw, make } from "../base/dom.js";
import { slice } from "../base/store.js";
import { drawCourse } from "./course.js";

/**
 * @typedef {import("../../types/api").Knowledge} Knowledge
 * @typedef {{ variant: "reversed" | "reversi", stage: number, known: Record<string, Knowledge>, error: import("../base/client.js").Fault | null }} Learn
 */

const VARIANTS = /** @type {const} */ (["reversed", "reversi"]);
const CORNERS = /** @type {const} */ (["corner", "c", "x", "trap"]);
/** Which squares of a corner each tells of, as columns and rows. */
const DISCS = { corner: [[0, 0]], c: [[1, 0]], x: [[1, 1]], trap: [[1, 0], [0, 1], [1, 1]] };
/** The values at which colours are deepest, in discs. */
const [DEEPEST_SQUARE, DEEPEST_MOBILITY] = [4, 12];
/** Mobility is shown up to so many moves. */
const MOST_MOVES = 12;

/** A corner of a board with own discs on some squares. @param {typeof CORNERS[number]} corner */
function drawCorner(corner) {
  const svg = draw("svg", { class: "corner-board", viewBox: "0 0 320 320", "aria-hidden": "true" });
  svg.append(draw("rect", { class: "rim", width: 320, height: 320, rx: 14 }));
  for (const row of [0, 1, 2]) {
    for (const column of [0, 1, 2]) {
      svg.append(draw("rect", { class: "ground cloth", x: 20 + column * 100, y: 20 + row * 100, width: 100, height: 100 }));
    }
  }
  for (const [column, row] of DISCS[corner]) {
    const at = { cx: 70 + column * 100, cy: 70 + row * 100, r: 40 };
    svg.append(draw("circle", { ...at, class: "face own" }), draw("circle", { ...at, fill: "url(#shine)" }));
  }
  return svg;
}

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 */
export function createKnowledge(state, speech) {
  const store = slice(state, "learn");
  const { words } = speech;
  const stage = speech.named(make("input", { type: "range", min: "1", step: "1", name: "stage" }), "stage");
  const told = make("output", { class: "told" });
  const choose = make("div", { class: "tabs", role: "group" });
  const buttons = VARIANTS.map((variant) => {
    const made = speech.says(make("button", { type: "button" }), variant === "reversed" ? "reversedShort" : "reversiShort");
    made.addEventListener("click", () => open(variant));
    choose.append(made);
    return { variant, made };
  });
  const [squares, corners, course, mobility, status] = [
    make("div", { class: "picture" }),
    make("div", { class: "corners" }),
    make("div", { class: "picture" }),
    make("div", { class: "picture" }),
    make("p", { class: "quiet", role: "status" }),
  ];
  stage.addEventListener("input", () => store.set({ stage: Number(stage.value) }));

  /** @param {typeof VARIANTS[number]} variant */
  async function open(variant) {
    store.set({ variant, error: null });
    if (store.get().known[variant]) return;
    try {
      const found = await knowledge(variant);
      store.set({ known: { ...store.get().known, [variant]: found } });
    } catch (error) {
      store.set({ error: asFault(error) });
    }
  }

  function show() {
    const { variant, stage: number, known, error } = store.get();
    for (const one of buttons) one.made.setAttribute("aria-pressed", String(one.variant === variant));
    const found = known[variant];
    status.textContent = error !== null ? words("failed", { error: speech.fault(error) }) : found ? words("howKnown", { games: found.games }) : words("findingOut");
    if (!found) return;
    const here = found.stages[number];
    stage.max = String(found.stages.length - 1);
    stage.value = String(number);
    const [most, least] = here.empties;
    told.textContent = words("empties", { most, least });
    const rows = Array.from({ length: 8 }, (_, row) => here.squares.slice(8 * row, 8 * row + 8));
    const files = [..."abcdefgh"];
    const ranks = files.map((_, i) => String(i + 1));
    squares.replaceChildren(
      drawHeat(rows, { label: words("squaresLabel", { most, least }), figures: true, most: DEEPEST_SQUARE, columns: files, names: ranks }),
    );
    corners.replaceChildren(
      ...CORNERS.map((corner) => {
        const value = here.corners[corner];
        return make(
          "div",
          { class: "corner-card" },
          drawCorner(corner),
          make("p", { class: "value" }, value === null ? "–" : figure(value)),
          make("p", { class: `quiet key ${corner}` }, words(corner)),
        );
      }),
    );
    const lines = CORNERS.map((kind) => ({ kind, values: found.stages.map(({ corners: all }) => all[kind]) }));
    course.replaceChildren(drawCourse(lines, number, { label: words("courseLabel"), axis: [words("opening"), words("ending")] }));
    const counts = Array.from({ length: MOST_MOVES + 1 }, (_, i) => String(i));
    mobility.replaceChildren(
      drawHeat(here.mobility.slice(0, MOST_MOVES + 1).map((row) => row.slice(0, MOST_MOVES + 1)), {
        label: words("mobilityLabel", { most, least }),
        figures: true,
        most: DEEPEST_MOBILITY,
        columns: counts,
        names: counts,
      }),
    );
  }
  speech.always(show);
  store.subscribe(show);
  open("reversed");

  /** @param {import("../base/speech.js").Phrase} title @param {import("../base/speech.js").Phrase} about @param {HTMLElement[]} parts */
  const part = (title, about, ...parts) =>
    make("article", { class: "card" }, speech.says(make("h3"), title), speech.says(make("p", { class: "quiet" }), about), ...parts);
  return make(
    "section",
    { class: "knowledge" },
    speech.says(make("h2"), "knows"),
    speech.says(make("p", { class: "lead-in" }), "knowsAbout"),
    make("div", { class: "card controls" }, choose, make("label", { class: "slider" }, speech.says(make("span"), "stage"), stage, told)),
    status,
    make(
      "div",
      { class: "facts" },
      part("squares", "squaresAbout", squares),
      part("corners", "cornersAbout", corners, course),
      part("mobility", "mobilityAbout", speech.says(make("p", { class: "quiet" }), "mobilityRead"), mobility),
    ),
  );
}
