// @ts-check
// What elements say, in the language of the moment: said again whenever the language changes.

import { wordFault } from "./faults.js";
import { say } from "./words.js";

/**
 * @typedef {import("./words.js").Phrase} Phrase
 * @typedef {import("./words.js").Language} Language
 * @typedef {Record<string, string | number>} Values
 * @typedef {ReturnType<typeof createSpeech>} Speech
 */

/** @param {import("./store.js").Store<import("./state.js").Frame>} frame */
export function createSpeech(frame) {
  /** @type {(() => void)[]} */
  const spoken = [];
  /** @param {Phrase} phrase @param {Values} [values] */
  const words = (phrase, values) => say(frame.get().language, phrase, values);
  /** @param {() => void} speak */
  const always = (speak) => {
    spoken.push(speak);
    speak();
  };
  frame.subscribe((state, before) => {
    if (state.language !== before.language) for (const speak of spoken) speak();
  });
  return {
    words,
    /** The language in use. */
    language: () => frame.get().language,
    /** A fault in words. @param {import("./faults.js").Told} fault */
    fault: (fault) => wordFault(fault, words),
    /** Does something now and after every change of language. */
    always,
    /**
     * An element that says a phrase.
     * @template {Element} E
     * @param {E} element
     * @param {Phrase} phrase
     * @returns {E}
     */
    says(element, phrase) {
      always(() => {
        element.textContent = words(phrase);
      });
      return element;
    },
    /**
     * An element that is named by a phrase for those who do not see it.
     * @template {Element} E
     * @param {E} element
     * @param {Phrase} phrase
     * @returns {E}
     */
    named(element, phrase) {
      always(() => {
        element.setAttribute("aria-label", words(phrase));
        element.setAttribute("title", words(phrase));
      });
      return element;
    },
  };
}
