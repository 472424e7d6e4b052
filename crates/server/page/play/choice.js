// @ts-check
// The form in which the next game is chosen: which game, how large, who plays, with which clock, from where.

import { fill, make } from "../base/dom.js";
import { asFault } from "../base/client.js";
import { setText } from "../base/dom.js";
import { CONTROLS } from "./clock.js";
import { kindOf, levelOf, LEVELS } from "./levels.js";
import { ownOpening, randomOpening } from "./opening.js";
import { HUMAN, USUAL } from "./state.js";

/** @typedef {import("../../types/api").PlayerView} PlayerView */

/** The level at which other weights of the engine play. */
const FILE_LEVEL = 8;
const FIELDS = /** @type {const} */ (["variant", "black", "white", "size", "clock", "from"]);
/** Those that are seldom changed lie in a drawer, on which their values stand. */
const SELDOM = ["size", "clock", "from"];
const OPENINGS = /** @type {const} */ (["openingUsual", "openingRandom", "openingOwn"]);

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
  const seldom = make("summary");
  const drawer = make("details", {}, seldom);
  for (const field of FIELDS) {
    selects[field] = make("select", { name: field });
    const label = make("label", { class: field }, speech.says(make("span"), field), selects[field]);
    (SELDOM.includes(field) ? drawer : form).append(label);
  }
  const rule = make("small");
  selects.variant.after(rule);
  function showRule() {
    rule.textContent = words(selects.variant.value === "reversed" ? "fewestWin" : "mostWin");
  }
  const own = speech.named(make("input", { type: "text", name: "own", autocomplete: "off", spellcheck: "false" }), "openingOwnText");
  own.placeholder = "f5d6c3";
  own.hidden = true;
  const about = make("small", { class: "about" });
  const fault = make("p", { class: "fault", role: "alert" });
  drawer.append(own);
  form.append(about, drawer, fault, speech.says(make("button", { type: "submit", class: "main" }), "newGame"));

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

  function showSeldom() {
    const values = [selects.size, selects.clock, selects.from].map((select) => select.selectedOptions[0]?.textContent ?? "");
    setText(seldom, [values[0], selects.clock.value === "none" ? words("withoutClock") : values[1], values[2]].join(" · "));
  }
  form.addEventListener("change", showSeldom);

  /** Says how strong the level is that is chosen. */
  function showLevel() {
    const level = levelOf(selects.white.value) || levelOf(selects.black.value);
    setText(about, level === 0 ? words(selects.black.value === HUMAN && selects.white.value === HUMAN ? "twoPeople" : "otherPlayer") : words(kindOf(level)));
  }

  /** @param {string} black @param {string} white */
  function fillOpponents(black, white) {
    const all = opponents();
    for (const [field, player] of /** @type {const} */ ([["black", black], ["white", white]])) {
      fill(selects[field], all, all.some(([value]) => value === player) ? player : USUAL);
    }
    showLevel();
  }

  function show() {
    const { variant, size, black, white, control, start } = store.get();
    fill(selects.from, OPENINGS.map((one) => [one, words(one)]), selects.from.value || "openingUsual");
    // A position that a game begins from is there for the next one too.
    if (start !== "start" && selects.from.value !== "openingRandom") [selects.from.value, own.value] = ["openingOwn", start];
    own.hidden = selects.from.value !== "openingOwn";
    drawer.open ||= !own.hidden;
    fill(selects.variant, [["reversed", words("reversedShort")], ["reversi", words("reversiShort")]], variant);
    fill(selects.size, ["8", "6", "4"].map((side) => [side, `${side} × ${side}`]), String(size));
    fill(selects.clock, CONTROLS.map((c) => [c, c === "none" ? words("noClock") : words("control", minutes(c))]), control);
    fillOpponents(black, white);
    showRule();
    showSeldom();
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
  for (const field of /** @type {const} */ (["black", "white"])) selects[field].addEventListener("change", showLevel);
  selects.from.addEventListener("change", () => {
    own.hidden = selects.from.value !== "openingOwn";
    setText(fault, "");
    if (!own.hidden) own.focus();
  });

  /** Where the next game begins. @param {{ variant: string, size: number }} board */
  function startOf(board) {
    if (selects.from.value === "openingRandom") return randomOpening(board);
    return selects.from.value === "openingOwn" ? ownOpening(board, own.value) : "start";
  }
  let asked = 0;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++asked;
    const board = { variant: selects.variant.value, size: Number(selects.size.value) };
    const [black, white, control] = [selects.black.value, selects.white.value, selects.clock.value];
    setText(fault, "");
    const opening = startOf(board);
    // Nothing is waited for where nothing is asked.
    if (typeof opening === "string") return begin({ ...board, black, white, control, start: opening });
    try {
      const start = await opening;
      if (mine === asked) begin({ ...board, black, white, control, start });
    } catch (error) {
      if (mine === asked) setText(fault, words("refused", { error: speech.fault(asFault(error)) }));
    }
  });
  speech.always(show);
  // A resumed game is shown; what is being chosen for the next one stays.
  store.subscribe((now, before) => {
    const fields = /** @type {const} */ (["variant", "size", "black", "white", "control", "start"]);
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
