// @ts-check
// A game that is analysed: its tree, the place that is looked at, and what is known of it. No drawing.

import { about, AGAIN, asFault, Fault, Gone } from "../base/client.js";
import { createHistory } from "../base/history.js";
import { createQueue } from "../base/queue.js";
import { faultOf, sharedBy } from "./link.js";
import { readFile, readLink, readOn, readText } from "./reading.js";
import { createSocket } from "./socket.js";
import { readNotes, writeNotes } from "./notes.js";
import { writeControls } from "./controls.js";
import { here } from "./state.js";
import { keyOf, lineThrough, movesOf, promoted, wayTo, withGame, without, written } from "./tree.js";

/**
 * @typedef {import("../../types/api").ReviewedMove} ReviewedMove
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./link.js").Shared} Shared
 * @typedef {import("../base/speech.js").Phrase} Phrase
 * @typedef {import("./state.js").Analysis} Analysis
 * @typedef {import("./state.js").Editing} Editing
 * @typedef {ReturnType<typeof createAnalysis>} AnalysisModel
 */

/** What is shown where an address cannot be followed. */
const BEGINNING = { variant: "reversed", size: 8, start: "start", line: "", at: "" };

/** What a shared address says of this. @param {Readonly<Analysis>} state */
export function shared({ variant, size, start, tree, at, record, notes: all }) {
  const notes = writeNotes(all);
  if (tree === null) return { variant, size, start, line: "", at: "", notes, record };
  const main = lineThrough(tree, 0);
  const ply = main.indexOf(at);
  const moves = movesOf(tree, wayTo(tree, at));
  return { variant, size, start, line: written(tree), at: ply >= 0 ? String(ply) : moves.join(""), notes, record };
}

/** Whether there is something to lose. @param {Readonly<Analysis>} state */
const isWorthKeeping = ({ tree, start }) => tree !== null && (tree.length > 1 || start !== "start");

/**
 * @param {import("../base/store.js").Holdable<Analysis>} store
 * @param {import("../base/toast.js").Toast["offerUndo"]} offerUndo
 * @param {(move: string) => void} onWait a move waits for the server to come back
 */
export function createAnalysis(store, offerUndo, onWait) {
  const position = createSocket((answer) => {
    if ("moves" in answer && answer.depth >= store.get().depth) store.set({ scored: answer.moves, depth: answer.depth });
    if ("done" in answer) store.set({ done: true });
    if ("error" in answer) refused(answer, "position");
  }, () => lost("position"));
  const game = createSocket((answer) => {
    const { tree, at, judged } = store.get();
    if ("done" in answer) store.set({ judging: false });
    if ("error" in answer) refused(answer, "line");
    if (!("judged" in answer) || tree === null) return;
    const place = lineThrough(tree, at)[answer.judged.ply];
    if (place === undefined) return;
    const key = keyOf(tree, place);
    // A branch is judged from its beginning; what is known of the moves before it stays until it is looked at deeper.
    const known = judged[key];
    if (known && (known.exact || known.depth > answer.judged.depth)) return;
    store.set({ judged: { ...judged, [key]: answer.judged } });
  }, () => lost("line"));
  /** The position that is shown, the one that was asked about, and the line whose moves are reviewed. */
  const asked = { shown: "", position: "", line: "" };
  /** What is done with the game waits for what was done before: a click means the position that comes of it. */
  const inTurn = createQueue();
  /** @typedef {Readonly<Analysis> & { isNote?: boolean }} Step that of a note is to the other notes alone: moves may have come since */
  const history = createHistory(/** @param {Step} [target] @returns {Step} */ (target) => ({ ...store.get(), isNote: target?.isNote }), restore, isSame);

  /** Whether a step would change nothing of this. @param {Step} step @param {Step} now */
  function isSame({ tree, editing, notes, isNote }, now) {
    const isOtherGame = tree?.[0].position !== now.tree?.[0].position;
    return isNote ? isOtherGame || notes === now.notes : tree === now.tree && editing === now.editing;
  }
  /** How many addresses have been opened: only the last one is wanted. */
  let opened = 0;
  /** The address that could not be opened because the server was gone. @type {Shared | null} */
  let waiting = null;
  /** The line that could not be added because the server was gone, and where it was to be. @type {{ game: unknown, at: number, moves: string[] } | null} */
  let unplayed = null;
  /** Whether the page is visible. */
  let awake = true;
  let reconnecting = false;
  /** Ends a search whose time is limited. */
  let timer = 0;

  /** Clears an old fault, unless it lasts. */
  function forgive() {
    const { error, lead } = store.get();
    const lasting = error instanceof Gone ? error : null;
    if (error !== lasting || lead !== "failed") store.set({ error: lasting, lead: "failed" });
  }

  /** Does something that may fail, and tells if it does. @param {() => Promise<void>} action */
  async function attempt(action) {
    try {
      forgive();
      await action();
      if (store.get().error instanceof Gone) store.set({ error: null });
    } catch (error) {
      store.set({ error: asFault(error) });
      if (error instanceof Gone) lost();
    }
  }

  /** @param {import("../../types/api").ApiFault} answer @param {"position" | "line"} question */
  function refused({ code, params, error }, question) {
    store.set({ error: new Fault(code, params, error) });
    if (code === "busy") lost(question);
    else if (question === "position") store.set({ done: true });
  }

  /** The server is gone: asks again, also the question that was lost, as soon as it answers. @param {"position" | "line"} [question] */
  async function lost(question) {
    if (question) asked[question] = "";
    if (reconnecting || !awake) return;
    reconnecting = true;
    for (let answers = false; awake && !answers; ) {
      const error = await about().then(() => null, asFault);
      answers = !(error instanceof Gone);
      if (!answers) store.set({ error });
      else if (store.get().error instanceof Gone) store.set({ error: null });
      // Also one that answers may be too busy for the question.
      await new Promise((done) => setTimeout(done, AGAIN));
    }
    reconnecting = false;
    if (store.get().error?.code === "busy") store.set({ error: null });
    if (!awake) return;
    if (waiting !== null) open(waiting);
    else think();
    playUnplayed();
  }

  /** Adds the line that waited, unless something else is looked at by now. */
  function playUnplayed() {
    const { game, at, moves } = unplayed ?? { game: null, at: 0, moves: [] };
    unplayed = null;
    add((state) => (moves.length > 0 && state.tree?.[0].position === game && state.at === at ? moves : null));
  }

  // What could not be fetched may come now.
  addEventListener("online", () => {
    if (store.get().error === null) return;
    asked.position = asked.line = "";
    store.set({ error: null });
    think();
  });

  /** @param {string[]} moves */
  const text = (moves) => {
    const { variant, size, start } = store.get();
    return { variant, size, start, moves: moves.join("") };
  };

  /** Thinks about the place that is looked at, and about the game, unless that has been asked already. */
  function think() {
    const { tree, at, analyst, isOn, limit, threads } = store.get();
    if (tree === null || !awake) return;
    const here = text(movesOf(tree, wayTo(tree, at)));
    const name = JSON.stringify(here);
    if (name !== asked.shown) store.set({ scored: [], scoredAt: here.moves, depth: 0, done: false });
    asked.shown = name;
    const { over, pass } = tree[at].position;
    if (!isOn) return stop();
    const [unit, most] = [limit[0], Number(limit.slice(1))];
    if (over || pass) position.stop();
    else if (name !== asked.position) {
      position.ask(here, false, unit === "d" ? `${analyst}:depth=${most}` : analyst, threads);
      clearTimeout(timer);
      if (unit === "s") timer = setTimeout(() => (position.stop(), store.set({ done: true })), most * 1000);
    }
    asked.position = name;
    const whole = text(movesOf(tree, lineThrough(tree, at)));
    const line = JSON.stringify(whole);
    if (line === asked.line) return;
    asked.line = line;
    if (whole.moves === "") game.stop();
    else game.ask(whole, true, analyst, threads);
    store.set({ judging: whole.moves !== "" });
  }

  /** Nobody thinks any more. */
  function stop() {
    position.stop();
    game.stop();
    const { done, judging } = store.get();
    if (!done) asked.position = "";
    if (judging) asked.line = "";
  }

  /** @param {Tree} tree @param {number} at */
  function look(tree, at) {
    store.set({ tree, at });
    forgive();
    think();
  }

  /**
   * Adds moves after a place, with passes where one must; where and which is known when it is this action's turn.
   * @param {(state: Readonly<Analysis>) => string[] | null} line all moves from the beginning; nothing if they are none here
   */
  function add(line) {
    const game = store.get().tree?.[0].position;
    const isSame = () => store.get().tree?.[0].position === game;
    return inTurn(async () => {
      const moves = isSame() ? line(store.get()) : null;
      if (moves === null) return;
      // Of several that wait the last one is meant.
      unplayed = null;
      await attempt(async () => {
        const read = await readOn(text(moves)).catch((error) => {
          if (error instanceof Gone) {
            unplayed = { game, at: store.get().at, moves };
            onWait(moves[moves.length - 1]);
          }
          throw error;
        });
        const { tree } = store.get();
        if (tree === null || !isSame()) return;
        const added = withGame(tree, read);
        look(added.tree, added.at);
      });
    });
  }

  /** @typedef {import("./reading.js").Read & { judged?: Record<string, ReviewedMove>, notes?: Analysis["notes"] }} Kept */
  /** Shows another game. @param {Kept} game @param {Editing | null} [editing] */
  function set({ variant, size, start, tree, at, record, judged = {}, notes = {} }, editing = null) {
    asked.position = asked.line = "";
    waiting = null;
    store.set({ variant, size, start, record, judged, notes, editing });
    look(tree, at);
  }
  /** Shows another game; the first one leaves open what a reload found being set up. @param {Kept} game */
  const setUnder = (game) => set(game, store.get().tree === null ? store.get().editing : null);

  /** @param {Step} before */
  function restore(before) {
    const { tree, editing, notes, isNote } = before;
    if (isNote) return store.set({ notes });
    if (tree !== null && tree !== store.get().tree) set({ ...before, tree });
    store.set({ editing });
  }
  /** Reports what was done, and offers to undo it and what was done before. @param {Phrase} phrase */
  const offer = (phrase) => offerUndo(phrase, history.canUndo() ? undo : null, history.canRedo() ? redo : null);
  const undo = () => inTurn(() => history.undo() && offer("undone"));
  const redo = () => inTurn(() => history.redo() && offer("redone"));

  /** Does something that puts another tree in the place of this one, and offers to undo it. @param {Phrase} phrase @param {() => void} action */
  function replacing(phrase, action) {
    const before = store.get();
    action();
    if (before.tree === store.get().tree || !isWorthKeeping(before)) return;
    history.remember(before);
    offer(phrase);
  }

  /** Shows what an address shares; as much of it as can be shown, with the fault over it. @param {Shared} link @param {(game: Kept) => void} [show] */
  function open(link, show = setUnder) {
    const mine = ++opened;
    const isWanted = () => mine === opened;
    return inTurn(async () => {
      if (!isWanted()) return;
      let fault = faultOf(link);
      waiting = null;
      if (fault === null) {
        await attempt(async () => {
          const read = await readLink(link, isWanted);
          if (read === null) return;
          show({ ...read, notes: readNotes(link.notes) });
          fault = read.fault;
        });
        fault ??= store.get().error;
      }
      if (fault instanceof Gone) waiting = link;
      if (fault === null || waiting !== null) return;
      if (store.get().tree === null) await attempt(async () => setUnder(/** @type {Kept} */ (await readLink(BEGINNING, () => true))));
      if (!(store.get().error instanceof Gone)) store.set({ error: fault, lead: "badLink" });
    });
  }
  /** @param {Kept} game */
  const setOver = (game) => replacing("replaced", () => set(game));

  return {
    store,
    open,
    /** Opens another game over this one, which can be undone. @param {Shared} link */
    openOver: (link) => open(link, setOver),
    undo,
    redo,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    /** Changes what is set up, which can be undone. @param {Editing | null} editing @param {Phrase} [phrase] reported */
    setUp(editing, phrase) {
      history.remember(store.get());
      store.set({ editing });
      if (phrase) offer(phrase);
    },
    /** Changes the notes; a new step can be undone. @param {Analysis["notes"]} notes @param {boolean} isStep */
    annotate(notes, isStep) {
      if (isStep) history.remember({ ...store.get(), isNote: true });
      store.set({ notes });
    },
    /** Turns the engine on or off, or limits it otherwise. @param {Partial<import("./controls.js").Controls>} patch */
    control(patch) {
      store.set(patch);
      writeControls(store.get());
      // What was found of this position would not be of the next one.
      if (!store.get().isOn) (stop(), store.set({ scored: [], depth: 0 }));
      if ("limit" in patch || patch.isOn) asked.shown = asked.position = "";
      if ("threads" in patch) asked.position = asked.line = "";
      think();
    },
    /** Makes the line that is looked at the main one. */
    promote: () =>
      inTurn(() =>
        replacing("promotedLine", () => {
          const { tree, at } = store.get();
          if (tree !== null) look(promoted(tree, at), at);
        }),
      ),
    /** Has another player analyse. @param {string} analyst */
    setAnalyst(analyst) {
      asked.shown = asked.position = asked.line = "";
      store.set({ analyst, judged: {} });
      think();
    },
    /** The same moves under the rules of the other game. @param {string} variant */
    setVariant: (variant) => open({ ...shared(store.get()), variant }),
    /**
     * Reads a game or a position in any format, from a text, a file or an address of this page, and tells whether it could.
     * @param {string | File} pasted
     * @param {string} variant
     * @param {number} size
     */
    async paste(pasted, variant, size) {
      const link = typeof pasted === "string" ? sharedBy(pasted.slice(Math.max(0, pasted.indexOf("#")))) : null;
      if (link !== null) await open(link, setOver);
      else {
        await inTurn(async () => {
          await attempt(async () => setOver(await readText(pasted instanceof File ? await readFile(pasted) : pasted, variant, size)));
          if (store.get().error !== null) store.set({ lead: "refused" });
        });
      }
      return store.get().error === null;
    },
    /** Plays on where one is when all clicks before have been dealt with. @param {string} square */
    play: (square) =>
      add((state) => {
        const isLegal = here(state)?.legal.some((move) => move.move === square);
        if (!isLegal || state.tree === null) return null;
        const moves = [...movesOf(state.tree, wayTo(state.tree, state.at)), square];
        // What a guess costs is only known if somebody looks.
        if (state.isHidden) store.set({ guessed: [...state.guessed, moves.join("")], isOn: true });
        return moves;
      }),
    /** Adds a line after the position that it belongs to. @param {string} from the moves to it @param {string[]} moves */
    add: (from, moves) => add(() => [from, ...moves]),
    /** @param {number} place */
    go: (place) =>
      inTurn(() => {
        const { tree, at } = store.get();
        if (tree !== null && place !== at && tree[place]) look(tree, place);
      }),
    /** So many moves on or back along the line that is looked at. @param {number} by */
    step: (by) =>
      inTurn(() => {
        const { tree, at } = store.get();
        if (tree === null) return;
        const line = lineThrough(tree, at);
        const ply = line.indexOf(at) + by;
        look(tree, line[Math.max(0, Math.min(line.length - 1, ply))]);
      }),
    /** Takes the place that is looked at away, with all that follows. */
    prune: () =>
      inTurn(() =>
        replacing("pruned", () => {
          const { tree, at } = store.get();
          if (tree === null || at === 0) return;
          // A pass goes with the move before it: it would be made again at once.
          const { move, parent } = tree[at];
          const pruned = without(tree, move === "pass" && parent ? parent : at);
          look(pruned.tree, pruned.at);
        }),
      ),
    /** Somebody looks. */
    wake() {
      awake = true;
      if (waiting !== null || store.get().error instanceof Gone) lost();
      else think();
    },
    /** Nobody looks any more. */
    rest() {
      awake = false;
      stop();
    },
  };
}
