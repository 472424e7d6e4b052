// @ts-check
// What a person prefers on this browser: switches that stay as they were set.

import { local } from "./memory.js";

/** Every switch and how it is set at first. */
const FIRST = { sounds: true, twoTouches: true };

/** @typedef {keyof typeof FIRST} Preference */

/** @param {Preference} name */
export function prefers(name) {
  const found = local.getItem(`prefers:${name}`);
  return found === null ? FIRST[name] : found === "yes";
}

/** @param {Preference} name @param {boolean} isOn */
export const setPreference = (name, isOn) => local.setItem(`prefers:${name}`, isOn ? "yes" : "no");
