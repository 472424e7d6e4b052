// @ts-check
// A game that is analysed: its tree, the place that is looked at, and what is known of it. No drawing.

import { Gone, readGame } from "../base/client.js";
import { faultOf } from "./link.js";
import { createThinker } from "./thinking.js";
import { lineThrough, linesOf, movesOf, newTree, wayTo, withGame, without, written } from "./tree.js";

/**
 * @typedef {import("../base/client.js").Chosen} Chosen
 * @typedef {import("../base/client.js").Judged} Judged
 * @typedef {import("../base/client.js").Side} Side
 * @typedef {import("../base/client.js").GameView} GameView
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./link.js").Shared} Shared
 * @typedef {"black" | "white" | "empty"} Tool
 * @typedef {{ variant: string, size: number, cells: string, side: Side, tool: Tool, fault: string | null }} Editing
 * @typedef {{
 *   variant: string, size: number, start: string,
 *   tree: Tree | null, at: number,
 *   thoughts: Chosen[], depth: number, done: boolean,
 *   judged: Record<string, Judged>, judging: boolean,
 *   editing: Editing | null, error: string | null, gone: boolean, badLink: import("./link.js").LinkFault | "" | null,
 * }} Analysis
 *
 * `badLink` says that the error is one of the address: what is wrong with it, or nothing if the error tells it.
 */

/** What is shown where an address cannot be followed. */
const BEGINNING = { variant: "reversed", size: 8, start: "start", line: "", at: "" };

/** @returns {Analysis} */
export const firstAnalysis = () => ({
  variant: "reversed",
  size: 8,
  start: "start",
  tree: null,
  at: 0,
  thoughts: [],
  depth: 0,
  done: false,
  judged: {},
  judging: false,
  editing: null,
  error: null,
  gone: false,
  badLink: null,
});

/** The name of a place among judged moves: the moves to it. @param {Tree} tree @param {number} place */
export const keyOf = (tree, place) => movesOf(tree, wayTo(tree, place)).join("");

/** The position that is looked at. @param {Readonly<Analysis>} state */
export const here = (state) => state.tree?.[state.at].position ?? null;

/** What a shared address says of this. @param {Readonly<Analysis>} state */
export function shared({ variant, size, start, tree, at }) {
  if (tree === null) return { variant, size, start, line: "", at: "" };
  const main = lineThrough(tree, 0);
  const ply = main.indexOf(at);
  const moves = movesOf(tree, wayTo(tree, at)).filter((move) => move !== "pass");
  return { variant, size, start, line: written(tree), at: ply >= 0 ? String(ply) : moves.join("") };
}

/** @param {import("../base/store.js").Store<Analysis>} store */
export function createAnalysis(store) {
  const position = createThinker((answer) => {
    if (answer.moves) store.set({ thoughts: answer.moves, depth: answer.depth ?? 0 });
    if (answer.done) store.set({ done: true });
    if (answer.error) store.set({ error: answer.error });
  });
  const game = createThinker((answer) => {
    const { tree, at, judged } = store.get();
    if (answer.done) store.set({ judging: false });
    if (!answer.judged || tree === null) return;
    const place = lineThrough(tree, at)[answer.judged.ply];
    if (place === undefined) return;
    const key = keyOf(tree, place);
    // A branch is judged from its beginning; what is known of the moves before it stays until it is looked at deeper.
    const known = judged[key];
    if (known && (known.exact || known.depth > answer.judged.depth)) return;
    store.set({ judged: { ...judged, [key]: answer.judged } });
  });
  /** The line whose moves are being judged. */
  let judgedLine = "";
  /** How many addresses have been opened: an older one must not come after a newer one. */
  let opened = 0;

  /** Does something that may fail, and tells if it does. @param {() => Promise<void>} action */
  async function attempt(action) {
    try {
      store.set({ error: null, badLink: null });
      await action();
      if (store.get().gone) store.set({ gone: false });
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      store.set({ error: told, gone: error instanceof Gone });
    }
  }

  /** @param {string[]} moves */
  const text = (moves) => {
    const { variant, size, start } = store.get();
    return { variant, size, start, moves: moves.join("") };
  };

  /** Thinks about the place that is looked at, and about the game if it is another one. */
  function think() {
    const { tree, at } = store.get();
    if (tree === null) return;
    store.set({ thoughts: [], depth: 0, done: false });
    const { over, pass } = tree[at].position;
    if (over || pass) position.stop();
    else position.ask(text(movesOf(tree, wayTo(tree, at))), false);
    const line = movesOf(tree, lineThrough(tree, at));
    if (line.join("") === judgedLine) return;
    judgedLine = line.join("");
    if (line.length === 0) game.stop();
    else game.ask(text(line), true);
    store.set({ judging: line.length > 0 });
  }

  /** @param {Tree} tree @param {number} at */
  function look(tree, at) {
    store.set({ tree, at, error: null, badLink: null });
    think();
  }

  /** Adds moves after the place that is looked at, with passes where one must. @param {string[]} moves */
  const add = (moves) =>
    attempt(async () => {
      const { tree, at } = store.get();
      if (tree === null) return;
      let read = await readGame(text([...movesOf(tree, wayTo(tree, at)), ...moves]));
      if (read.positions.at(-1)?.pass) read = await readGame(text([...read.moves, "pass"]));
      // Meanwhile there may be more branches, or quite another game.
      const now = store.get().tree;
      if (now === null || now[0].position !== tree[0].position) return;
      const added = withGame(now, read);
      look(added.tree, added.at);
    });

  /** Shows a game that was read, from its beginning or its end. @param {GameView} read @param {boolean} atEnd */
  function set(read, atEnd) {
    judgedLine = "";
    const begun = newTree(read.positions[0]);
    const { tree, at } = withGame(begun, read);
    store.set({ judged: {}, editing: null, variant: read.variant, size: read.size });
    store.set({ start: read.positions[0].position });
    look(tree, atEnd ? at : 0);
  }

  /**
   * Reads the lines of an address and shows them; tells what is wrong with branches that it leaves out.
   * @param {Shared} link
   * @param {number} mine
   */
  async function openLines({ variant, size, start, line, at }, mine) {
    const [first, ...others] = line === "" ? [""] : linesOf(line);
    const isPlace = !/^\d*$/.test(at);
    const read = await readGame({ variant, size, start, moves: first });
    /** @type {string | null} */
    let fault = null;
    /** @param {string} moves */
    const tryRead = async (moves) => {
      try {
        return await readGame({ variant, size, start, moves });
      } catch (error) {
        if (error instanceof Gone) throw error;
        fault ??= error instanceof Error ? error.message : String(error);
        return null;
      }
    };
    /** @type {(GameView | null)[]} */
    const branches = [];
    // One after the other: the server has others to serve.
    for (const moves of others) {
      if (mine !== opened) return null;
      branches.push(await tryRead(moves));
    }
    const place = isPlace ? await tryRead(at) : null;
    if (mine !== opened) return null;
    set(read, false);
    if (start === "start") store.set({ start });
    let found = { tree: /** @type {Tree} */ (store.get().tree), at: 0 };
    for (const branch of [...branches, place]) if (branch !== null) found = withGame(found.tree, branch);
    const main = lineThrough(found.tree, 0);
    const ply = isPlace ? 0 : Math.min(Number(at), main.length - 1);
    look(found.tree, place === null ? main[ply] : found.at);
    if (here(store.get())?.pass) await add([]);
    return fault;
  }

  return {
    store,
    /** Shows what an address shares; as much of it as can be shown, with the fault over it. @param {Shared} link */
    async open(link) {
      const mine = ++opened;
      const bad = faultOf(link);
      /** @type {string | null} */
      let fault = bad;
      if (bad === null) {
        await attempt(async () => {
          fault = await openLines(link, mine);
        });
        fault ??= store.get().error;
      }
      if (fault === null || mine !== opened || store.get().gone) return;
      if (store.get().tree === null) await attempt(async () => void (await openLines(BEGINNING, mine)));
      if (!store.get().gone) store.set({ error: fault, badLink: bad ?? "" });
    },
    /** Reads a game or a position in any format. @param {string} pasted @param {string} variant @param {number} size */
    paste: async (pasted, variant, size) => {
      await attempt(async () => set(await readGame({ variant, size, start: pasted, moves: "" }), true));
      if (store.get().error !== null) return false;
      if (here(store.get())?.pass) await add([]);
      return true;
    },
    /** @param {string} square */
    play: async (square) => {
      if (here(store.get())?.legal.some((move) => move.move === square)) await add([square]);
    },
    add,
    /** @param {number} place */
    go(place) {
      const { tree, at } = store.get();
      if (tree !== null && place !== at && tree[place]) look(tree, place);
    },
    /** So many moves on or back along the line that is looked at. @param {number} by */
    step(by) {
      const { tree, at } = store.get();
      if (tree === null) return;
      const line = lineThrough(tree, at);
      const ply = line.indexOf(at) + by;
      look(tree, line[Math.max(0, Math.min(line.length - 1, ply))]);
    },
    /** Takes the place that is looked at away, with all that follows. */
    prune() {
      const { tree, at } = store.get();
      if (tree === null || at === 0) return;
      const pruned = without(tree, at);
      look(pruned.tree, pruned.at);
    },
    think,
    /** Nobody looks any more. */
    rest() {
      position.stop();
      game.stop();
      judgedLine = "";
    },
  };
}
