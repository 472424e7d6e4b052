// @ts-check
// The view of the arena: a ladder or a tournament, one of its players, or one of its games.

import { make, setText } from "../base/dom.js";
import { createBoards } from "./boards.js";
import { createGame } from "./game.js";
import { addressOf, createArena } from "./model.js";
import { createPlayer } from "./player.js";
import { createStart } from "./start.js";
import { createGames, createTable } from "./table.js";

/**
 * @param {import("../base/store.js").Store<import("../base/state.js").State>} state
 * @param {import("../base/speech.js").Speech} speech
 */
export function createArenaView(state, speech) {
  const { says, words } = speech;
  const { store, bear, look } = createArena(state);
  const start = createStart(speech, look);
  const [table, boards, games] = [createTable(speech), createBoards(speech), createGames(speech)];
  const [player, game] = [createPlayer(speech), createGame(speech, bear)];
  const status = make("p", { class: "quiet", role: "status" });
  const [heading, about] = [make("h2"), make("p", { class: "lead-in" })];
  const all = make("section", {}, heading, about, start.element, boards.element, table.element);
  const back = says(make("a", { href: addressOf({ kind: "table" }) }), "arena-back");
  const element = make("section", { class: "lab arena" }, back, all, player.element, game.element, games.element, status);

  function show() {
    const found = store.get();
    const { kind } = found.place;
    const isRead = kind === "table" ? found.table !== null : kind === "player" ? found.player !== null : found.game !== null;
    back.hidden = kind === "table";
    all.hidden = kind !== "table" || !isRead;
    player.element.hidden = kind !== "player" || !isRead;
    game.element.hidden = kind !== "game" || !isRead;
    if (kind === "table" && found.table) {
      const { rows, games: count, total, limits } = found.table;
      setText(heading, words(found.table.kind === "ladder" ? "arena-ladder" : "arena-tournament"));
      const played = total === null ? String(count) : `${count} / ${total}`;
      setText(about, words("arena-about", { games: played, limits: limits || "–" }));
      table.show(rows);
      table.element.hidden = rows.length === 0;
      start.show(found.match);
      boards.show(found.live ?? { boards: [], testing: [], queue: [] }, found.table);
    }
    if (kind === "player" && found.player) player.show(found.player, found.table?.size ?? 8);
    if (kind === "game" && found.game) game.show(found.game);
    games.show(kind === "game" ? [] : found.games);
    const told = found.error !== null ? words("failed", { error: speech.fault(found.error) }) : isRead ? "" : words("arena-reading");
    setText(status, told || (found.table?.rows.length === 0 ? words("arena-none") : ""));
    status.classList.toggle("fault", found.error !== null);
  }
  speech.always(show);
  store.subscribe(show);
  return element;
}
