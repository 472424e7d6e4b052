// @ts-check
// What the engine is asked, on a server or in this browser. The rules live there: a game goes out as text and comes back
// with all that a board shows.

import { GONE, request } from "./backend.js";

/**
 * @import { About, BookView, ContestGame, ContestGameDetails, ContestView, ContestantDetails, CountedGame, ExplanationView, ExportFormat, GameView, KeptGame, Knowledge, ListedGame, LiveView, MatchRequest, MatchView, PlayerView, RunDetails, RunView, ScoredMove, Side } from "../../types/api"
 * @typedef {Required<import("../../types/api").GameText>} GameText
 * @typedef {Required<import("../../types/api").LastSeen>} Seen How far a kept game had got: its transcript, and who gave it up.
 */

/**
 * What went wrong, as a code that the page has words for and the values in them. The message is for the console alone.
 */
export class Fault extends Error {
  /** @param {string} code @param {Record<string, unknown>} [params] @param {string} [message] */
  constructor(code, params = {}, message = code) {
    super(message);
    this.code = code;
    this.params = params;
  }
}

/** The engine does not answer: it was ended, or the way to it is gone. */
export class Gone extends Fault {
  constructor() {
    super(GONE);
  }
}

/** How often a server that does not answer is asked again, in milliseconds. */
export const AGAIN = 1500;

/** Anything that was thrown, as a fault. @param {unknown} error */
export const asFault = (error) => (error instanceof Fault ? error : new Fault("unexpected", {}, String(error)));

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(method, path, body, signal) {
  let response;
  try {
    response = await request(method, path, body, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    const { code, params, message } = /** @type {Partial<Fault>} */ (error);
    throw typeof code === "string" ? new Fault(code, params, message) : new Gone();
  }
  if (!response.ok) {
    const told = await response.json().catch(() => null);
    const { code, params, error } = told ?? {};
    const values = params ?? { status: response.status };
    throw new Fault(code ?? "unexpected", values, error ?? response.statusText);
  }
  return response;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
async function ask(method, path, body, signal) {
  const response = await send(method, path, body, signal);
  return response.status === 204 ? null : response.json();
}

/** What the server says of itself: the address at which others reach it, if there is one, and whether it has runs. @returns {Promise<About>} */
export const about = () => ask("GET", "about");

/** Lets this browser in: the answer sets a cookie. @param {string} token @returns {Promise<void>} */
export const openSession = (token) => ask("POST", "session", { token });

/** @returns {Promise<PlayerView[]>} */
export const players = () => ask("GET", "players");

/** @param {GameText} game @returns {Promise<GameView>} */
export const readGame = (game) => ask("POST", "game", game);

/** How many games are counted at once, and the longest text of one, so that a request is short enough. */
const [COUNTED, LONGEST] = [300, 200];

/** The discs at the end of games, null for what is none. @param {string[]} games @param {number} size @returns {Promise<(CountedGame | null)[]>} */
export async function countGames(games, size) {
  const counted = [];
  for (let at = 0; at < games.length; at += COUNTED) {
    counted.push(...(await ask("POST", "count", { size, games: games.slice(at, at + COUNTED).map((game) => game.slice(0, LONGEST)).join("\n") })).counted);
  }
  return counted;
}

/**
 * @param {GameText} game
 * @param {string} player
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<ScoredMove>}
 */
export const chooseMove = (game, player, seed, signal) => ask("POST", "move", { game, player, seed }, signal);

/**
 * Keeps a game: a new one without a number, and gives the number. One that is not as it was seen is a conflict.
 * @param {number | null} id
 * @param {{ game: GameText, black: string, white: string, loser: Side | null }} kept
 * @param {Seen | null} seen
 * @returns {Promise<number>}
 */
export async function keepGame(id, kept, seen) {
  if (id === null) return (await ask("POST", "games", kept)).id;
  await ask("PUT", `games/${id}`, { ...kept, seen });
  return id;
}

/** @param {number} id @returns {Promise<void>} */
export const forgetGame = (id) => ask("DELETE", `games/${id}`);

/** @param {number} id @returns {Promise<KeptGame>} */
export const keptGame = (id) => ask("GET", `games/${id}`);

/** @returns {Promise<ListedGame[]>} */
export const keptGames = () => ask("GET", "games");

/** What a player sees in the last position. @param {GameText} game @param {string} player @returns {Promise<ExplanationView>} */
export const explain = (game, player) => ask("POST", "explain", { game, player });

/** What the opening book says of the last position. @param {GameText} game @returns {Promise<BookView>} */
export const lookUp = (game) => ask("POST", "book", { game });

/** @param {string} variant @returns {Promise<Knowledge>} */
export const knowledge = (variant) => ask("GET", `knowledge/${variant}`);

/** The runs of the lab. @returns {Promise<RunView[]>} */
export const listRuns = () => ask("GET", "runs");

/** @param {string} name @returns {Promise<RunDetails>} */
export const readRun = (name) => ask("GET", `runs/${encodeURIComponent(name)}`);

/** The table of the contest. @returns {Promise<ContestView>} */
export const contestTable = () => ask("GET", "contest");

/** Its games under way. @returns {Promise<LiveView>} */
export const contestLive = () => ask("GET", "contest/live");

/** @param {string} name @returns {Promise<ContestantDetails>} */
export const contestPlayer = (name) => ask("GET", `contest/players/${encodeURIComponent(name)}`);

/** The latest games, of everyone or of one. @param {string | null} name @returns {Promise<ContestGame[]>} */
export const contestGames = (name) => ask("GET", name === null ? "contest/before/0" : `contest/players/${encodeURIComponent(name)}/before/0`);

/** A game, with what the program of a token printed. @param {number} number @param {string | null} token @returns {Promise<ContestGameDetails>} */
export const contestGame = (number, token) =>
  token === null ? ask("GET", `contest/games/${number}`) : ask("POST", `contest/games/${number}`, { token });

/** How the match stands that was started last. @returns {Promise<MatchView>} */
export const matchState = () => ask("GET", "match");

/** @param {MatchRequest} request @returns {Promise<MatchView>} */
export const startMatch = (request) => ask("POST", "match", request);

/** @returns {Promise<MatchView>} */
export const stopMatch = () => ask("DELETE", "match");

/**
 * @param {GameText} game
 * @param {ExportFormat} to
 * @param {Partial<import("../analyse/link.js").Record>} [record] what GGF says of the game
 * @returns {Promise<string>}
 */
export const exportGame = async (game, to, record = {}) => (await send("POST", "export", { game, to, ...record })).text();
