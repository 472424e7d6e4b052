// @ts-check
// Games from addresses and from texts, read by the server.

import { asFault, Fault, Gone, readGame } from "../base/client.js";
import { NO_RECORD, recordOf, SIZES } from "./link.js";
import { property } from "./manygames.js";
import { lineThrough, newTree, withGame } from "./tree.js";

/**
 * @typedef {import("../base/client.js").GameText} GameText
 * @typedef {import("./link.js").Shared} Shared
 * @typedef {import("./link.js").Record} Record
 * @typedef {{ variant: string, size: number, start: string, tree: import("./tree.js").Tree, at: number, record: Readonly<Record> }} Read
 */

/** The longest text that is sent: the server takes 64 KiB with all that is around it. */
const LONGEST = 60_000;

/** The usual beginning on a board of this size. @param {number} size */
export function startCells(size) {
  const [low, high] = [size / 2 - 1, size / 2];
  const cells = Array(size * size).fill("-");
  cells[low * size + low] = cells[high * size + high] = "O";
  cells[low * size + high] = cells[high * size + low] = "X";
  return cells.join("");
}

/** A position that a game began with, as it is written in links: the usual one is short. @param {string} position @param {number} size */
export const startOf = (position, size) => (position === `${startCells(size)} X` ? "start" : position);

/** A game; if it ends where one must pass, with that pass, so that it can be played on. @param {GameText} game */
export async function readOn(game) {
  const read = await readGame(game);
  if (read.passed === null) return read;
  return { ...read, positions: [...read.positions, read.passed], moves: [...read.moves, "pass"], passed: null };
}

/**
 * What an address shares, with the fault of the first branch that had to be left out; nothing if it is not wanted any more.
 * @param {Shared} link
 * @param {() => boolean} wanted
 * @returns {Promise<(Read & { fault: Fault | null }) | null>}
 */
export async function readLink({ variant, size, start, line, at, record = NO_RECORD }, wanted) {
  const [first, ...others] = line === "" ? [""] : linesOf(line);
  /** @param {string} moves */
  const text = (moves) => ({ variant, size, start, moves });
  const game = await readOn(text(first));
  let { tree } = withGame(newTree(game.positions[0]), game);
  /** @type {Fault | null} */
  let fault = null;
  /** @param {Promise<import("../../types/api").GameView>} reading */
  const add = async (reading) => {
    try {
      const added = withGame(tree, await reading);
      tree = added.tree;
      return added.at;
    } catch (error) {
      if (error instanceof Gone) throw error;
      fault ??= asFault(error);
      return 0;
    }
  };
  // One after the other: the server has others to serve.
  for (const moves of others) {
    if (!wanted()) return null;
    await add(readOn(text(moves)));
  }
  const main = lineThrough(tree, 0);
  const place = /^\d*$/.test(at) ? main[Math.min(Number(at), main.length - 1)] : await add(readGame(text(at)));
  if (tree[place].position.pass && tree[place].children.length === 0) await add(readOn(text(at)));
  if (!wanted()) return null;
  return { variant, size: game.size, start: startOf(game.positions[0].position, game.size), tree, at: place, record, fault };
}

/** The properties of GGF that say who played where and when. */
const PROPERTIES = { black: "PB", white: "PW", event: "PC", date: "DT" };

/**
 * A game or a position in any format. A text that does not fit the board it is pasted over may fit another one.
 * @param {string} text
 * @param {string} variant
 * @param {number} size
 * @returns {Promise<Read>}
 */
export async function readText(text, variant, size) {
  if (new Blob([text]).size > LONGEST) throw new Fault("text-too-long", { most: LONGEST });
  const isGgf = /^\s*\d*\s*\(;/.test(text);
  const record = isGgf ? recordOf((field) => property(text, PROPERTIES[field])) : NO_RECORD;
  /** @type {unknown} */
  let first = null;
  for (const side of [size, ...SIZES.filter((known) => known !== size)]) {
    try {
      const game = await readOn({ variant, size: side, start: text, moves: "" });
      const start = startOf(game.positions[0].position, game.size);
      return { variant: game.variant, size: game.size, start, record, ...withGame(newTree(game.positions[0]), game) };
    } catch (error) {
      if (error instanceof Gone) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** The text of a file. @param {File} file */
export async function readFile(file) {
  const { name, size } = file;
  if (size > LONGEST) throw new Fault("file-too-large", { name, most: LONGEST });
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Fault("file-unreadable", { name });
  });
  const [first, second] = new Uint8Array(bytes);
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  let text = "\0";
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Told below.
  }
  if (text.includes("\0")) throw new Fault("file-binary", { name });
  return text;
}

/**
 * All lines of a written tree, the first branch of each place first.
 * @param {string} text
 * @returns {string[]}
 */
function linesOf(text) {
  /** @type {string[]} */
  const lines = [];
  let at = 0;
  /** @param {string} before @returns {string[]} */
  const read = (before) => {
    let line = before;
    /** @type {string[]} */
    const others = [];
    while (at < text.length && text[at] !== ")") {
      if (text[at] === "(") {
        at++;
        others.push(...read(line));
        at++;
      } else {
        line += text.slice(at, at + 2);
        at += 2;
      }
    }
    return [line, ...others];
  };
  while (at < text.length) {
    lines.push(...read(""));
    at++;
  }
  return lines;
}
