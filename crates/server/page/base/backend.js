// @ts-check
// The engine behind the page: the server that it came from. A page of static files has another file of this name, with the
// same functions and a worker behind them.

/** What is said when nobody answers. @type {"gone" | "engineGone"} */
export const GONE = "gone";

/** @typedef {{ added: number, refused: number, fault: import("./faults.js").Told | null }} ArchiveRead */

/**
 * All kept games as one file, and back, where this browser keeps them.
 * @type {null | { save(): Promise<string>, load(text: string): Promise<ArchiveRead | null> }}
 */
export const archive = null;

/**
 * Asks a question; throws if nobody answers, or an error with a `code` if that says why.
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export const request = (method, path, body, signal) =>
  fetch(`/api/${path}`, {
    method,
    signal,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** @param {string} path */
const socketAt = (path) => new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/api/${path}`);

/** A socket for analysis, about to open. */
export const openSocket = () => socketAt("analyze");

/** A socket on which the games under way come, about to open; null where there are none. @type {() => WebSocket | null} */
export const openLive = () => socketAt("contest/watch");
