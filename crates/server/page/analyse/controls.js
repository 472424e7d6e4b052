// @ts-check
// The engine's controls: on or off, how many lines and threads, how deep or how long, scores shown or to be guessed.

import { about } from "../base/client.js";
import { local } from "../base/memory.js";
import { fill, make } from "../base/dom.js";

/**
 * @typedef {{ isOn: boolean, lines: number, limit: string, threads: number }} Controls
 *
 * `limit` is plies (`d12`), seconds (`s5`) or none (`n`); `threads` are all that there are if 0.
 */

const KEY = "engine";
const LIMITS = ["n", "d8", "d12", "d16", "d20", "s1", "s5", "s20"];
const LINES = [1, 2, 3, 5, 8];

/** How the engine was set before. @returns {Controls} */
export function readControls() {
  const [lines, limit, threads] = (local.getItem(KEY) ?? "").split(" ");
  return {
    isOn: true,
    lines: LINES.find((known) => known === Number(lines)) ?? 3,
    limit: LIMITS.find((known) => known === limit) ?? "n",
    threads: Number.isInteger(Number(threads)) ? Math.max(0, Number(threads)) : 0,
  };
}

/** @param {Readonly<Controls>} controls */
export const writeControls = ({ lines, limit, threads }) => local.setItem(KEY, `${lines} ${limit} ${threads}`);

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createControls({ store, control }, speech) {
  const { words } = speech;
  const isOn = make("input", { type: "checkbox", name: "engine", autocomplete: "off" });
  const isShown = make("input", { type: "checkbox", name: "shown", autocomplete: "off" });
  const lines = speech.named(make("select", { name: "lines" }), "engineLines");
  const limit = speech.named(make("select", { name: "limit" }), "engineLimit");
  const threads = speech.named(make("select", { name: "threads" }), "engineThreads");
  /** How many threads there are to search with. */
  let most = 1;
  isOn.addEventListener("change", () => control({ isOn: isOn.checked }));
  isShown.addEventListener("change", () => store.set({ isHidden: !isShown.checked }));
  lines.addEventListener("change", () => control({ lines: Number(lines.value) }));
  limit.addEventListener("change", () => control({ limit: limit.value }));
  threads.addEventListener("change", () => control({ threads: Number(threads.value) % most }));

  /** @param {string} one */
  const limitName = (one) =>
    one === "n" ? words("unlimited") : words(one[0] === "d" ? "plies" : "secondsLimit", { most: one.slice(1) });
  function show() {
    const now = store.get();
    isOn.checked = now.isOn;
    isShown.checked = !now.isHidden;
    fill(lines, LINES.map((count) => [String(count), words("linesCount", { count })]), String(now.lines));
    fill(limit, LIMITS.map((one) => [one, limitName(one)]), now.limit);
    const counts = Array.from({ length: most }, (_, i) => i + 1).filter((count) => count <= 4 || count % 4 === 0 || count === most);
    fill(threads, counts.map((count) => [String(count), words("threadsCount", { count })]), String(counts.includes(now.threads) ? now.threads : most));
    threads.hidden = most < 2;
  }
  about().then((found) => ((most = found.threads ?? 1), show()), () => {});
  speech.always(show);
  store.subscribe((now, before) => {
    const fields = /** @type {const} */ (["isOn", "isHidden", "lines", "limit", "threads"]);
    if (fields.some((field) => now[field] !== before[field])) show();
  });
  return make(
    "div",
    { class: "engine-controls" },
    make("label", { class: "switch" }, isOn, speech.says(make("span"), "engine")),
    make("label", { class: "switch" }, isShown, speech.says(make("span"), "scoresShown")),
    lines,
    limit,
    threads,
  );
}
