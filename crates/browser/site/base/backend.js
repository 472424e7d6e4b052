// @ts-check
// The engine behind the page: workers of this browser. It answers what a server would, in the same words.

import * as archive from "../engine/archive.js";
import { keep, keptGame, keptGames, removeGame } from "../engine/games.js";
import { watchFetching } from "../engine/fetching.js";
import { ask, askRules, search } from "../engine/workers.js";

watchFetching();

/** What is said when the engine has died. @type {"gone" | "engineGone"} */
export const GONE = "engineGone";

/** All kept games as one file, and back. */
export { archive };

/** @typedef {import("../engine/workers.js").Answer} Answer */

/** @param {Answer} answer */
function response({ status, type, body }) {
  const text = type === undefined ? JSON.stringify(body) : String(body);
  return new Response(status === 204 ? null : text, { status, headers: { "Content-Type": type ?? "application/json" } });
}

/** @param {string} code @param {Record<string, unknown>} [params] */
const refusal = (code, params = {}) => ({ status: 400, body: { code, error: code, params } });

/**
 * The kept games, which lie in this browser.
 * @param {string} method
 * @param {number | null} id
 * @param {unknown} body
 * @returns {Promise<Answer>}
 */
async function games(method, id, body) {
  const none = refusal("no-game", { id });
  switch (method) {
    case "GET": {
      // Where nothing can be kept, nothing is.
      if (id === null) return { status: 200, body: await keptGames().catch(() => []) };
      const game = await keptGame(id);
      return game === undefined ? none : { status: 200, body: game };
    }
    case "DELETE":
      return (await removeGame(Number(id))) ? { status: 204, body: null } : none;
    default: {
      const { seen = null, ...kept } = /** @type {import("../engine/games.js").KeepRequest} */ (body);
      const checked = await askRules({ method: "POST", path: "check", body: kept });
      if (checked.status !== 200) return checked;
      const done = await keep(id, /** @type {import("../engine/games.js").Kept} */ (checked.body), seen);
      if (done === "missing") return none;
      if (done === "changed") return refusal("game-changed", { id });
      return id === null ? { status: 201, body: { id: done } } : { status: 204, body: null };
    }
  }
}

/**
 * Asks a question.
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function request(method, path, body, signal) {
  const [, id = null] = /^games(?:\/(\d+))?$/.exec(path) ?? [];
  if (path.startsWith("games")) {
    const kept = games(method, id === null ? null : Number(id), body);
    return response(await kept.catch((error) => refusal("no-storage", { reason: String(error?.name ?? error) })));
  }
  return response(await ask({ method, path, body }, signal));
}

/** A socket for analysis, as far as the page uses one. */
class WorkerSocket extends EventTarget {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  #stop = () => {};

  constructor() {
    super();
    setTimeout(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  /** @param {string} text */
  send(text) {
    this.#stop();
    const tell = (/** @type {unknown} */ said) => this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(said) }));
    const failed = (/** @type {any} */ { code, params }) =>
      code === undefined ? this.close() : tell({ ...refusal(code, params).body, id: JSON.parse(text).id });
    this.#stop = search({ analysis: text }, tell, failed);
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#stop();
    this.dispatchEvent(new Event("close"));
  }

  /** @param {string} type @param {(event: any) => void} listener */
  addEventListener(type, listener) {
    super.addEventListener(type, listener);
  }
}

/** A socket for analysis, about to open. */
export const openSocket = () => new WorkerSocket();

/** Static files show no contest. @type {() => WebSocket | null} */
export const openLive = () => null;
