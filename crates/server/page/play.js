// @ts-check
// The view in which a game is played: the choice of a game, the board, what is going on, and what can be done.

import { createBoard } from "./board.js";
import { players } from "./client.js";
import { ADVISER, HUMAN, createGame, isOver, isPersonsTurn, position } from "./game.js";
import { say } from "./words.js";

/**
 * @typedef {import("./game.js").Play} Play
 * @typedef {import("./words.js").Phrase} Phrase
 */

const LEVELS = 20;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {{ get: () => { language: import("./words.js").Language }, subscribe: (f: () => void) => void }} frame */
export function createPlayView(frame) {
  const game = createGame();
  /** @param {Phrase} phrase @param {Record<string, string | number>} [values] */
  const words = (phrase, values) => say(frame.get().language, phrase, values);

  const board = createBoard({
    onChoose: game.play,
    name: () => words("board"),
    describe: (square, cell, legal) => {
      if (cell === "X" || cell === "O") {
        return words("disc", { square, side: words(cell === "X" ? "black" : "white") });
      }
      return words(legal ? "legal" : "empty", { square });
    },
  });

  const choices = {
    variant: make("select", { name: "variant" }),
    size: make("select", { name: "size" }),
    black: make("select", { name: "black" }),
    white: make("select", { name: "white" }),
  };
  /** @type {Map<Phrase, HTMLElement>} */
  const named = new Map();
  const form = make("form", { class: "choice" });
  for (const [phrase, select] of Object.entries(choices)) {
    const name = make("span");
    named.set(/** @type {Phrase} */ (phrase), name);
    form.append(make("label", {}, name, select));
  }
  const begin = make("button", { type: "submit", class: "main" });
  named.set("newGame", begin);
  form.append(begin);

  const counts = make("p", { class: "counts" });
  const status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  const actions = make("div", { class: "actions" });
  for (const action of /** @type {const} */ (["undo", "redo", "hint", "resign"])) {
    const button = make("button", { type: "button", "data-action": action });
    button.addEventListener("click", () => game[action]());
    named.set(action, button);
    actions.append(button);
  }

  /** @type {import("./client.js").PlayerView[]} */
  let opponents = [];

  function fillChoices() {
    const { variant, size, black, white } = game.store.get();
    /** @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} chosen */
    const fill = (select, options, chosen) => {
      select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
      select.value = chosen;
    };
    fill(choices.variant, [["reversed", words("reversed")], ["reversi", words("reversi")]], variant);
    fill(choices.size, ["8", "6", "4"].map((side) => [side, `${side} × ${side}`]), String(size));
    /** @type {[string, string][]} */
    const all = [[HUMAN, words("human")]];
    for (let level = 1; level <= LEVELS; level++) {
      all.push([`turncoat:level=${level}`, `Turncoat · ${words("level")} ${level}`]);
    }
    for (const { name } of opponents) if (name !== "turncoat") all.push([name, name]);
    fill(choices.black, all, black);
    fill(choices.white, all, white);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    game.begin({
      variant: choices.variant.value,
      size: Number(choices.size.value),
      black: choices.black.value,
      white: choices.white.value,
    });
  });

  /** What is going on, in words. @param {Play} state */
  function news(state) {
    const now = position(state);
    if (state.error !== null) return words("failed", { error: state.error });
    if (now === null || state.game === null) return "";
    const said = [];
    const { moves, positions, outcome } = state.game;
    const last = moves.at(-1);
    if (last !== undefined) {
      const passed = last === "pass";
      const by = positions[moves.length - 1].side;
      if (passed && moves.length > 1) {
        const before = positions[moves.length - 2].side;
        said.push(words("played", { side: words(before), move: moves[moves.length - 2] }));
      }
      said.push(words(passed ? "passed" : "played", { side: words(by), move: last }));
    }
    if (state.loser !== null) {
      const winner = state.loser === "black" ? "white" : "black";
      said.push(words("winsBy", { side: words(winner), loser: words(state.loser) }));
    } else if (outcome !== null) {
      const { winner, margin } = outcome;
      said.push(winner === null ? words("draw") : words("wins", { side: words(winner), margin }));
    } else {
      said.push(words(state.thinking ? "thinking" : "turn", { side: words(now.side) }));
    }
    if (state.hint !== null) said.push(words("hinted", { player: ADVISER, move: state.hint }));
    return said.join(" ");
  }

  function show() {
    const state = game.store.get();
    for (const [phrase, element] of named) element.textContent = words(phrase);
    status.textContent = news(state);
    const now = position(state);
    if (now === null || state.game === null) return;
    const last = state.game.moves.findLast((move) => move !== "pass") ?? null;
    board.show(now, state.game.size, { last, playable: isPersonsTurn(state), hint: state.hint });
    counts.replaceChildren(
      ...(/** @type {const} */ (["black", "white"])).map((side) =>
        make("span", { class: side }, words("discs", { side: words(side), count: now[side] })),
      ),
    );
    /** @param {Phrase} action @param {boolean} can */
    const allow = (action, can) =>
      /** @type {HTMLButtonElement} */ (named.get(action)).toggleAttribute("disabled", !can);
    allow("undo", state.game.moves.length > 0);
    allow("redo", state.undone.length > 0);
    allow("hint", isPersonsTurn(state));
    allow("resign", !isOver(state));
  }

  frame.subscribe(() => {
    fillChoices();
    show();
  });
  game.store.subscribe(show);

  async function start() {
    opponents = await players();
    const resumed = await game.resume();
    fillChoices();
    if (!resumed) await game.begin(game.store.get());
  }
  start();
  show();
  return make("section", { class: "play" }, make("div", { class: "table" }, board.element), make("aside", {}, counts, status, actions, form));
}
