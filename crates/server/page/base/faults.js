// @ts-check
// Faults in words: the phrase of their code, after the place where they are.

import { isPhrase } from "./words.js";

/**
 * @typedef {(phrase: import("./words.js").Phrase, values?: Record<string, string | number>) => string} Words
 * @typedef {Pick<import("./client.js").Fault, "code" | "params">} Told What is told of a fault.
 */

/** Parameters that tell a place, the widest first, with the phrase of each. */
const PLACES = /** @type {const} */ (["game", "format", "line", "column", "board", "character", "move"]);

/** A parameter as it stands in a sentence. @param {string} key @param {unknown} value @param {Words} words */
function valueOf(key, value, words) {
  if ((key === "side" || key === "color") && (value === "black" || value === "white")) return words(value);
  if (key === "variant" && (value === "reversed" || value === "reversi")) return words(`${value}Short`);
  if (key === "size") return `${value} × ${value}`;
  if (key === "format" && isPhrase(`format-${value}`)) return words(/** @type {"format-ggf"} */ (`format-${value}`));
  return String(value);
}

/** @param {Told} fault @param {Words} words */
export function wordFault({ code, params }, words) {
  const values = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, valueOf(key, value, words)]));
  const told = words(isPhrase(code) ? code : "unexpected", { ...values, forms: words("forms") });
  const places = PLACES.filter((place) => place in values).map((place) => words(`at-${place}`, values));
  return places.length === 0 ? told : words("where", { places: places.join(words("comma")), told });
}
