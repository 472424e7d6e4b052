// @ts-check
// The view in which a game is played: the board, the players, what is going on, what can be done, other games.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { asFault, Gone, players } from "../base/client.js";
import { button, make } from "../base/dom.js";
import { prefers } from "../base/preferences.js";
import { onKeys, onWheel } from "../base/shortcuts.js";
import { slice } from "../base/store.js";
import { addressOf } from "../analyse/link.js";
import { createCards } from "./cards.js";
import { createChoice } from "./choice.js";
import { createFinish } from "./finish.js";
import { createLadder } from "./ladder.js";
import { createGame } from "./model.js";
import { createMoveList } from "./moves.js";
import { news } from "./news.js";
import { canUndo, HUMAN, isOver, isPersonsTurn, shownPosition } from "./state.js";
import { watchForReturn } from "./returning.js";
import { isLadderGame, levelOf, LEVELS, proposed } from "./levels.js";
import { createSettings } from "./settings.js";
import { createSounds } from "./sound.js";
import { createUnfinished } from "./unfinished.js";

const ACTIONS = /** @type {const} */ (["undo", "redo", "hint", "resign"]);

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 * @param {import("../base/toast.js").Toast} toast
 */
export function createPlayView(state, speech, toast) {
  const store = slice(state, "play");
  const game = createGame(store, toast.hide);
  const board = createBoard({ onChoose: game.play, ...describer(speech), asksTwice: () => prefers("twoTouches") });
  createSounds(store);
  const choice = createChoice(store, speech, begin);
  const unfinished = createUnfinished(game, speech);

  /** @param {string} action @param {() => void} act @param {import("../base/speech.js").Phrase} phrase */
  const named = (action, act, phrase, className = "") => speech.says(button(action, act, className), phrase);
  const acts = { undo: game.undo, redo: game.redo, hint: game.hint, resign };
  const actions = Object.fromEntries(ACTIONS.map((action) => [action, named(action, acts[action], action)]));
  const status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  const retry = named("retry", start, "retry", "main");
  const present = named("present", () => game.view(Infinity), "present", "main");
  const follow = named("follow", game.follow, "follow", "main");
  const branch = named("branch", game.branch, "branch");
  const analyse = named("analyse-game", toAnalysis, "analyseGame");
  const talk = make("div", { class: "card talk unplayed" }, status, createFinish(store, speech, begin), createLadder(store, speech, begin), retry, present, follow, branch, createMoveList(store, speech, game.view), analyse);

  /** @param {import("./state.js").Choice} chosen */
  function begin(chosen) {
    const before = game.snapshot();
    game.begin(chosen);
    // On a phone the button is below the board.
    scrollTo(0, 0);
    if (before.state.game?.moves.length) toast.offerUndo("begun", () => game.restore(before));
  }
  function resign() {
    const before = game.snapshot();
    game.resign();
    toast.offerUndo("resigned", () => game.restore(before));
  }
  function toAnalysis() {
    const { game: played, start: from, variant, size, viewed } = store.get();
    if (played === null) return;
    const line = played.moves.filter((move) => move !== "pass").join("");
    location.hash = addressOf({ variant, size, start: from, line, at: String(viewed ?? played.moves.length) });
  }

  function show() {
    const now = store.get();
    status.textContent = news(now, speech);
    status.classList.toggle("fault", now.error !== null);
    // Before the first move there is one sentence to read, the ladder's.
    const isFirst = now.error === null && now.game?.moves.length === 0 && isPersonsTurn(now) && isLadderGame(now);
    status.classList.toggle("unseen", isFirst && now.hint === null);
    // A hint takes its place, so that nothing moves.
    status.classList.toggle("instead", isFirst && now.hint !== null);
    retry.hidden = now.error === null;
    present.hidden = now.viewed === null;
    follow.hidden = branch.hidden = !now.taken;
    const here = shownPosition(now);
    if (here === null || now.game === null) {
      for (const one of Object.values(actions)) one.setAttribute("disabled", "");
      return board.rest();
    }
    // There is room for the moves as soon as one can come without a person's doing.
    talk.classList.toggle("unplayed", now.game.moves.length === 0 && isPersonsTurn(now));
    const last = now.game.moves.slice(0, now.viewed ?? undefined).findLast((move) => move !== "pass") ?? null;
    board.show(here, now.game.size, { last, playable: isPersonsTurn(now) && now.viewed === null, hint: now.hint });
    const can = {
      undo: canUndo(now),
      redo: now.undone.length > 0 && !now.taken,
      hint: isPersonsTurn(now),
      resign: !isOver(now) && !now.taken,
    };
    for (const action of ACTIONS) actions[action].toggleAttribute("disabled", !can[action]);
  }
  speech.always(show);
  store.subscribe(show);

  /** Looks at a position so many moves before or after the one that is shown. @param {number} by */
  function step(by) {
    const { game: played, viewed } = store.get();
    if (played === null) return;
    game.view(Math.max(0, (viewed ?? played.moves.length) + by));
  }
  onWheel(board.element, step);
  onKeys(slice(state, "frame"), "play", {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-1000),
    End: () => step(1000),
    f: () => (board.turnAround(), show()),
  });

  /** Begins a game from the position and against the player that the address names; tells whether it names a position. */
  function playFrom() {
    const query = new URLSearchParams(/^#\/play\?(.*)$/.exec(location.hash)?.[1] ?? "");
    const start = query.get("start")?.replace("_", " ");
    if (!start) return false;
    history.replaceState(null, "", "#/play");
    const variant = query.get("game") === "reversi" ? "reversi" : "reversed";
    const size = [4, 6, 8].find((side) => side === Number(query.get("size"))) ?? 8;
    const named = query.get("other") ?? "";
    const other = named === HUMAN || (levelOf(named) >= 1 && levelOf(named) <= LEVELS) ? named : `turncoat:level=${proposed(variant) ?? 3}`;
    const [black, white] = start.endsWith("O") ? [other, HUMAN] : [HUMAN, other];
    begin({ variant, size, black, white, control: "none", start });
    return true;
  }

  /** The game that the address wants resumed; the address is then the view's own again. */
  function wanted() {
    const id = /^#\/play\?resume=(\d+)$/.exec(location.hash)?.[1];
    if (id === undefined) return null;
    history.replaceState(null, "", "#/play");
    return Number(id);
  }

  /** Goes on with the game of the address or the last one, or begins one; also after the server was gone. */
  async function start() {
    try {
      const all = await players();
      choice.setPlayers(all);
      game.setPlayers(all);
      unfinished.refresh();
      if (store.get().game !== null) return await game.retry();
      if (playFrom()) return;
      const id = wanted();
      if (id !== null) await game.resume(id);
      if (store.get().game !== null) return;
      const { error } = store.get();
      if (!(await game.resumeLast())) await game.begin({ ...store.get(), start: "start" });
      // The game that was asked for is missing, which is said above the current one.
      if (error !== null) store.set({ error });
    } catch (error) {
      store.set({ gone: error instanceof Gone, error: asFault(error) });
    }
  }
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#/play") || playFrom()) return;
    const id = wanted();
    if (id === null) unfinished.refresh();
    else game.resume(id);
  });
  start();
  watchForReturn(store, start);
  return make(
    "section",
    { class: "play" },
    make("div", { class: "table" }, board.element),
    make(
      "aside",
      { role: "presentation" },
      make(
        "div",
        { class: "part" },
        createCards(store, speech),
        make("div", { class: "actions" }, ...Object.values(actions)),
        talk,
      ),
      make("div", { class: "part" }, choice.element, createSettings(speech), unfinished.element),
    ),
  );
}
