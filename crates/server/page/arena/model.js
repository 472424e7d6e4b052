// @ts-check
// The contest as it goes on, as long as somebody looks: games under way come by a socket, the table is asked for again.

import { about, asFault, contestGame, contestGames, contestLive, contestPlayer, contestTable, matchState } from "../base/client.js";
import { tab } from "../base/memory.js";
import { createLive } from "./live.js";
import { slice } from "../base/store.js";

/**
 * @import { ContestGame, ContestGameDetails, ContestView, ContestantDetails, LiveView, MatchView } from "../../types/api"
 * @import { Fault } from "../base/client.js"
 * @typedef {{ kind: "table" } | { kind: "player", name: string } | { kind: "game", number: number }} Place
 * @typedef {{ variant: "reversed" | "reversi", place: Place, table: ContestView | null, live: LiveView | null,
 *   match: MatchView | null, games: ContestGame[], player: ContestantDetails | null, game: ContestGameDetails | null, error: Fault | null }} Arena
 */

/** How often the contest is looked at, in milliseconds, and how often if no game has ended. */
const EVERY = 2000;
const AT_REST = 10_000;

/** @returns {Arena} */
export const firstArena = () => ({
  variant: "reversed",
  place: { kind: "table" },
  table: null,
  live: null,
  match: null,
  games: [],
  player: null,
  game: null,
  error: null,
});

/** The address of a place. @param {Place} place */
export function addressOf(place) {
  if (place.kind === "player") return `#/arena?player=${encodeURIComponent(place.name)}`;
  return place.kind === "game" ? `#/arena?game=${place.number}` : "#/arena";
}

/** The place that the address names. @returns {Place} */
function addressed() {
  const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
  const asked = new URLSearchParams(view === "arena" ? query : "");
  const [name, game] = [asked.get("player"), Number(asked.get("game"))];
  if (name !== null) return { kind: "player", name };
  return Number.isSafeInteger(game) && game > 0 ? { kind: "game", number: game } : { kind: "table" };
}

/** @param {import("../base/store.js").Store<import("../base/state.js").State>} state */
export function createArena(state) {
  const store = slice(state, "arena");
  const frame = slice(state, "frame");
  let asked = 0;
  let timer = 0;
  let looked = 0;
  const socket = createLive((live) => store.set({ live }));

  let startsMatches = false;
  about().then(({ matches }) => {
    startsMatches = matches;
  }, () => {});

  const isSeen = () => frame.get().view === "arena" && !document.hidden;

  /** What a place shows. @param {Place} place @returns {Promise<Partial<Arena>>} */
  async function read(place) {
    const token = tab.getItem("program-token");
    // A game that was played does not change.
    const { game } = store.get();
    if (place.kind === "game") return { game: game ?? (await contestGame(place.number, token)) };
    const table = await contestTable();
    const variant = table.variant === "reversi" ? "reversi" : "reversed";
    if (place.kind === "player") {
      const [player, games] = await Promise.all([contestPlayer(place.name), contestGames(place.name)]);
      return { table, variant, player, games };
    }
    const [games, match] = await Promise.all([contestGames(null), startsMatches ? matchState() : null]);
    /** @type {Partial<Arena>} */
    const found = { table, variant, games, match };
    return socket.isOpen() ? found : { ...found, live: await contestLive() };
  }

  /** Looks again if something may have changed. */
  function lookAgain() {
    socket.watch(isSeen() && store.get().place.kind === "table");
    if (socket.isOpen() && !socket.hasEnded() && Date.now() - looked < AT_REST) timer = setTimeout(lookAgain, EVERY);
    else look();
  }

  async function look() {
    const mine = ++asked;
    clearTimeout(timer);
    looked = Date.now();
    socket.watch(isSeen() && store.get().place.kind === "table");
    if (!isSeen()) return;
    try {
      const found = await read(store.get().place);
      if (mine === asked) store.set({ ...found, error: null });
    } catch (error) {
      if (mine === asked) store.set({ error: asFault(error) });
    }
    if (mine === asked) timer = setTimeout(lookAgain, EVERY);
  }

  function follow() {
    const place = addressed();
    if (addressOf(place) !== addressOf(store.get().place)) store.set({ place, games: [], player: null, game: null, error: null });
    look();
  }
  addEventListener("hashchange", follow);
  document.addEventListener("visibilitychange", look);
  follow();

  /** Shows what the program of a token printed. @param {string} token */
  function bear(token) {
    tab.setItem("program-token", token);
    store.set({ game: null });
    look();
  }
  return { store, bear, look };
}
