// @ts-check
// The games that are kept, in this browser's database.

/**
 * @import { KeptGame, ListedGame } from "../../../server/types/api"
 * @typedef {Omit<ListedGame, "id" | "changed">} Kept
 * @typedef {{ moves: string, loser?: string | null }} Seen
 * @typedef {{ seen?: Seen | null }} KeepRequest
 */

/** Games that are kept, and those of them that are listed. */
const MOST = 10_000;
const LISTED = 100;

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function database() {
  if (opened === null) {
    const request = indexedDB.open("turncoat", 1);
    request.onupgradeneeded = () => {
      const games = request.result.createObjectStore("games", { keyPath: "id", autoIncrement: true });
      games.createIndex("changed", ["changed", "id"]);
    };
    opened = settled(request);
    opened.catch(() => (opened = null));
  }
  return opened;
}

/**
 * Does something in one transaction, and waits until it is on the disk.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(games: IDBObjectStore) => Promise<T>} action
 * @returns {Promise<T>}
 */
async function transaction(mode, action) {
  const begun = (await database()).transaction("games", mode);
  const ended = new Promise((resolve, reject) => {
    begun.oncomplete = resolve;
    begun.onabort = () => reject(begun.error);
  });
  ended.catch(() => {});
  const result = await action(begun.objectStore("games"));
  await ended;
  return result;
}

const now = () => Math.floor(Date.now() / 1000);

/**
 * Keeps a game: a new one without a number. One that is not as it was seen is not replaced.
 * @param {number | null} id
 * @param {Kept} kept
 * @param {Seen | null} seen
 * @param {number} [when] it was changed
 * @returns {Promise<number | "missing" | "changed">} its number
 */
export const keep = (id, kept, seen, when = now()) =>
  transaction("readwrite", async (games) => {
    const { id: _, changed: __, ...game } = /** @type {ListedGame} */ (kept);
    if (id === null) {
      const added = Number(await settled(games.add({ ...game, changed: when })));
      await forgetOldest(games);
      return added;
    }
    /** @type {ListedGame | undefined} */
    const found = await settled(games.get(id));
    if (found === undefined) return "missing";
    const isSame = found.moves === game.moves && found.loser === game.loser;
    const isSeen = seen === null || (found.moves === seen.moves && found.loser === (seen.loser ?? null));
    if (!isSame && !isSeen) return "changed";
    await settled(games.put({ ...game, id, changed: when }));
    return id;
  });

/** @param {IDBObjectStore} games */
async function forgetOldest(games) {
  const count = await settled(games.count());
  if (count <= MOST) return;
  const oldest = await settled(games.index("changed").getAllKeys(null, count - MOST));
  for (const key of oldest) games.delete(key);
}

/** @param {number} id @returns {Promise<KeptGame | undefined>} */
export const keptGame = (id) => transaction("readonly", (games) => settled(games.get(id)));

/** The games that were changed last, newest first. @returns {Promise<ListedGame[]>} */
export const keptGames = () =>
  transaction("readonly", (games) => {
    const request = games.index("changed").openCursor(null, "prev");
    /** @type {ListedGame[]} */
    const found = [];
    return new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (cursor === null || found.length === LISTED) return resolve(found);
        found.push(cursor.value);
        cursor.continue();
      };
    });
  });

/** All games, the oldest first. @returns {Promise<ListedGame[]>} */
export const everyGame = () => transaction("readonly", (games) => settled(games.index("changed").getAll()));

/** @param {number} id @returns {Promise<boolean>} whether there was one */
export const removeGame = (id) =>
  transaction("readwrite", async (games) => {
    const found = await settled(games.getKey(id));
    if (found !== undefined) await settled(games.delete(id));
    return found !== undefined;
  });
