// @ts-check
// What the page says, in each of its languages.

import { local } from "./memory.js";
import * as chinese from "./chinese.js";
import * as english from "./english.js";
import * as japanese from "./japanese.js";

/**
 * @typedef {typeof LANGUAGES[number]["code"]} Language
 * @typedef {keyof typeof english.phrases} Phrase
 */

/** All languages, in the order in which they are offered: code, own name and phrases. */
export const LANGUAGES = [english, chinese, japanese];

/**
 * @param {Language} language
 * @param {Phrase} phrase
 * @param {Record<string, string | number>} [values]
 */
export function say(language, phrase, values = {}) {
  const { phrases } = LANGUAGES.find(({ code }) => code === language) ?? english;
  return phrases[phrase].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Whether there are words for this. @param {string} name @returns {name is Phrase} */
export const isPhrase = (name) => Object.hasOwn(english.phrases, name);

/** The language that was chosen before, or else the first of the browser's that is one of ours. @returns {Language} */
export function usualLanguage() {
  const wanted = [local.getItem("language") ?? "", ...navigator.languages];
  // `zh-CN`, and `zh` of older versions of the page, mean `zh-Hans`.
  const found = wanted.flatMap((tag) => LANGUAGES.filter(({ code }) => code.split("-")[0] === tag.split("-")[0]));
  return (found[0] ?? english).code;
}
