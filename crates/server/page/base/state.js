// @ts-check
// The state of the whole page, in one store.

import { local } from "./memory.js";
import { createStore } from "./store.js";
import { usualLanguage } from "./words.js";
import { firstPlay } from "../play/state.js";
import { firstAnalysis } from "../analyse/state.js";
import { firstArena } from "../arena/model.js";
import { firstLab } from "../lab/model.js";

/**
 * @typedef {import("./words.js").Language} Language
 * @typedef {"play" | "analyse" | "learn" | "lab" | "arena"} ViewName
 * @typedef {"auto" | "light" | "dark"} Theme
 * @typedef {{ language: Language, theme: Theme, view: ViewName }} Frame
 * @typedef {{ frame: Frame, play: import("../play/state.js").Play, analyse: import("../analyse/state.js").Analysis,
 *   learn: import("../learn/knowledge.js").Learn, lab: import("../lab/model.js").Lab,
 *   arena: import("../arena/model.js").Arena }} State
 */

/**
 * What was chosen before, if it is one of these.
 * @template {string} T
 * @param {string} key
 * @param {readonly T[]} known
 * @returns {T | null}
 */
function remembered(key, known) {
  const found = local.getItem(key);
  return known.find((value) => value === found) ?? null;
}

/** @returns {import("./store.js").Store<State>} */
export const createState = () =>
  createStore(
    /** @type {State} */ ({
      frame: {
        language: usualLanguage(),
        theme: remembered("theme", /** @type {const} */ (["auto", "light", "dark"])) ?? "auto",
        view: "play",
      },
      play: firstPlay(),
      analyse: firstAnalysis(),
      learn: { variant: "reversed", stage: 12, known: {}, error: null },
      lab: firstLab(),
      arena: firstArena(),
    }),
  );
