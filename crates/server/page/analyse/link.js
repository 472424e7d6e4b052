// @ts-check
// An analysis as an address, to be shared: everything that it shows is after the `#`.

import { Fault } from "../base/client.js";

/**
 * @typedef {{ black: string, white: string, event: string, date: string }} Record what a file says of its game
 * @typedef {{ variant: string, size: number, start: string, line: string, at: string, notes?: string, record?: Readonly<Record> }} Shared
 *
 * `line` is a written tree; `at` is a number of moves along its first branches, or the moves to another place.
 */

/** A game of which nothing is said. @type {Readonly<Record>} */
export const NO_RECORD = { black: "", white: "", event: "", date: "" };
/** Letters of a name that are kept: an address is no place for more. */
const LONGEST = 80;

/** A record of what is found of each of its fields. @param {(field: keyof Record) => string} find @returns {Record} */
export function recordOf(find) {
  const [black, white, event, date] = /** @type {const} */ (["black", "white", "event", "date"]).map((field) => find(field).trim().slice(0, LONGEST));
  return { black, white, event, date };
}

const VARIANTS = ["reversed", "reversi"];
export const SIZES = [8, 6, 4];
/** Each branch is read by the server, one after the other: more than anybody follows. */
const MOST_BRANCHES = 100;

/** What is wrong with an address at first sight. @param {Shared} shared @returns {Fault | null} */
export function faultOf({ variant, size, line }) {
  if (!VARIANTS.includes(variant)) return new Fault("link-game");
  if (!SIZES.includes(size)) return new Fault("link-size");
  return line.split("(").length > MOST_BRANCHES + 1 ? new Fault("link-branches", { most: MOST_BRANCHES }) : null;
}

/** @param {Shared} shared */
export function addressOf({ variant, size, start, line, at, notes, record }) {
  const query = new URLSearchParams({ game: variant, size: String(size) });
  if (start !== "start") query.set("start", start.replace(" ", "_"));
  if (line !== "") query.set("line", line);
  if (at !== "" && at !== "0") query.set("at", at);
  if (notes) query.set("notes", notes);
  for (const [field, text] of Object.entries(record ?? NO_RECORD)) if (text) query.set(field, text);
  return `#/analyse?${query}`;
}

/** What an address shares; nothing if it says nothing. @param {string} hash @returns {Shared | null} */
export function sharedBy(hash) {
  const [path, text] = hash.split("?");
  if (path !== "#/analyse" || !text) return null;
  const query = new URLSearchParams(text);
  return {
    variant: query.get("game") ?? "reversed",
    size: Number(query.get("size") ?? 8),
    start: (query.get("start") ?? "start").replace("_", " "),
    line: query.get("line") ?? "",
    at: query.get("at") ?? "",
    notes: query.get("notes") ?? "",
    record: recordOf((field) => query.get(field) ?? ""),
  };
}
