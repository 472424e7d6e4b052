// @ts-check
// Files of many games, taken apart: WTHOR, GGF, and texts with one game or position a line.

/**
 * @typedef {{ text: string, who: string, result: string, moves: string, variant?: string }} Listed
 *   `text` is what is opened; `result` is Black's discs or lead, as far as the file says; `moves` begin the game.
 */

const [HEADER, RECORD, MOVES] = [16, 68, 60];
/** More than these are not listed. */
export const MOST = 20_000;

/** WTHOR: numbers of players instead of names, which are in another file. @param {Uint8Array} bytes @returns {Listed[]} */
function readWthor(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(view.getUint32(4, true), Math.floor((bytes.length - HEADER) / RECORD), MOST);
  return Array.from({ length: count }, (_, i) => {
    const at = HEADER + i * RECORD;
    const played = [...bytes.subarray(at + 8, at + 8 + MOVES)].filter((byte) => byte > 0);
    const moves = played.map((byte) => String.fromCharCode(96 + (byte % 10)) + Math.floor(byte / 10)).join("");
    const score = bytes[at + 6];
    return { text: moves, moves, who: `${view.getUint16(at + 2, true)} – ${view.getUint16(at + 4, true)}`, result: `${score}–${64 - score}`, variant: "reversi" };
  });
}

/** @param {string} text @param {string} name */
const property = (text, name) => new RegExp(`${name}\\[([^\\]]*)\\]`).exec(text)?.[1] ?? "";

/** @param {string} text @returns {Listed[]} */
function readGgf(text) {
  const games = text.match(/\(;[\s\S]*?;\)/g) ?? [];
  return games.slice(0, MOST).map((game) => {
    const moves = [...game.matchAll(/[^A-Z][BW]\[([a-hA-H][1-8])/g)].map((found) => found[1].toLowerCase()).join("");
    return { text: game, moves, who: `${property(game, "PB")} – ${property(game, "PW")}`, result: property(game, "RE").split(":")[0] };
  });
}

/** One game or one position a line. @param {string} text @returns {Listed[]} */
function readLines(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "" && !/^[%#]/.test(line));
  const isGame = (/** @type {string} */ line) => /^(?:[a-h][1-8]|--|pa|ps|pass|\s)+$/i.test(line) && line.length > 3;
  const isPosition = (/** @type {string} */ line) => /^[-XO.*@_]{16,64} +[XO]\b/i.test(line);
  if (!lines.every((line) => isGame(line) || isPosition(line))) return [];
  // One game may be written in several lines: then no square comes twice.
  const squares = lines.filter(isGame).join(" ").toLowerCase().match(/[a-h][1-8]/g) ?? [];
  if (lines.every(isGame) && new Set(squares).size === squares.length) return [];
  return lines.slice(0, MOST).map((line, i) => ({
    text: line,
    who: `${i + 1}`,
    result: "",
    moves: isGame(line) ? line.toLowerCase().replace(/\s/g, "") : "",
  }));
}

/** The games of a file or a text, if there are several. @param {string} name @param {Uint8Array} bytes @returns {Listed[]} */
export function readMany(name, bytes) {
  const isWthor = /\.wtb$/i.test(name) && bytes.length >= HEADER + RECORD;
  const text = isWthor ? "" : new TextDecoder().decode(bytes);
  const found = isWthor ? readWthor(bytes) : text.includes("(;") ? readGgf(text) : readLines(text);
  return found.length > 1 || isWthor ? found : [];
}

/** Who won by a result as files write it: 1 Black, −1 White, 0 nobody; nothing if it does not say. @param {Listed} listed */
export function winnerOf({ result }) {
  const two = /^(\d+)–(\d+)$/.exec(result);
  if (two) return Math.sign(Number(two[1]) - Number(two[2]));
  return /^[+-]?[\d.]+$/.test(result) ? Math.sign(Number(result)) : null;
}

/** Openings by how often they were played, with their results. @param {Listed[]} games @param {number} plies */
export function openings(games, plies) {
  /** @type {Map<string, { moves: string, count: number, black: number, white: number }>} */
  const found = new Map();
  for (const game of games) {
    const moves = game.moves.slice(0, 2 * plies);
    if (moves === "") continue;
    const one = found.get(moves) ?? { moves, count: 0, black: 0, white: 0 };
    const winner = winnerOf(game);
    one.count++;
    if (winner === 1) one.black++;
    if (winner === -1) one.white++;
    found.set(moves, one);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
