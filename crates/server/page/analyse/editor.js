// @ts-check
// Setting up a position: discs by hand, who moves, which game. Whether it is one is for the server to say.

import { tab } from "../base/memory.js";
import { button, fill, make, setText } from "../base/dom.js";
import { label } from "../board/board.js";
import { here } from "./state.js";
import { startCells } from "./reading.js";

/**
 * @typedef {import("./state.js").Editing} Editing
 * @typedef {import("./state.js").Tool} Tool
 */

/** Where this tab keeps what is being set up, so that a reload does not lose it. */
const KEY = "set-up";
const CELLS = { black: "X", white: "O", empty: "-" };
const TOOLS = /** @type {const} */ (["black", "white", "empty"]);

/** What is set up, as a board shows it. @param {Editing} editing */
export const editedPosition = ({ cells, side }) => ({
  position: cells,
  side,
  black: cells.split("X").length - 1,
  white: cells.split("O").length - 1,
  legal: [],
  pass: false,
  over: false,
  outcome: null,
});

/**
 * What was being set up at this address before a reload, and the cells that it began with.
 * @returns {{ editing: Editing, begun: string } | null}
 */
function readKept() {
  try {
    const kept = JSON.parse(tab.getItem(KEY) ?? "null");
    return kept?.address === location.hash && kept.editing.cells.length === kept.editing.size ** 2 ? kept : null;
  } catch {
    return null;
  }
}

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createEditor(analysis, speech) {
  const { store } = analysis;
  /** @param {Partial<Editing>} patch */
  const change = (patch) => {
    const { editing } = store.get();
    if (editing !== null) store.set({ editing: { ...editing, fault: null, ...patch } });
  };

  /** Puts something else in the place of what is set up, which can be undone. @param {Partial<Editing> | null} patch */
  const discard = (patch) => {
    const { editing } = store.get();
    if (editing === null) return;
    const unchanged = editing.cells === (patch === null ? begun : patch.cells);
    analysis.setUp(patch && { ...editing, fault: null, ...patch }, unchanged ? undefined : "discarded");
  };
  const kept = readKept();
  if (kept !== null) store.set({ editing: kept.editing });
  /** The cells that the editor began with. */
  let begun = kept?.begun ?? "";

  function keep() {
    const { editing } = store.get();
    if (editing === null) tab.removeItem(KEY);
    else tab.setItem(KEY, JSON.stringify({ editing: { ...editing, fault: null }, begun, address: location.hash }));
  }
  keep();

  const tools = TOOLS.map((tool) => {
    const bead = make("span", { class: `bead ${tool}`, "aria-hidden": "true" });
    const name = speech.says(make("span"), tool === "empty" ? "eraser" : tool);
    const made = make("button", { type: "button", "data-tool": tool }, bead, name);
    made.addEventListener("click", () => change({ tool }));
    return { tool, made };
  });
  const side = make("select", { name: "side" });
  const variant = make("select", { name: "variant" });
  const size = make("select", { name: "size" });
  side.addEventListener("change", () => change({ side: side.value === "white" ? "white" : "black" }));
  variant.addEventListener("change", () => change({ variant: variant.value }));
  size.addEventListener("change", () => {
    const chosen = Number(size.value);
    discard({ size: chosen, cells: startCells(chosen) });
  });
  const fault = make("p", { class: "fault", role: "alert" });

  async function apply() {
    const { editing } = store.get();
    if (editing === null) return;
    const letter = editing.side === "black" ? "X" : "O";
    const done = await analysis.paste(`${editing.cells} ${letter}`, editing.variant, editing.size);
    if (!done) store.set({ editing: { ...editing, fault: store.get().error }, error: null });
  }

  const clear = () => discard({ cells: "-".repeat((store.get().editing?.size ?? 8) ** 2) });
  const restart = () => discard({ cells: startCells(store.get().editing?.size ?? 8), side: "black" });

  const element = make(
    "div",
    { class: "card editor" },
    speech.says(make("h2"), "setUp"),
    speech.says(make("p", { class: "quiet" }), "setUpHow"),
    make("div", { class: "tools", role: "group" }, ...tools.map(({ made }) => made)),
    make("label", {}, speech.says(make("span"), "toMove"), side),
    make("label", {}, speech.says(make("span"), "variant"), variant),
    make("label", {}, speech.says(make("span"), "size"), size),
    fault,
    make(
      "div",
      { class: "actions" },
      speech.says(button("clear", clear), "clear"),
      speech.says(button("restart", restart), "startPosition"),
      speech.says(button("cancel", () => discard(null)), "cancel"),
      speech.says(button("apply", apply, "main"), "apply"),
    ),
  );

  function show() {
    const { editing } = store.get();
    element.hidden = editing === null;
    if (editing === null) return;
    const { words } = speech;
    for (const { tool, made } of tools) made.setAttribute("aria-pressed", String(tool === editing.tool));
    fill(side, [["black", words("black")], ["white", words("white")]], editing.side);
    fill(variant, [["reversed", words("reversed")], ["reversi", words("reversi")]], editing.variant);
    fill(size, ["8", "6", "4"].map((n) => [n, `${n} × ${n}`]), String(editing.size));
    setText(fault, editing.fault === null ? "" : words("refused", { error: speech.fault(editing.fault) }));
  }
  speech.always(show);
  store.subscribe((now, before) => {
    if (now.editing === before.editing) return;
    show();
    keep();
  });

  return {
    element,
    /** Keeps what is being set up over a reload of the address as it is now. */
    keep,
    /** Begins with the position that is looked at. */
    begin() {
      const state = store.get();
      const now = here(state);
      if (now === null) return;
      const { variant: game, size: board } = state;
      begun = now.position.slice(0, board * board);
      analysis.setUp({ variant: game, size: board, cells: begun, side: now.side, tool: "black", fault: null });
    },
    /** Puts what the chosen tool has on a square; the same again takes it away. @param {string} square */
    put(square) {
      const { editing } = store.get();
      if (editing === null) return;
      const squares = [...editing.cells].map((_, i) => label(i % editing.size, Math.floor(i / editing.size)));
      const at = squares.indexOf(square);
      const cells = [...editing.cells];
      cells[at] = cells[at] === CELLS[editing.tool] ? "-" : CELLS[editing.tool];
      analysis.setUp({ ...editing, fault: null, cells: cells.join("") });
    },
  };
}
