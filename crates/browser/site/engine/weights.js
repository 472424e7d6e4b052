// @ts-check
// The weights of the trained evaluation, fetched for the game that is played, with their progress shown.

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

/** @param {string} game */
const addressOf = (game) => new URL(`./patterns-${game}.weights`, import.meta.url);
/** @param {string} game */
const bookAddress = (game) => new URL(`./${game}.book`, import.meta.url);

/** Weights that turned out to be damaged are fetched anew. @param {string} game */
export function forgetWeights(game) {
  delete all[game];
  forgetFile(`patterns-${game}.weights`);
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
    const response = await fetch(bookAddress(game));
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

/** Has the weights and books of all games kept while nobody waits for anything, so that all of the page works without a network. */
async function keepWhenIdle() {
  const connection = /** @type {{ saveData?: boolean } | undefined} */ (/** @type {any} */ (navigator).connection);
  if (!navigator.serviceWorker?.controller || connection?.saveData) return;
  for (const game of ["reversed", "reversi", "reversed-6x6", "reversi-6x6"]) {
    await new Promise((done) => ("requestIdleCallback" in globalThis ? requestIdleCallback(done) : setTimeout(done, 1000)));
    await all[game]?.coming;
    // The service worker keeps them; those that it has are not read.
    for (const address of [addressOf(game), bookAddress(game)]) {
      const kept = await fetch(address, /** @type {RequestInit} */ ({ priority: "low" }));
      await kept.body?.cancel();
    }
  }
}
for (const type of ["load", "controllerchange"]) {
  (type === "load" ? globalThis : navigator.serviceWorker)?.addEventListener(type, () => keepWhenIdle().catch(() => {}));
}

/** @param {string} game */
async function fetched(game) {
  const response = await fetch(addressOf(game));
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${response.statusText}`);
  const length = Number(response.headers.get("Content-Length"));
  const parts = [];
  let come = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    come += part.value.length;
    show(length > 0 ? come / length : null);
  }
  show(1);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Shows how much has come as a thin line at the top. @param {number | null} share */
function show(share) {
  let line = /** @type {HTMLProgressElement | null} */ (document.querySelector("progress#weights"));
  if (line === null) {
    line = document.createElement("progress");
    line.id = "weights";
    document.body.append(line);
  }
  if (share === null) line.removeAttribute("value");
  else line.value = share;
  if (share === 1) line.remove();
}
