// @ts-check
// The beginning: the state, the frame around the views, and the one view there is.

import { createPlayView } from "./play.js";
import { createStore } from "./store.js";
import { say, usualLanguage } from "./words.js";

/**
 * @typedef {import("./words.js").Language} Language
 * @typedef {{ language: Language }} Frame
 */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The language that was chosen before, or the browser's. @returns {Language} */
function rememberedLanguage() {
  const language = localStorage.getItem("language");
  return language === "en" || language === "zh" ? language : usualLanguage();
}

const frame = createStore({ language: rememberedLanguage() });

function show() {
  const { language } = frame.get();
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  byId("tagline").textContent = say(language, "tagline");
  byId("language").textContent = say(language, "language");
}

byId("language").addEventListener("click", () => {
  const language = frame.get().language === "en" ? "zh" : "en";
  localStorage.setItem("language", language);
  frame.set({ language });
});
frame.subscribe(show);
show();
byId("view").append(createPlayView(frame));
