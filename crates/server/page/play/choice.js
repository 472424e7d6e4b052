// @ts-check
// The form in which the next game is chosen: which game, how large, who plays, with which clock, from where.

import { fill, make, setText } from "../base/dom.js";
import { asFault } from "../base/client.js";
import { local } from "../base/memory.js";
import { CONTROLS, LONGEST } from "./clock.js";
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
/** An opening as one may write it, by the size of the board: the same one on each. @type {Record<string, string>} */
const EXAMPLES = { 8: "f5d6c3", 6: "e4c5b2", 4: "d3b4a1" };
/** The clock that is none of those that are offered. */
const OWN = "own";
/** Where the opening that was chosen last is remembered, and the text of one's own: a game does not tell what was chosen. */
const OPENING = "opening";

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
  // What a number may be is said in the page's own words.
  const form = make("form", { class: "card choice", novalidate: "" });
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
  const own = make("input", { type: "text", name: "own", autocomplete: "off", spellcheck: "false" });
  const [remembered, ...text] = (local.getItem(OPENING) ?? "").split(" ");
  own.value = text.join(" ");
  function showExample() {
    own.placeholder = EXAMPLES[selects.size.value] ?? "";
    const name = words("openingOwnText", { example: own.placeholder });
    own.setAttribute("aria-label", name);
    own.title = name;
  }
  /** @param {"minutes" | "seconds"} name @param {string} first @param {number} least */
  function number(name, first, least) {
    const most = LONGEST[name];
    const input = make("input", { type: "number", name, min: String(least), max: String(most), value: first, inputmode: "numeric", autocomplete: "off" });
    // Only while it is written: a message that goes when a button is pressed would move the button away.
    input.addEventListener("input", () => setText(fault, ""));
    return { input, field: () => words(name, { least, most }) };
  }
  const numbers = [number("minutes", "15", 1), number("seconds", "10", 0)];
  const [time, added] = numbers.map(({ input }) => input);
  const ownClock = make("div", { class: "pair" }, ...numbers.map(({ input, field }) => {
    const span = make("span");
    speech.always(() => setText(span, field()));
    return make("label", {}, span, input);
  }));
  selects.clock.closest("label")?.after(ownClock);
  const about = make("small", { class: "about" });
  const fault = make("p", { class: "fault", role: "alert" });
  drawer.append(own);
  form.append(about, drawer, speech.says(make("button", { type: "submit", class: "main" }), "newGame"), fault);

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

  /** The number of one's own clock that is none, or not within its bounds. */
  const wrongNumber = () => (selects.clock.value === OWN ? numbers.find(({ input }) => input.value === "" || !input.checkValidity()) : undefined);
  /** The clock that is chosen. */
  const controlNow = () => (selects.clock.value === OWN ? `${Number(time.value)}+${Number(added.value)}` : selects.clock.value);
  /** @param {string} control */
  function controlName(control) {
    const [minutes, seconds] = control.split("+");
    return words("control", { time: minutes, added: seconds });
  }

  function showSeldom() {
    ownClock.hidden = selects.clock.value !== OWN;
    const [size, from] = [selects.size, selects.from].map((select) => select.selectedOptions[0]?.textContent ?? "");
    const control = controlNow();
    setText(seldom, [size, wrongNumber() ? words("ownClock") : control === "none" ? words("withoutClock") : controlName(control), from].join(" · "));
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
    const { variant, size, black, white, control } = store.get();
    const opening = selects.from.value || (OPENINGS.find((one) => one === remembered) ?? "openingUsual");
    fill(selects.from, OPENINGS.map((one) => [one, words(one)]), opening);
    own.hidden = selects.from.value !== "openingOwn";
    drawer.open ||= !own.hidden;
    fill(selects.variant, [["reversed", words("reversedShort")], ["reversi", words("reversiShort")]], variant);
    fill(selects.size, ["8", "6", "4"].map((side) => [side, `${side} × ${side}`]), String(size));
    const times = CONTROLS.includes(control) ? null : /^(\d+)\+(\d+)$/.exec(control);
    /** @type {[string, string][]} */
    const clocks = CONTROLS.map((c) => [c, c === "none" ? words("noClock") : controlName(c)]);
    fill(selects.clock, [...clocks, [OWN, words("ownClock")]], times === null ? control : OWN);
    if (times !== null) [, time.value, added.value] = times;
    fillOpponents(black, white);
    showRule();
    showExample();
    showSeldom();
  }

  for (const field of /** @type {const} */ (["variant", "size"])) {
    selects[field].addEventListener("change", () => {
      fillOpponents(selects.black.value, selects.white.value);
      showRule();
    });
  }
  selects.size.addEventListener("change", showExample);
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
    const wrong = wrongNumber();
    if (wrong !== undefined) {
      setText(fault, words("wholeNumber", { field: wrong.field() }));
      drawer.open = true;
      return wrong.input.focus();
    }
    const mine = ++asked;
    const board = { variant: selects.variant.value, size: Number(selects.size.value) };
    const [black, white, control] = [selects.black.value, selects.white.value, controlNow()];
    setText(fault, "");
    local.setItem(OPENING, `${selects.from.value} ${own.value}`);
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
  // A resumed game is shown; what is being chosen for the next one stays, and where that begins is chosen here alone.
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
