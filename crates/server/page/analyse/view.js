// @ts-check
// The view in which a game or a position is analysed.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { Gone } from "../base/client.js";
import { button, holdWhilePressed, make, setText } from "../base/dom.js";
import { holdable, slice } from "../base/store.js";
import { onKeys, onWheel } from "../base/shortcuts.js";
import { createBar } from "./bar.js";
import { createCollection } from "./collection.js";
import { createCompare } from "./compare.js";
import { createSecond } from "./second.js";
import { FIELDS } from "./drops.js";
import { createEditor, editedPosition } from "./editor.js";
import { createExplanation } from "./explain.js";
import { createExplorer } from "./explorer.js";
import { isAsking } from "./guess.js";
import { createEngine } from "./engine.js";
import { createLesson } from "./lesson.js";
import { addressOf, sharedBy } from "./link.js";
import { createMistakes } from "./mistakes.js";
import { createAnalysis, shared } from "./model.js";
import { createNotes } from "./notes.js";
import { ending } from "../play/news.js";
import { createMoves, createRecord } from "./moves.js";
import { squareScores } from "./scores.js";
import { here } from "./state.js";
import { createTools } from "./tools.js";
import { createVariantSwitch } from "./variant.js";

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
  const store = holdable(slice(state, "analyse"));
  const frame = slice(state, "frame");
  const played = slice(state, "play");
  const analysis = createAnalysis(store, toast.offerUndo, (move) => toast.tell(() => speech.words("playsLater", { move })));
  const editor = createEditor(analysis, speech);
  const lesson = createLesson(analysis, speech);
  const collection = createCollection(analysis, speech, tellFault);
  const board = createBoard({
    onChoose: (square) => (store.get().editing ? editor.put(square) : lesson.takes(square) || analysis.play(square)),
    ...describer(speech),
  });
  /** The view itself, once it is made. @type {HTMLElement | undefined} */
  let section;
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
    const isAsked = isAsking(now);
    board.show(position, now.size, { last, playable: true, scores: isAsked ? undefined : squareScores(now.scored) });
    section?.classList.toggle("asking", isAsked);
  }

  /** A fault in a sentence. @param {import("../base/client.js").Fault} error @param {import("./state.js").Lead} lead */
  const told = (error, lead) => (error instanceof Gone ? speech.fault(error) : speech.words(lead, { error: speech.fault(error) }));

  function showStatus() {
    const { error: fault, lead, editing } = store.get();
    const { variant } = editing ?? store.get();
    // The dialog tells its own faults.
    const error = fault instanceof Gone || !document.querySelector("dialog[open]") ? fault : null;
    const { words } = speech;
    const position = editing ? editedPosition(editing) : here(store.get());
    if (error !== null) setText(status, told(error, lead));
    else if (position !== null) {
      const counts = `${words("black")} ${position.black} · ${words("white")} ${position.white}`;
      const turn = position.over ? ending(position, variant, speech) : words("turn", { side: words(position.side) });
      setText(status, `${words(variant === "reversed" ? "reversedShort" : "reversiShort")} · ${counts} · ${turn}`);
    }
    status.classList.toggle("fault", error !== null);
    // A long fault has no more room than what it takes the place of.
    if (error === null) status.removeAttribute("title");
    else status.title = status.textContent;
  }

  let timer = 0;
  /** The address that was last read or written: another one is about to be read. */
  let known = location.hash;
  /** The address says what is shown, so that it can be shared and gone back to. */
  function follow() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { tree, editing } = store.get();
      if (location.hash !== known || frame.get().view !== "analyse" || tree === null || editing) return;
      history.replaceState(null, "", addressOf(shared(store.get())));
      known = location.hash;
    }, ADDRESS_AFTER);
  }

  store.subscribe((now, before) => {
    showBoard();
    showStatus();
    if (now.tree !== before.tree || now.at !== before.at) board.expect([], "black");
    if (now.tree !== before.tree || now.at !== before.at || now.notes !== before.notes) follow();
    if (now.incoming !== null) takeIn(now.incoming);
  });
  speech.always(() => {
    showBoard();
    showStatus();
  });

  /** The address that was last taken over from Play: as long as it is shown, Analyse has nothing of its own. */
  let taken = "";

  /** Shows what the address says, if it says anything that is not shown already. */
  function read() {
    known = location.hash;
    const { tree, variant, size } = store.get();
    const shown = tree === null ? "" : addressOf(shared(store.get()));
    const link = sharedBy(location.hash);
    const play = { ...played.get(), start: "start", line: "", at: "" };
    if (link !== null && addressOf(link) !== shown) analysis.open(link);
    else if (link === null && shown === taken && (tree === null || play.variant !== variant || play.size !== size)) {
      taken = addressOf(play);
      analysis.open(play);
    } else if (link === null) follow();
    editor.keep();
    if (!document.hidden) analysis.wake();
  }
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#/analyse")) read();
    else analysis.rest();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) analysis.rest();
    else if (frame.get().view === "analyse") analysis.wake();
  });

  /** Opens what was pasted or dropped, as the game that is shown if it does not say which. @param {string | File[]} pasted */
  async function takeIn(pasted) {
    const { variant, size } = store.get();
    store.set({ incoming: null });
    const isOpen = await collection.open(pasted, variant, size);
    if (isOpen) section?.querySelector("dialog")?.close();
    else tellFault();
  }
  /** Tells a fault where it is seen: the status may be out of sight; a dialog tells its own. */
  function tellFault() {
    const { error, lead } = store.get();
    if (error !== null && !section?.querySelector("dialog")?.open) toast.tell(() => told(error, lead));
  }
  addEventListener("keydown", (event) => {
    const { key, shiftKey, altKey } = event;
    const letter = key.toLowerCase();
    if (frame.get().view !== "analyse" || altKey || !(event.ctrlKey || event.metaKey) || !"zy".includes(letter)) return;
    if (/** @type {Element} */ (event.target).closest?.(`${FIELDS}, dialog`)) return;
    event.preventDefault();
    if (shiftKey || letter === "y") analysis.redo();
    else analysis.undo();
  });
  onWheel(board.element, analysis.step);
  /** The game cannot be seen while something is set up over it. @param {() => void} act */
  const inSight = (act) => () => store.get().editing === null && act();
  onKeys(frame, "analyse", {
    ...Object.fromEntries(Object.entries(KEYS).map(([key, by]) => [key, inSight(() => analysis.step(by))])),
    f: () => (board.turnAround(), showBoard()),
    l: () => analysis.control({ isOn: !store.get().isOn }),
    h: () => store.set({ isHidden: !store.get().isHidden }),
    " ": inSight(() => store.get().scored[0] && analysis.play(store.get().scored[0].move)),
  });
  if (document.hidden) analysis.rest();
  read();

  const tools = createTools(analysis, speech, toast, editor.begin, collection);
  const explanation = createExplanation(analysis, speech);
  const compare = createCompare(analysis, speech);
  const explorer = createExplorer(analysis, speech);
  const engine = createEngine(analysis, speech, explanation.analyst, (moves) => board.expect(moves, here(store.get())?.side ?? "black"));
  engine.append(createSecond(analysis, speech));
  const list = make("div", { class: "card list" }, createRecord(store, speech), createMoves(analysis, speech), createNotes(analysis, speech));
  const showParts = () => [engine, list, explanation.element, compare].forEach((part) => (part.hidden = store.get().editing !== null));
  store.subscribe((now, before) => now.editing !== before.editing && showParts());
  showParts();
  const legend = speech.says(make("p", { class: "quiet legend" }), "legend");
  const headline = make("div", { class: "headline" }, createVariantSwitch(analysis, speech), status);
  section = make(
    "section",
    { class: "analyse" },
    make("div", { class: "table" }, createBar(store, speech), board.element),
    make(
      "aside",
      { role: "presentation" },
      make("div", { class: "part" }, lesson.element, walk, tools, headline, editor.element, engine, explorer, legend, explanation.element, compare),
      make("div", { class: "part" }, collection.element, list, createMistakes(analysis, speech, lesson.beginning, board.element)),
    ),
  );
  holdWhilePressed(section, store);
  return section;
}
