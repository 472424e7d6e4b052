// @ts-check
// Games that were left before their end, to be resumed.

import { button, make } from "../base/dom.js";
import { aboutKept } from "./kept.js";

/** @typedef {import("../../types/api").ListedGame} ListedGame */

/** Games that are shown before all are asked for. */
const SHOWN = 5;

/**
 * @param {ReturnType<typeof import("./model.js").createGame>} game
 * @param {import("../base/speech.js").Speech} speech
 */
export function createUnfinished({ store, unfinished, resume }, speech) {
  const { words } = speech;
  const list = make("ul", { class: "unfinished" });
  const more = button("more-games", () => show(games.length));
  /** @type {ListedGame[]} */
  let games = [];
  let asked = 0;

  /** @param {ListedGame} listed */
  function item(listed) {
    const { who, what } = aboutKept(listed, speech);
    const go = button("resume", () => resume(listed.id));
    go.textContent = words("resume");
    return make("li", { "data-id": String(listed.id) }, make("span", {}, who, make("small", {}, what)), go);
  }

  function show(count = SHOWN) {
    element.hidden = games.length === 0;
    more.hidden = games.length <= count;
    if (!more.hidden) more.textContent = words("moreGames", { count: games.length - count });
    list.replaceChildren(...games.slice(0, count).map(item));
  }

  /** Asks which games there are now. */
  async function refresh() {
    const mine = ++asked;
    const found = await unfinished().catch(() => null);
    // What is as it was stays in the page: somebody may be pressing its button.
    if (found === null || mine !== asked || JSON.stringify(found) === JSON.stringify(games)) return;
    games = found;
    show();
  }

  const element = make("div", { class: "card kept-games" }, speech.says(make("h2"), "unfinished"), list, more);
  speech.always(show);
  // A game that is left before its first answer had no number: a new one is told by its seed.
  store.subscribe((now, before) => (now.id !== before.id || now.seed !== before.seed) && refresh());
  return { element, refresh };
}
