// @ts-check
// A kept game in words.

import { playerName } from "./choice.js";

/**
 * @typedef {import("../../types/api").ListedGame} ListedGame
 * @typedef {import("../base/speech.js").Speech} Speech
 */

/** How it ended, or how far it went. @param {ListedGame} listed @param {Speech} speech */
function result({ outcome, loser, moves }, { words }) {
  const winner = loser === null ? outcome?.winner : loser === "black" ? "white" : "black";
  if (winner) return words(loser ? "wonBy" : "wonByDiscs", { side: words(winner), margin: outcome?.margin ?? 0 });
  return outcome ? words("draw") : words("goesOn", { moves: moves.length / 2 });
}

/** @param {ListedGame} listed */
export const isUnfinished = ({ moves, loser, outcome }) => moves !== "" && loser === null && outcome === null;

/** Who played, and what: the game, how it stands, and when that was. @param {ListedGame} listed @param {Speech} speech */
export function aboutKept(listed, speech) {
  const { variant, size, black, white, changed } = listed;
  const when = new Date(changed * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const which = `${speech.words(variant === "reversi" ? "reversiShort" : "reversedShort")} ${size} × ${size}`;
  return {
    who: `${playerName(black, speech)} – ${playerName(white, speech)}`,
    what: `${which} · ${result(listed, speech)} · ${when}`,
  };
}
