// @ts-check
// The engine for other programs: the questions of the API as functions, answered by workers.

import { platform } from "./engine/platform.js";
import { ask, search } from "./engine/workers.js";

/**
 * @typedef {import("./api.js").AnalysisAnswer} AnalysisAnswer
 * @typedef {import("./api.js").AnalysisRequest} AnalysisRequest
 * @typedef {import("./api.js").ApiFault} ApiFault
 * @typedef {import("./api.js").BookView} BookView
 * @typedef {import("./api.js").ExplainRequest} ExplainRequest
 * @typedef {import("./api.js").ExplanationView} ExplanationView
 * @typedef {import("./api.js").ExportRequest} ExportRequest
 * @typedef {import("./api.js").GameText} GameText
 * @typedef {import("./api.js").GameView} GameView
 * @typedef {import("./api.js").MoveRequest} MoveRequest
 * @typedef {import("./api.js").PlayerView} PlayerView
 * @typedef {import("./api.js").ReviewedMove} ReviewedMove
 * @typedef {import("./api.js").ScoredMove} ScoredMove
 * @typedef {{ signal?: AbortSignal }} Options what ends a search before its end
 */

/** Why a question is refused: `code` and `params` for programs, `message` for people. */
export class Fault extends Error {
  /** @param {ApiFault} fault */
  constructor({ code, error, params }) {
    super(error);
    this.name = "Fault";
    this.code = code;
    this.params = params;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
async function asked(method, path, body, { signal } = {}) {
  signal?.throwIfAborted();
  const answer = await ask({ method, path, body }, signal);
  if (answer.status !== 200) throw new Fault(/** @type {ApiFault} */ (answer.body));
  return answer.body;
}

/** Fetches the module, the weights and the books from another folder than the package's own. @param {string | URL} folder */
export function setFiles(folder) {
  platform.files = new URL(folder, globalThis.document?.baseURI);
}

/** The players and their options. @returns {Promise<PlayerView[]>} */
export const players = () => asked("GET", "players");

/** A game with its positions, legal moves, flips and outcome. @param {GameText} game @returns {Promise<GameView>} */
export const readGame = (game) => asked("POST", "game", game);

/** A game as text, a transcript, GGF or a drawing. @param {ExportRequest} request @returns {Promise<string>} */
export const exportGame = (request) => asked("POST", "export", request);

/** What the opening book knows of a game's last position. @param {GameText} game @returns {Promise<BookView>} */
export const lookUp = (game) => asked("POST", "book", { game });

/** The move that a player chooses. @param {MoveRequest} request @param {Options} [options] @returns {Promise<ScoredMove>} */
export const chooseMove = (request, options) => asked("POST", "move", request, options);

/**
 * A static evaluation, feature by feature.
 * @param {ExplainRequest} request
 * @param {Options} [options]
 * @returns {Promise<ExplanationView>}
 */
export const explain = (request, options) => asked("POST", "explain", request, options);

/**
 * Every move of a position, best first, deeper and deeper until all is proven or the loop is left.
 * @param {Omit<AnalysisRequest, "id" | "whole">} request
 * @param {Options} [options]
 * @returns {AsyncGenerator<{ depth: number, moves: ScoredMove[] }, void>}
 */
export async function* analyze(request, options) {
  for await (const answer of answers({ ...request, whole: false }, options)) {
    if ("moves" in answer) yield { depth: answer.depth, moves: answer.moves };
  }
}

/**
 * Every move of a game beside the best one, deeper and deeper: a later one of the same `ply` replaces the earlier one.
 * @param {Omit<AnalysisRequest, "id" | "whole">} request
 * @param {Options} [options]
 * @returns {AsyncGenerator<ReviewedMove, void>}
 */
export async function* review(request, options) {
  for await (const answer of answers({ ...request, whole: true }, options)) if ("judged" in answer) yield answer.judged;
}

/**
 * Every move of a position with its proven score, best first. Twenty empty squares take seconds.
 * @param {GameText} game
 * @param {Options} [options]
 * @returns {Promise<ScoredMove[]>}
 */
export async function solve(game, options) {
  /** @type {ScoredMove[]} */
  let found = [];
  for await (const { moves } of analyze({ game }, options)) found = moves;
  if (!found.every(({ exact }) => exact)) throw new Error("the position was not solved in ten minutes");
  return found;
}

/**
 * The answers of an analysis up to its end.
 * @param {AnalysisRequest} request
 * @param {Options} [options]
 * @returns {AsyncGenerator<AnalysisAnswer, void>}
 */
async function* answers(request, { signal } = {}) {
  signal?.throwIfAborted();
  /** @type {AnalysisAnswer[]} */
  const come = [];
  /** @type {unknown} */
  let failure = null;
  let wake = () => {};
  const fail = (/** @type {unknown} */ error) => ((failure = error), wake());
  const stop = search({ analysis: JSON.stringify(request) }, (said) => (come.push(/** @type {AnalysisAnswer} */ (said)), wake()), fail);
  const onAbort = () => fail(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      while (come.length === 0 && failure === null) await new Promise((resolve) => (wake = () => resolve(null)));
      if (failure !== null) throw failure;
      const answer = /** @type {AnalysisAnswer} */ (come.shift());
      if ("code" in answer) throw new Fault(answer);
      if ("done" in answer) return;
      yield answer;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop();
  }
}
