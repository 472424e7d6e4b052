// @ts-check
// What the page says, in its two languages.

import { CHINESE } from "./chinese.js";
import { ENGLISH } from "./english.js";

/** @typedef {"en" | "zh"} Language */
/** @typedef {keyof typeof ENGLISH} Phrase */

const LANGUAGES = { en: ENGLISH, zh: CHINESE };

/**
 * @param {Language} language
 * @param {Phrase} phrase
 * @param {Record<string, string | number>} [values]
 */
export function say(language, phrase, values = {}) {
  return LANGUAGES[language][phrase].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Whether there are words for this. @param {string} name @returns {name is Phrase} */
export const isPhrase = (name) => Object.hasOwn(ENGLISH, name);

/** The language of the browser, if it is one of ours. @returns {Language} */
export const usualLanguage = () => (navigator.language.startsWith("zh") ? "zh" : "en");
