// @ts-check
// The moves of the game that is played. A click on one shows the position after it.

import { make } from "../base/dom.js";
import { numbersOf } from "./state.js";

/**
 * @param {import("../base/store.js").Store<import("./state.js").Play>} store
 * @param {import("../base/speech.js").Speech} speech
 * @param {(made: number) => void} view
 */
export function createMoveList(store, speech, view) {
  const list = speech.named(make("div", { class: "transcript", role: "group" }), "moves");
  /** @type {HTMLButtonElement[]} */
  const buttons = [];

  /** A button for the next move, with a space before it for those who copy the list. */
  function add() {
    const made = buttons.length + 1;
    const button = make("button", { type: "button", class: "move" });
    button.addEventListener("click", () => view(made));
    buttons.push(button);
    return button;
  }

  function show() {
    const { game, viewed } = store.get();
    const moves = game?.moves ?? [];
    const numbers = numbersOf(moves);
    while (buttons.length > moves.length) {
      buttons.pop()?.remove();
      list.lastChild?.remove();
    }
    moves.forEach((move, ply) => {
      const isNew = ply === buttons.length;
      const button = isNew ? add() : buttons[ply];
      const text = move === "pass" ? "–" : move;
      if (button.textContent !== text) button.textContent = text;
      button.title = move === "pass" ? speech.words("pass") : "";
      button.dataset.number = numbers[ply] === null ? "" : `${numbers[ply]}.`;
      button.dataset.side = game?.positions[ply].side;
      if (ply + 1 === (viewed ?? moves.length)) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (isNew) list.append(...(ply === 0 ? [button] : [" ", button]));
    });
    const current = buttons[(viewed ?? moves.length) - 1];
    list.scrollTop = current ? current.offsetTop - (list.clientHeight - current.offsetHeight) / 2 : 0;
  }
  speech.always(show);
  store.subscribe((now, before) => (now.game !== before.game || now.viewed !== before.viewed) && show());
  return list;
}
