// @ts-check
// The view in which a game or a position is analysed.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { button, make } from "../base/dom.js";
import { slice } from "../base/store.js";
import { createEditor, editedPosition } from "./editor.js";
import { createEngine } from "./engine.js";
import { addressOf, MOST_BRANCHES, sharedBy } from "./link.js";
import { createMistakes } from "./mistakes.js";
import { createAnalysis, here, shared } from "./model.js";
import { ending } from "../play/news.js";
import { createMoves } from "./moves.js";
import { squareScores } from "./scores.js";
import { createTools } from "./tools.js";

/** How long the address waits for the next change before it follows. */
const ADDRESS_AFTER = 250;

/** Keys that step through the game, wherever the focus is but on the board and in fields. @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 };

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 * @param {import("../base/toast.js").Toast} toast
 */
export function createAnalyseView(state, speech, toast) {
  const store = slice(state, "analyse");
  const frame = slice(state, "frame");
  const analysis = createAnalysis(store);
  const editor = createEditor(analysis, speech);
  const board = createBoard({
    onChoose: (square) => (store.get().editing ? editor.put(square) : analysis.play(square)),
    ...describer(speech),
  });
  const status = make("p", { class: "status", role: "status" });
  const steps = /** @type {const} */ ([["first", -1000, "«"], ["back", -1, "‹"], ["on", 1, "›"], ["end", 1000, "»"]]);
  const prune = speech.named(button("prune", analysis.prune), "prune");
  prune.append("×");
  const walk = make(
    "div",
    { class: "walk", role: "group" },
    ...steps.map(([name, by, sign]) => {
      const made = speech.named(button(name, () => analysis.step(by)), name);
      made.append(sign);
      return made;
    }),
    prune,
  );

  function showBoard() {
    const now = store.get();
    if (now.editing) {
      board.show(editedPosition(now.editing), now.editing.size, {});
      return;
    }
    const position = here(now);
    if (position === null || now.tree === null) return;
    const { move } = now.tree[now.at];
    const last = /^[a-h]/.test(move) ? move : null;
    board.show(position, now.size, { last, playable: true, scores: squareScores(now.thoughts) });
  }

  /** @param {Readonly<import("./model.js").Analysis>} now @param {string} error */
  function fault({ gone, badLink }, error) {
    if (gone) return speech.words("gone");
    if (badLink === null) return speech.words("failed", { error });
    return speech.words("badLink", { error: badLink === "" ? error : speech.words(badLink, { most: MOST_BRANCHES }) });
  }

  function showStatus() {
    const now = store.get();
    const { words } = speech;
    const position = here(now);
    if (now.error !== null) status.textContent = fault(now, now.error);
    else if (position !== null) {
      const counts = `${words("black")} ${position.black} · ${words("white")} ${position.white}`;
      const turn = position.over ? ending(position, now.variant, speech) : words("turn", { side: words(position.side) });
      status.textContent = `${words(now.variant === "reversed" ? "reversedShort" : "reversiShort")} · ${counts} · ${turn}`;
    }
    status.classList.toggle("fault", now.error !== null);
  }

  let timer = 0;
  /** The address says what is shown, so that it can be shared and gone back to. */
  function follow() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { tree, editing } = store.get();
      if (frame.get().view !== "analyse" || tree === null || editing) return;
      history.replaceState(null, "", addressOf(shared(store.get())));
    }, ADDRESS_AFTER);
  }

  store.subscribe((now, before) => {
    showBoard();
    showStatus();
    if (now.tree !== before.tree || now.at !== before.at) follow();
  });
  speech.always(() => {
    showBoard();
    showStatus();
  });

  /** Shows what the address says, if it says anything that is not shown already. */
  function read() {
    const link = sharedBy(location.hash);
    if (link !== null && addressOf(link) === addressOf(shared(store.get()))) return analysis.think();
    if (link !== null) return analysis.open(link);
    if (store.get().tree === null) return analysis.open({ variant: "reversed", size: 8, start: "start", line: "", at: "" });
    analysis.think();
    follow();
  }
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#/analyse")) read();
    else analysis.rest();
  });
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const by = KEYS[event.key];
    if (frame.get().view !== "analyse" || by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.closest?.("[data-square], input, textarea, select, dialog")) return;
    event.preventDefault();
    analysis.step(by);
  });
  read();

  const tools = createTools(analysis, speech, editor.begin);
  const engine = createEngine(analysis, speech);
  const list = make("div", { class: "card list" }, createMoves(analysis, speech));
  store.subscribe((now, before) => {
    if (now.editing === before.editing) return;
    for (const part of [engine, list]) part.hidden = now.editing !== null;
  });
  const legend = speech.says(make("p", { class: "quiet legend" }), "legend");
  return make(
    "section",
    { class: "analyse" },
    make("div", { class: "table" }, board.element),
    make(
      "aside",
      {},
      make("div", { class: "part" }, walk, tools, make("div", { class: "headline" }, status), editor.element, engine, legend),
      make("div", { class: "part" }, list, createMistakes(analysis, speech)),
    ),
  );
}
