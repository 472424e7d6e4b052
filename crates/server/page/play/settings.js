// @ts-check
// What can be set for all games: sounds, and whether a touch is shown before it counts.

import { make } from "../base/dom.js";
import { prefers, setPreference } from "../base/preferences.js";

/** @param {import("../base/speech.js").Speech} speech */
export function createSettings(speech) {
  const names = /** @type {const} */ (["sounds", "twoTouches"]);
  const switches = names.map((name) => {
    const box = make("input", { type: "checkbox", name, autocomplete: "off" });
    box.checked = prefers(name);
    box.addEventListener("change", () => setPreference(name, box.checked));
    return make("label", { class: "switch" }, box, speech.says(make("span"), name));
  });
  return make("div", { class: "preferences" }, ...switches);
}
