// @ts-check
// The runs of the lab as they go on: asked again every few seconds, as long as somebody looks.

import { asFault, listRuns, readRun } from "../base/client.js";
import { slice } from "../base/store.js";

/**
 * @import { RunDetails, RunView } from "../../types/api"
 * @import { Fault } from "../base/client.js"
 * @typedef {{ variant: "reversed" | "reversi", runs: RunView[] | null, chosen: string | null, details: RunDetails | null,
 *   error: Fault | null }} Lab
 */

/** How often runs are looked at, in milliseconds. */
const EVERY = 3000;

/** @returns {Lab} */
export const firstLab = () => ({ variant: "reversed", runs: null, chosen: null, details: null, error: null });

/** The address of a run, or of the list. @param {string | null} name */
export const addressOf = (name) => (name === null ? "#/lab" : `#/lab?run=${encodeURIComponent(name)}`);

/** Where the report of a run is. @param {string} name */
export const reportOf = (name) => `api/runs/${encodeURIComponent(name)}/report`;

/** The run that the address names. */
function addressed() {
  const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
  return view === "lab" ? new URLSearchParams(query).get("run") : null;
}

/** Whether the list says what is known of a run already. @param {RunDetails | null} known @param {RunView} listed */
const isSame = (known, listed) => known !== null && Object.entries(listed).every(([key, value]) => known[/** @type {keyof RunView} */ (key)] === value);

/** @param {import("../base/store.js").Store<import("../base/state.js").State>} state */
export function createLab(state) {
  const store = slice(state, "lab");
  const frame = slice(state, "frame");
  let asked = 0;
  let timer = 0;

  const isSeen = () => frame.get().view === "lab" && !document.hidden;

  /** Asks for the list, and for the chosen run if it has changed. */
  async function look() {
    const mine = ++asked;
    clearTimeout(timer);
    if (!isSeen()) return;
    try {
      const runs = await listRuns();
      const { chosen, details } = store.get();
      const listed = runs.find(({ name }) => name === chosen);
      // A run that is not listed is asked for all the same: the answer says why there is none.
      const found = chosen === null ? null : listed && isSame(details, listed) ? details : await readRun(chosen);
      if (mine !== asked) return;
      const variant = found?.variant === "reversi" ? "reversi" : "reversed";
      store.set({ runs, details: found, variant, error: null });
    } catch (error) {
      if (mine !== asked) return;
      store.set({ error: asFault(error) });
    }
    timer = setTimeout(look, EVERY);
  }

  function follow() {
    const chosen = addressed();
    if (chosen !== store.get().chosen) store.set({ chosen, details: null, error: null });
    look();
  }
  addEventListener("hashchange", follow);
  document.addEventListener("visibilitychange", look);
  follow();
  return store;
}
