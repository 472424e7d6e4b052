// @ts-check
// A match between two players, started from the page on one's own machine: who plays, how it stands, and its end.

import { about, asFault, players, startMatch, stopMatch } from "../base/client.js";
import { button, fill, make, setText } from "../base/dom.js";
import { playerName } from "../play/choice.js";
import { LEVELS } from "../play/levels.js";

/** @import { MatchView, PlayerView } from "../../types/api" */

/** Who plays at first. */
const FIRST = ["turncoat:level=5", "greedy"];
const GAMES = [2, 10, 20, 100, 1000];
const SECONDS = [0.1, 0.5, 1, 5];

/**
 * @param {import("../base/speech.js").Speech} speech
 * @param {() => void} onChange a match was started or stopped
 */
export function createStart(speech, onChange) {
  const { says, words } = speech;
  /** @type {PlayerView[]} */
  let all = [];
  const [first, second, variant, games, seconds] = ["first", "second", "variant", "games", "seconds"].map((name) => make("select", { name }));
  /** @param {import("../base/speech.js").Phrase} phrase @param {HTMLSelectElement} select */
  const field = (phrase, select) => make("label", {}, says(make("span"), phrase), select);
  const start = says(make("button", { type: "submit", "data-action": "start-match" }), "arena-start");
  const stop = says(button("stop-match", () => attempt(stopMatch)), "arena-stop");
  const told = make("p", { class: "quiet", role: "status" });
  const fields = [field("arena-first", first), field("arena-second", second), field("variant", variant), field("arena-games", games), field("arena-seconds", seconds)];
  const form = make("form", { class: "fields" }, ...fields, start, stop);
  const element = make("section", { class: "card new-match" }, says(make("h3"), "arena-new"), form, told);
  element.hidden = true;
  /** @type {import("../base/client.js").Fault | null} */
  let error = null;
  /** @type {MatchView | null} */
  let view = null;

  function list() {
    const levels = Array.from({ length: LEVELS }, (_, i) => `turncoat:level=${i + 1}`);
    const others = all.filter((one) => one.name !== "turncoat" && one.variants.includes(variant.value || "reversed") && one.sizes.includes(8));
    const names = [...levels, ...others.map(({ name, analyses }) => (analyses ? `${name}:level=8` : name))];
    [first, second].forEach((select, i) => fill(select, names.map((name) => [name, playerName(name, speech)]), names.includes(select.value) ? select.value : FIRST[i]));
  }

  function label() {
    const [game, count, time] = [variant.value || "reversed", games.value || "10", seconds.value || "0.5"];
    fill(variant, /** @type {const} */ (["reversed", "reversi"]).map((name) => [name, words(name)]), game);
    fill(games, GAMES.map((number) => [String(number), String(number)]), count);
    fill(seconds, SECONDS.map((number) => [String(number), `${number} s`]), time);
    list();
    tell();
  }

  function tell() {
    const isRunning = view?.running === true;
    start.disabled = isRunning;
    stop.hidden = !isRunning;
    const failure = error !== null ? words("failed", { error: speech.fault(error) }) : view?.error ?? "";
    told.classList.toggle("fault", failure !== "");
    if (failure !== "" || view === null || view.store === null) return setText(told, failure);
    const { games: played, total, store } = view;
    setText(told, words(isRunning ? "arena-playing" : "arena-kept", { games: played, total, store: store ?? "" }));
  }

  /** @param {() => Promise<MatchView>} action */
  async function attempt(action) {
    error = null;
    try {
      view = await action();
    } catch (caught) {
      error = asFault(caught);
    }
    tell();
    onChange();
  }

  variant.addEventListener("change", list);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const request = { first: first.value, second: second.value, games: Number(games.value), seconds: Number(seconds.value), variant: variant.value, size: 8 };
    attempt(() => startMatch(request));
  });
  speech.always(label);
  about().then(({ matches }) => {
    element.hidden = !matches;
    if (matches) players().then((found) => ((all = found), list()), () => {});
  }, () => {});
  return {
    element,
    /** Shows how the match stands. @param {MatchView | null} match */
    show(match) {
      if (match !== null) view = match;
      tell();
    },
  };
}
