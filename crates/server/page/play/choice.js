// @ts-check
// The form in which the next game is chosen: which game, how large, who plays, with which clock.

import { fill, make } from "../base/dom.js";
import { CONTROLS } from "./clock.js";
import { HUMAN, USUAL } from "./state.js";

/** @typedef {import("../../types/api").PlayerView} PlayerView */

const LEVELS = 20;
/** The level at which other weights of the engine play. */
const FILE_LEVEL = 8;
const FIELDS = /** @type {const} */ (["variant", "size", "clock", "black", "white"]);

/**
 * What a player is called.
 * @param {string} player
 * @param {import("../base/speech.js").Speech} speech
 */
export function playerName(player, { words }) {
  if (player === HUMAN) return words("human");
  const level = /^turncoat:level=(\d+)$/.exec(player);
  return level ? `Turncoat · ${words("level")} ${level[1]}` : player;
}

/**
 * @param {import("../base/store.js").Store<import("./state.js").Play>} store
 * @param {import("../base/speech.js").Speech} speech
 * @param {(choice: import("./state.js").Choice) => void} begin
 */
export function createChoice(store, speech, begin) {
  const { words } = speech;
  /** @type {Record<typeof FIELDS[number], HTMLSelectElement>} */
  const selects = /** @type {any} */ ({});
  const form = make("form", { class: "card choice" });
  for (const field of FIELDS) {
    selects[field] = make("select", { name: field });
    form.append(make("label", { class: field }, speech.says(make("span"), field), selects[field]));
  }
  const rule = make("small");
  selects.variant.after(rule);
  function showRule() {
    rule.textContent = words(selects.variant.value === "reversed" ? "fewestWin" : "mostWin");
  }
  form.append(speech.says(make("button", { type: "submit", class: "main" }), "newGame"));

  /** @type {PlayerView[]} */
  let players = [];

  /** A level as it is listed: with its rating on the large board, if it has one. @param {number} level */
  function levelName(level) {
    const { variant, size } = selects;
    const ratings = size.value === "8" ? players.flatMap((player) => player.ratings) : [];
    const rating = ratings.find((rating) => rating.variant === variant.value && rating.level === level);
    return rating ? words("rated", { level, elo: rating.elo }) : `${words("level")} ${level}`;
  }

  /** Who can play the game that is chosen. @returns {[string, string][]} */
  function opponents() {
    const { variant, size } = selects;
    /** @type {[string, string][]} */
    const all = [[HUMAN, playerName(HUMAN, speech)]];
    for (let level = 1; level <= LEVELS; level++) all.push([`turncoat:level=${level}`, levelName(level)]);
    for (const player of players) {
      const fits = player.variants.includes(variant.value) && player.sizes.includes(Number(size.value));
      if (!fits || player.name === "turncoat") continue;
      // Without a level the engine would think as long as it may.
      if (player.analyses) all.push([`${player.name}:level=${FILE_LEVEL}`, `${player.name} · ${words("level")} ${FILE_LEVEL}`]);
      else all.push([player.name, player.name]);
    }
    return all;
  }

  /** @param {string} black @param {string} white */
  function fillOpponents(black, white) {
    const all = opponents();
    for (const [field, player] of /** @type {const} */ ([["black", black], ["white", white]])) {
      fill(selects[field], all, all.some(([value]) => value === player) ? player : USUAL);
    }
  }

  function show() {
    const { variant, size, black, white, control } = store.get();
    fill(selects.variant, [["reversed", words("reversedShort")], ["reversi", words("reversiShort")]], variant);
    fill(selects.size, ["8", "6", "4"].map((side) => [side, `${side} × ${side}`]), String(size));
    fill(selects.clock, CONTROLS.map((c) => [c, c === "none" ? words("noClock") : words("control", minutes(c))]), control);
    fillOpponents(black, white);
    showRule();
  }

  /** @param {string} control */
  function minutes(control) {
    const [time, added] = control.split("+");
    return { time, added };
  }

  for (const field of /** @type {const} */ (["variant", "size"])) {
    selects[field].addEventListener("change", () => {
      fillOpponents(selects.black.value, selects.white.value);
      showRule();
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { variant, size, black, white, clock } = selects;
    begin({
      variant: variant.value,
      size: Number(size.value),
      black: black.value,
      white: white.value,
      control: clock.value,
    });
  });
  speech.always(show);
  // A resumed game is shown; what is being chosen for the next one stays.
  store.subscribe((now, before) => {
    const fields = /** @type {const} */ (["variant", "size", "black", "white", "control"]);
    if (fields.some((field) => now[field] !== before[field])) show();
  });
  return {
    element: form,
    /** @param {PlayerView[]} all */
    setPlayers(all) {
      players = all;
      show();
    },
  };
}
