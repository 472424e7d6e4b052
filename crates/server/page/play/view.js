// @ts-check
// The view in which a game is played: the board, the players, what is going on, what can be done, the next game.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { asFault, Gone, players } from "../base/client.js";
import { button, make } from "../base/dom.js";
import { slice } from "../base/store.js";
import { addressOf } from "../analyse/link.js";
import { createCards } from "./cards.js";
import { createChoice } from "./choice.js";
import { canUndo, createGame, isOver, isPersonsTurn, position } from "./model.js";
import { news } from "./news.js";

const ACTIONS = /** @type {const} */ (["undo", "redo", "hint", "resign"]);

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 * @param {import("../base/toast.js").Toast} toast
 */
export function createPlayView(state, speech, toast) {
  const store = slice(state, "play");
  const game = createGame(store);
  const board = createBoard({ onChoose: game.play, ...describer(speech) });
  const choice = createChoice(store, speech, game.begin);

  const status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  const actions = Object.fromEntries(
    ACTIONS.map((action) => [action, speech.says(button(action, () => game[action]()), action)]),
  );
  const retry = speech.says(button("retry", start, "main"), "retry");
  const analyse = speech.says(button("analyse-game", toAnalysis), "analyseGame");
  const moves = make("p", { class: "transcript" });

  function toAnalysis() {
    const { game: played, start: from, variant, size } = store.get();
    if (played === null) return;
    const line = played.moves.filter((move) => move !== "pass").join("");
    location.hash = addressOf({ variant, size, start: from, line, at: String(played.moves.length) });
  }

  function show() {
    const now = store.get();
    status.textContent = news(now, speech);
    status.classList.toggle("fault", now.error !== null);
    retry.hidden = now.error === null;
    const here = position(now);
    if (here === null || now.game === null) {
      for (const one of [...Object.values(actions), analyse]) one.setAttribute("disabled", "");
      return;
    }
    const last = now.game.moves.findLast((move) => move !== "pass") ?? null;
    board.show(here, now.game.size, { last, playable: isPersonsTurn(now), hint: now.hint });
    moves.textContent = now.game.moves.map((move) => (move === "pass" ? "–" : move)).join(" ");
    const can = {
      undo: canUndo(now),
      redo: now.undone.length > 0,
      hint: isPersonsTurn(now),
      resign: !isOver(now),
    };
    for (const action of ACTIONS) actions[action].toggleAttribute("disabled", !can[action]);
    analyse.toggleAttribute("disabled", now.game.moves.length === 0);
  }

  speech.always(show);
  store.subscribe(show);

  /** Goes on with the last game or begins one; also after the server was gone. */
  async function start() {
    try {
      choice.setPlayers(await players());
      if (store.get().game !== null) return await game.retry();
      if (!(await game.resume())) await game.begin(store.get());
    } catch (error) {
      store.set({ gone: error instanceof Gone, error: asFault(error) });
    }
  }
  start();
  return make(
    "section",
    { class: "play" },
    make("div", { class: "table" }, board.element),
    make(
      "aside",
      {},
      createCards(store, speech),
      make("div", { class: "card talk" }, status, retry, make("div", { class: "actions" }, ...Object.values(actions)), moves, analyse),
      choice.element,
    ),
  );
}
