// @ts-check
// The weights of the trained evaluation and the opening books, fetched for the game that is played.

import { platform } from "./platform.js";

/** @typedef {{ known: Uint8Array | null, coming: Promise<Uint8Array> }} Weights */

/** @type {Record<string, Weights>} */
const all = {};

/** @param {string} game @returns {Weights} */
export function weightsOf(game) {
  if (all[game] !== undefined) return all[game];
  /** @type {Weights} */
  const weights = { known: null, coming: fetched(game) };
  all[game] = weights;
  weights.coming.then(
    (bytes) => (weights.known = bytes),
    // The next one who asks tries again.
    () => all[game] === weights && delete all[game],
  );
  return weights;
}

/** The weights of a game, if they are coming or have come. @param {string} game */
export const weightsComing = (game) => all[game]?.coming;

/** @param {string} game */
export const weightsName = (game) => `patterns-${game}.weights`;
/** @param {string} game */
export const bookName = (game) => `${game}.book`;

/** Weights that turned out to be damaged are fetched anew. @param {string} game */
export function forgetWeights(game) {
  delete all[game];
  forgetFile(weightsName(game));
}

/** The opening books that have come, or are coming. @type {Map<string, Promise<Uint8Array | null>>} */
const books = new Map();

/** The opening book of a game; nothing if it has none, or it cannot be fetched now. @param {string} game */
export function bookOf(game) {
  const coming = books.get(game) ?? fetchBook(game);
  books.set(game, coming);
  return coming;
}

/** @param {string} game @returns {Promise<Uint8Array | null>} */
async function fetchBook(game) {
  try {
    const response = await platform.fetch(bookName(game));
    const book = new Uint8Array(await response.arrayBuffer());
    return response.ok && book.length > 0 ? book : null;
  } catch {
    // The next one who asks tries again.
    books.delete(game);
    return null;
  }
}

/** Does without a book that turned out to be damaged. @param {string} game */
export const forgetBook = (game) => books.set(game, Promise.resolve(null));

/** Has a file come from the host again, not from what this browser keeps. @param {string} name */
export async function forgetFile(name) {
  if (!("caches" in globalThis)) return;
  for (const kept of await caches.keys()) {
    const cache = await caches.open(kept);
    for (const request of await cache.keys()) if (new URL(request.url).pathname.endsWith(`/${name}`)) await cache.delete(request);
  }
}

/** @param {string} game */
async function fetched(game) {
  const response = await platform.fetch(weightsName(game));
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${response.statusText}`);
  const length = Number(response.headers.get("Content-Length"));
  const parts = [];
  let come = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    come += part.value.length;
    platform.onProgress(length > 0 ? come / length : null);
  }
  platform.onProgress(1);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
