// @ts-check
// What is known of a game that is analysed, and how it is at first.

import { readControls } from "./controls.js";
import { NO_RECORD } from "./link.js";

/**
 * @typedef {import("../../types/api").ScoredMove} ScoredMove
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {import("../../types/api").Side} Side
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {"black" | "white" | "empty"} Tool
 * @typedef {"failed" | "badLink" | "refused"} Lead
 * @typedef {{ variant: string, size: number, cells: string, side: Side, tool: Tool, fault: import("../base/client.js").Fault | null }} Editing
 * @typedef {{
 *   variant: string, size: number, start: string, analyst: string,
 *   tree: Tree | null, at: number,
 *   scored: ScoredMove[], scoredAt: string, depth: number, done: boolean,
 *   judged: Record<string, ReviewedMove>, judging: boolean,
 *   record: Readonly<import("./link.js").Record>, notes: import("./notes.js").Notes, isHidden: boolean, guessed: string[], lesson: import("./lesson.js").Lesson | null,
 *   editing: Editing | null, error: import("../base/client.js").Fault | null, lead: Lead, incoming: string | File[] | null,
 * } & import("./controls.js").Controls} Analysis
 *
 * `notes` are comments and symbols by the moves to their place; `isHidden` says that scores are to be guessed, `guessed` are the
 * moves to the places of guesses. `scoredAt` is the moves to the position whose moves are scored. `lead` are the words
 * before an error; `incoming` is what was dropped or pasted on the page, to be opened.
 */

/** @returns {Analysis} */
export const firstAnalysis = () => ({
  variant: "reversed",
  size: 8,
  start: "start",
  analyst: "turncoat",
  tree: null,
  at: 0,
  scored: [],
  scoredAt: "",
  depth: 0,
  done: false,
  judged: {},
  judging: false,
  record: NO_RECORD,
  notes: {},
  isHidden: false,
  guessed: [],
  lesson: null,
  ...readControls(),
  editing: null,
  error: null,
  lead: "failed",
  incoming: null,
});

/** The position that is looked at. @param {Readonly<Analysis>} state */
export const here = (state) => state.tree?.[state.at].position ?? null;
