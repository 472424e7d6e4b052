// @ts-check
// Files of many games, taken apart: WTHOR with its names, GGF, and texts with one game or position a line.

import { countGames, Fault } from "../base/client.js";

/**
 * @typedef {{ text: string, who: string, result: string, moves: string, opening: string, variant?: string,
 *   numbers?: { black: number, white: number, event: number } }} Listed
 *   `text` is what is opened; `result` is Black's discs or lead, as far as it is known; `moves` begin the game, and
 *   `opening` is them turned to begin with f5; `numbers` stand for names that are in other files.
 * @typedef {{ phrase: import("../base/speech.js").Phrase, values: Record<string, string | number> }} Note
 * @typedef {import("../../types/api").CountedGame} CountedGame
 * @typedef {{ games: Listed[], notes: Note[] }} Many `notes` say what was left out.
 */

const [HEADER, RECORD, MOVES] = [16, 68, 60];
/** More than these are not listed. */
const MOST = 20_000;

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Squares, and passes as `--`. @param {string} text */
const squaresIn = (text) => text.toLowerCase().match(/[a-h][1-8]|--|pass|pa|ps/g) ?? [];

/** How each first move on the large board becomes f5, by columns and rows from 0: both sides of the board are alike. */
const TURNS = /** @type {Record<string, (column: number, row: number) => [number, number]>} */ ({
  d3: (column, row) => [7 - row, 7 - column],
  c4: (column, row) => [7 - column, 7 - row],
  e6: (column, row) => [row, column],
});

/** Moves turned so that they begin with f5, by which openings that look different are one. @param {string[]} moves */
function beginningWithF5(moves) {
  const turn = TURNS[moves[0]];
  if (turn === undefined) return moves;
  return moves.map((move) => {
    const [column, row] = turn(move.charCodeAt(0) - 97, Number(move[1]) - 1);
    return String.fromCharCode(97 + column) + (row + 1);
  });
}

/** @param {string[]} squares */
export const openingOf = (squares) => beginningWithF5(squares.filter((one) => /^[a-h]\d/.test(one))).join("");

/** What a file says it has beside what is there, and what is listed. @param {number} said @param {number} found @returns {Note[]} */
function shortBy(said, found) {
  /** @type {Note[]} */
  const notes = [];
  if (found < said) notes.push({ phrase: "gamesCut", values: { found, said } });
  if (found > MOST) notes.push({ phrase: "gamesMost", values: { most: MOST } });
  return notes;
}

/** The highest that bytes of WTHOR's header can be: the side (0 or 8), solitaires, empties. @type {[number, number][]} */
const HIGHEST = [[12, 8], [13, 0], [14, MOVES]];
/** The fault of a header that cannot be right. */
export const WTHOR_HEADER = "wthor-header";

/** WTHOR: numbers of players instead of names, which are in another file. @param {string} name @param {Uint8Array} bytes @returns {Promise<Many>} */
async function readWthor(name, bytes) {
  const wrong = HIGHEST.find(([at, most]) => bytes[at] > most || (at === 12 && bytes[at] % 8 > 0));
  if (wrong) throw new Fault(WTHOR_HEADER, { name, byte: wrong[0] + 1, value: bytes[wrong[0]] });
  const view = viewOf(bytes);
  const said = view.getUint32(4, true);
  const found = Math.min(said, Math.floor((bytes.length - HEADER) / RECORD));
  const read = Array.from({ length: Math.min(found, MOST) }, (_, i) => {
    const at = HEADER + i * RECORD;
    const played = [...bytes.subarray(at + 8, at + 8 + MOVES)].filter((byte) => byte > 0);
    const squares = played.map((byte) => String.fromCharCode(96 + (byte % 10)) + Math.floor(byte / 10));
    const score = bytes[at + 6];
    const [event, black, white] = [0, 2, 4].map((field) => view.getUint16(at + field, true));
    const moves = squares.join("");
    return { text: moves, moves, opening: openingOf(squares), who: `${black} – ${white}`, result: `${score}–${64 - score}`, variant: "reversi", numbers: { event, black, white } };
  });
  // One without moves is a game, too. Without an engine all are listed.
  /** @type {(CountedGame | null)[]} */
  const counted = await countGames(read.map(({ moves }) => moves || "f5"), 8).catch(() => []);
  const games = read.filter((_, i) => counted[i] !== null);
  const notes = shortBy(said, found);
  const count = read.length - games.length;
  if (count > 0) notes.push({ phrase: "gamesIllegal", values: { count, game: counted.indexOf(null) + 1 } });
  return { games, notes };
}

/** The length of a name in the files of WTHOR that have players and events. @type {Record<string, number>} */
const NAMES = { jou: 20, trn: 26 };

/** Names of players or events beside a file of WTHOR, if this is such a file. @param {string} name @param {Uint8Array} bytes */
export function readNames(name, bytes) {
  const kind = name.toLowerCase().split(".").at(-1) ?? "";
  const length = NAMES[kind];
  if (length === undefined || bytes.length < HEADER) return null;
  const count = Math.min(viewOf(bytes).getUint32(4, true), Math.floor((bytes.length - HEADER) / length));
  const decoder = new TextDecoder("windows-1252");
  const names = Array.from({ length: count }, (_, i) => decoder.decode(bytes.subarray(HEADER + i * length, HEADER + (i + 1) * length)).replace(/\0.*$/s, "").trim());
  return { isEvents: kind === "trn", names };
}

/** What GGF says in a property. @param {string} text @param {string} name */
export const property = (text, name) =>
  (new RegExp(`(?<![a-z])${name}\\[((?:\\\\.|[^\\]\\\\])*)\\]`, "is").exec(text)?.[1] ?? "").replace(/\\(.)/gs, "$1");

/** @param {string} text @returns {Many} */
function readGgf(text) {
  const found = text.match(/\(;(?:(?!\(;)[\s\S])*?;\)/g) ?? [];
  const games = found.slice(0, MOST).map((game) => {
    const squares = [...game.matchAll(/[^A-Z][BW]\[([a-hA-H][1-8])/g)].map((one) => one[1].toLowerCase());
    return { text: game, moves: squares.join(""), opening: openingOf(squares), who: `${property(game, "PB")} – ${property(game, "PW")}`, result: property(game, "RE").split(":")[0] };
  });
  return { games, notes: shortBy((text.match(/\(;/g) ?? []).length, found.length) };
}

const isGame = (/** @type {string} */ line) => /^(?:[a-h][1-8]|--|pa|ps|pass|\s)+$/i.test(line) && line.length > 3;
const isPosition = (/** @type {string} */ line) => /^[-XO.*@_]{16,64} +[XO]\b/i.test(line);

/** A game of a list, counted. @param {string} line @param {string} who @param {number} size @param {CountedGame} counted @returns {Listed} */
function gameOf(line, who, size, { black, white, over }) {
  const squares = squaresIn(line);
  const opening = size === 8 ? openingOf(squares) : squares.join("");
  return { text: line, who, result: over ? `${black}–${white}` : "", moves: line.toLowerCase().replace(/\s/g, ""), opening };
}

/** One game or one position a line; other lines are left out. @param {string} text @param {number} size @returns {Promise<Many>} */
async function readLines(text, size) {
  const lines = text.split(/\r?\n/).map((line, i) => ({ line: line.trim(), number: i + 1 })).filter(({ line }) => line !== "" && !/^[%#]/.test(line));
  // One game may be written in several lines: then no square comes twice.
  const squares = lines.flatMap(({ line }) => (isGame(line) ? squaresIn(line) : [])).filter((one) => one.length === 2 && one !== "--");
  const isList = lines.some(({ line }) => isPosition(line)) || new Set(squares).size < squares.length;
  if (!isList) return { games: [], notes: [] };
  const listed = lines.slice(0, MOST);
  const played = listed.filter(({ line }) => isGame(line)).map(({ line, number }) => ({ number, moves: line.replace(/\s/g, "") }));
  const counted = await countGames(played.map(({ moves }) => moves), size);
  const discs = new Map(played.map(({ number }, i) => [number, counted[i]]));
  /** @type {Listed[]} */
  const games = [];
  /** @type {number[]} */
  const others = [];
  for (const { line, number } of listed) {
    const count = discs.get(number) ?? null;
    if (isPosition(line)) games.push({ text: line, who: String(number), result: "", moves: "", opening: "" });
    else if (count !== null) games.push(gameOf(line, String(number), size, count));
    else others.push(number);
  }
  const notes = shortBy(0, lines.length);
  if (others.length > 0) notes.push({ phrase: "gamesLeftOut", values: { count: others.length, line: others[0] } });
  return { games, notes };
}

/** The games of a file or a text, if there are several. @param {string} name @param {Uint8Array} bytes @param {number} size @returns {Promise<Many>} */
export async function readMany(name, bytes, size) {
  const isWthor = /\.wtb$/i.test(name) && bytes.length >= HEADER + RECORD;
  const text = isWthor ? "" : new TextDecoder().decode(bytes);
  const found = isWthor ? await readWthor(name, bytes) : text.includes("(;") ? readGgf(text) : await readLines(text, size);
  return found.games.length > 1 || isWthor ? found : { games: [], notes: [] };
}

/** Who won: 1 Black, −1 White, 0 nobody; nothing if it is not known. @param {Listed} listed @param {string} shown the game if it does not say */
export function winnerOf({ result, variant }, shown) {
  const two = /^(\d+)–(\d+)$/.exec(result);
  const fewest = (variant ?? shown) === "reversed";
  if (two) return Math.sign(Number(two[1]) - Number(two[2])) * (fewest ? -1 : 1);
  return /^[+-]?[\d.]+$/.test(result) ? Math.sign(Number(result)) : null;
}

/**
 * Openings by how often they were played, with their results.
 * @param {Listed[]} games
 * @param {number} plies
 * @param {string} shown the game of those that do not say
 */
export function openings(games, plies, shown) {
  /** @type {Map<string, { moves: string, count: number, known: number, black: number, white: number }>} */
  const found = new Map();
  for (const game of games) {
    const moves = game.opening.slice(0, 2 * plies);
    if (moves === "") continue;
    const one = found.get(moves) ?? { moves, count: 0, known: 0, black: 0, white: 0 };
    const winner = winnerOf(game, shown);
    one.count++;
    if (winner !== null) one.known++;
    if (winner === 1) one.black++;
    if (winner === -1) one.white++;
    found.set(moves, one);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
