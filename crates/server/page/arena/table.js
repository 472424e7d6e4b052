// @ts-check
// The players in a table, and games in a list.

import { keyed, make, setText } from "../base/dom.js";
import { brief } from "../lab/curves.js";
import { addressOf } from "./model.js";

/** @import { ContestGame, ContestRow } from "../../types/api" */

/** What a table has of a player, each with the phrase of its column. */
const COLUMNS = /** @type {const} */ (["rank", "player", "rating", "games", "won", "drawn", "lost", "faults", "margin"]);

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : ""}${brief(value)}`;

/** @param {import("../base/speech.js").Speech} speech */
export function createTable(speech) {
  const { words } = speech;
  const body = make("tbody");
  const head = COLUMNS.map((column) => speech.says(make("th", { scope: "col" }), `arena-${column}`));
  const table = make("table", { class: "runs contest" }, make("thead", {}, make("tr", {}, ...head)), body);
  const element = make("div", { class: "card scroll" }, table);

  /** @param {ContestRow} row */
  function create({ name }) {
    const link = make("a", { href: addressOf({ kind: "player", name }) });
    const player = make("th", { scope: "row" }, link, make("small"));
    const cells = COLUMNS.slice(2).map((column) => make("td", { class: column }));
    return make("tr", { "data-player": name }, make("td", { class: "rank" }), player, ...cells);
  }

  /** @param {HTMLTableRowElement} node @param {ContestRow} row */
  function update(node, row) {
    const [rank, player, ...cells] = [...node.children];
    const [link, small] = [...player.children];
    node.dataset.state = row.state;
    setText(rank, row.rank === null ? "–" : String(row.rank));
    setText(link, row.title);
    const state = row.state === "playing" ? "" : words(`contestant-${row.state}`);
    const version = row.version === null ? "" : words("arena-version", { number: row.version });
    setText(small, row.words ?? (row.yardstick ? words("arena-yardstick") : state || version));
    const rating = row.games === 0 ? "–" : `${signed(row.rating)} ± ${brief(row.rating_error)}`;
    const margin = row.margin === null ? "–" : signed(row.margin);
    const counts = [row.games, row.wins, row.draws, row.losses, row.faults].map(String);
    [rating, ...counts, margin].forEach((text, index) => setText(cells[index], text));
  }

  return {
    element,
    /** @param {ContestRow[]} rows */
    show: (rows) => keyed(body, rows, ({ name }) => name, create, update),
  };
}

/** @param {import("../base/speech.js").Speech} speech */
export function createGames(speech) {
  const { words } = speech;
  const list = make("ol", { class: "contest-games" });
  const element = make("article", { class: "card" }, speech.says(make("h3"), "arena-latest"), list);

  /** @param {ContestGame} game */
  const create = ({ game }) => make("li", {}, make("a", { href: addressOf({ kind: "game", number: game }) }), make("small"));

  /** @param {HTMLLIElement} node @param {ContestGame} game */
  function update(node, game) {
    const [link, small] = [...node.children];
    setText(link, words("arena-gameOf", { number: game.game, black: game.black, white: game.white }));
    setText(small, game.pressed ? `${outcome(game, words)} · ${words("arena-pressed")}` : outcome(game, words));
    node.classList.toggle("fault", game.reason !== "finished");
  }

  return {
    element,
    /** @param {ContestGame[]} games */
    show(games) {
      element.hidden = games.length === 0;
      keyed(list, games, ({ game }) => String(game), create, update);
    },
  };
}

/** How a game ended, in words. @param {ContestGame} game @param {import("../base/speech.js").Speech["words"]} words */
export function outcome(game, words) {
  if (game.winner === "draw") return words("arena-draw");
  const winner = game.winner === "black" ? game.black : game.white;
  if (game.margin === null) return words("arena-byFault", { winner, fault: words(faultPhrase(game.reason)) });
  return words("arena-byDiscs", { winner, discs: Math.abs(game.margin) });
}

const FAULTS = /** @type {const} */ (["timeout", "crash", "illegal-move", "protocol-error", "out-of-memory"]);

/** The phrase of a fault. @param {string} reason @returns {import("../base/speech.js").Phrase} */
const faultPhrase = (reason) => `reason-${FAULTS.find((known) => known === reason) ?? "crash"}`;
