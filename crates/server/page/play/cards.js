// @ts-check
// The two players of a game: name, discs, clock, and whose turn it is.

import { make } from "../base/dom.js";
import { playerName } from "./choice.js";
import { left, written } from "./clock.js";
import { isOver, position, shownPosition } from "./state.js";

const SIDES = /** @type {const} */ (["black", "white"]);

/**
 * @param {import("../base/store.js").Store<import("./state.js").Play>} store
 * @param {import("../base/speech.js").Speech} speech
 */
export function createCards(store, speech) {
  const cards = SIDES.map((side) => {
    const name = make("span", { class: "name" });
    const clock = make("span", { class: "clock" });
    const count = make("span", { class: "count" });
    const card = make(
      "div",
      { class: `card player ${side}` },
      make("span", { class: `bead ${side}`, "aria-hidden": "true" }),
      name,
      clock,
      count,
    );
    return { side, name, clock, count, card };
  });

  function showClocks() {
    const { clock } = store.get();
    for (const card of cards) {
      card.clock.hidden = clock === null;
      const time = clock === null ? 0 : left(clock, card.side, Date.now());
      card.clock.textContent = clock === null ? "" : written(time);
      card.clock.classList.toggle("short", clock !== null && time < 20_000);
    }
  }
  setInterval(showClocks, 100);

  function show() {
    const state = store.get();
    const [now, shown] = [position(state), shownPosition(state)];
    for (const { side, name, count, card } of cards) {
      name.textContent = `${speech.words(side)} · ${playerName(state[side], speech)}`;
      count.textContent = shown === null ? "" : String(shown[side]);
      count.setAttribute("aria-label", speech.words("discs", { side: speech.words(side), count: shown?.[side] ?? 0 }));
      count.setAttribute("role", "img");
      card.classList.toggle("active", now !== null && !isOver(state) && now.side === side);
    }
    showClocks();
  }
  speech.always(show);
  store.subscribe(show);
  return make("div", { class: "players" }, ...cards.map(({ card }) => card));
}
