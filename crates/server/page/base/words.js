// @ts-check
// What the page says, in each of its languages.

import { local } from "./memory.js";

/**
 * @typedef {typeof import("./english.js").phrases} Phrases
 * @typedef {keyof Phrases} Phrase
 * @typedef {typeof LANGUAGES[number]["code"]} Language
 */

/** All languages, in the order in which they are offered. A visitor is sent the one in use. */
export const LANGUAGES = /** @type {const} */ ([
  { code: "en", name: "English", load: () => import("./english.js") },
  { code: "zh-Hans", name: "中文", load: () => import("./chinese.js") },
  { code: "ja", name: "日本語", load: () => import("./japanese.js") },
]);

/** The phrases of the languages that have come. @type {Map<string, Phrases>} */
const known = new Map();

/** Brings the phrases of a language. @param {Language} language */
export async function learn(language) {
  if (known.has(language)) return;
  const { phrases } = await (LANGUAGES.find(({ code }) => code === language) ?? LANGUAGES[0]).load();
  known.set(language, phrases);
}

/**
 * @param {Language} language one that has been learnt
 * @param {Phrase} phrase
 * @param {Record<string, string | number>} [values]
 */
export function say(language, phrase, values = {}) {
  const text = known.get(language)?.[phrase] ?? phrase;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Sentences one after the other: after a full stop of Chinese or Japanese there is no space. @param {string[]} all */
export const sentences = (all) => all.filter(Boolean).join(" ").replace(/([。！？]) /g, "$1");

/** Whether there are words for this. @param {string} name @returns {name is Phrase} */
export const isPhrase = (name) => [...known.values()].some((phrases) => Object.hasOwn(phrases, name));

/** The language that was chosen before, or else the first of the browser's that is one of ours. @returns {Language} */
export function usualLanguage() {
  const wanted = [local.getItem("language") ?? "", ...navigator.languages];
  // `zh-CN`, and `zh` of older versions of the page, mean `zh-Hans`.
  const found = wanted.flatMap((tag) => LANGUAGES.filter(({ code }) => code.split("-")[0] === tag.split("-")[0]));
  return (found[0] ?? LANGUAGES[0]).code;
}

// Nothing is said before there are words for it.
await learn(usualLanguage());
