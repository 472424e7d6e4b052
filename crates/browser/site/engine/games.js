// @ts-check
// The games that are kept, in this browser's database.

import { notify } from "../base/notices.js";

/**
 * @import { KeptGame, ListedGame } from "../../../server/types/api"
 * @typedef {Omit<ListedGame, "id" | "changed">} Kept
 * @typedef {{ moves: string, loser?: string | null }} Seen
 * @typedef {{ seen?: Seen | null }} KeepRequest
 */

/** Games that are kept, and those of them that are listed. */
const MOST = 10_000;
const LISTED = 100;

const isText = (/** @type {unknown} */ it) => typeof it === "string";
/** What each field of a kept game may be. @type {Record<string, (it: any) => boolean>} */
const FIELDS = {
  variant: (it) => it === "reversed" || it === "reversi",
  size: (it) => [8, 6, 4].includes(it),
  start: isText,
  moves: isText,
  black: isText,
  white: isText,
  loser: (it) => it === null || it === "black" || it === "white",
  changed: Number.isInteger,
};

/** The first field of a record that no kept game could have; nothing if it is one. @param {any} record */
export const oddField = (record) => Object.keys(FIELDS).find((name) => !FIELDS[name](record?.[name])) ?? null;

/** Those of the records that are games; the page is told of others. @param {ListedGame[]} records */
function sound(records) {
  const games = records.filter((record) => oddField(record) === null);
  const count = records.length - games.length;
  if (count > 0) notify({ code: "damaged-games", params: { count } });
  return games;
}

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
export const keptGame = async (id) => sound([await transaction("readonly", (games) => settled(games.get(id)))].filter(Boolean))[0];

/** The games that were changed last, newest first. @returns {Promise<ListedGame[]>} */
export async function keptGames() {
  const found = await transaction("readonly", (games) => {
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
  return sound(found);
}

/** All games, the oldest first. @returns {Promise<ListedGame[]>} */
export const everyGame = async () => sound(await transaction("readonly", (games) => settled(games.index("changed").getAll())));

/** @param {number} id @returns {Promise<boolean>} whether there was one */
export const removeGame = (id) =>
  transaction("readwrite", async (games) => {
    const found = await settled(games.getKey(id));
    if (found !== undefined) await settled(games.delete(id));
    return found !== undefined;
  });
