// @ts-check
// One game: played back move by move with the time of each, what went wrong, and what the programs printed.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { readGame } from "../base/client.js";
import { button, make, setText } from "../base/dom.js";
import { addressOf } from "../analyse/link.js";
import { brief } from "../lab/curves.js";
import { time } from "./boards.js";
import { outcome } from "./table.js";

/** @import { ContestGameDetails, GameView } from "../../types/api" */

/** @param {string} name @param {string} text */
const download = (name, text) => make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })) }, name);

/**
 * @param {import("../base/speech.js").Speech} speech
 * @param {(token: string) => void} bear
 */
export function createGame(speech, bear) {
  const { says, named, words } = speech;
  const [title, result, detail] = [make("h2"), make("p"), make("p", { class: "fault", lang: "en" })];
  const pressed = make("p", { class: "pressed" });
  const board = createBoard({ ...describer(speech), still: true });
  const slider = named(make("input", { type: "range", min: "0", value: "0", step: "1" }), "arena-move");
  const told = make("p", { class: "quiet", "aria-live": "polite" });
  const links = make("p", { class: "links" });
  const outputs = make("div");
  const token = named(make("input", { type: "password", autocomplete: "off" }), "arena-token");
  const form = make("form", { class: "token" }, says(make("span"), "arena-tokenAbout"), token, says(button("bear", () => {}), "arena-show"));
  form.querySelector("button")?.setAttribute("type", "submit");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bear(token.value);
  });
  const side = make("div", { class: "card" }, told, slider, links, outputs, form);
  const element = make("section", { class: "contest-game" }, title, result, pressed, detail, make("div", { class: "replay" }, board.element, side));
  /** @type {ContestGameDetails | null} */
  let game = null;
  /** @type {GameView | null} */
  let read = null;

  /** Shows the position after as many moves as the slider says. */
  function showMove() {
    if (!game || !read) return;
    const at = Number(slider.value);
    const last = at === 0 ? null : read.moves[at - 1];
    board.show(read.positions[at], read.size, { last: last === "pass" ? null : last });
    const placed = read.moves.slice(0, at).filter((played) => played !== "pass").length;
    // Moves of the opening were nobody's.
    const opening = read.moves.filter((played) => played !== "pass").length - game.times.length;
    const own = last === "pass" ? -1 : placed - 1 - opening;
    const [seconds, memory] = [game.times[own], game.memory[own] ?? null];
    const text = last === null ? words("arena-begin") : words("arena-at", { number: at, move: last });
    const parts = [text];
    if (seconds !== undefined) parts.push(time(seconds));
    if (memory !== null) parts.push(words("arena-memory", { megabytes: brief(memory) }));
    if (game.pressed_moves.includes(own)) parts.push(words("arena-withheld"));
    setText(told, parts.join(", "));
  }
  slider.addEventListener("input", showMove);

  /** @param {ContestGameDetails} shown */
  function showLinks(shown) {
    const { variant, size, start, moves } = shown;
    const analyse = make("a", { href: addressOf({ variant, size, start: start ?? "start", line: moves, at: "" }) }, words("arena-analyse"));
    links.replaceChildren(analyse, download("chess_log.txt", shown.chess_log), download(`game-${shown.game}.txt`, `${moves}\n`));
    const said = [shown.black_output, shown.white_output].flatMap((text, index) => {
      if (text === null) return [];
      const name = words("arena-printed", { player: index === 0 ? shown.black : shown.white });
      return [make("h3", {}, name), make("pre", { tabindex: "0" }, text)];
    });
    outputs.replaceChildren(...said);
    form.hidden = !shown.hidden;
  }

  /** @param {ContestGameDetails} shown */
  function show(shown) {
    setText(title, words("arena-gameOf", { number: shown.game, black: shown.black, white: shown.white }));
    const [black, white] = shown.seconds.map(time);
    const most = shown.memory.reduce((/** @type {number | null} */ most, one) => (one === null ? most : Math.max(most ?? 0, one)), null);
    const parts = [outcome(shown, words), `● ${black}`, `○ ${white}`];
    if (most !== null) parts.push(words("arena-memory", { megabytes: brief(most) }));
    setText(result, parts.join(" · "));
    const marks = [];
    if (shown.voided > 0) marks.push(words("arena-voided", { times: shown.voided }));
    if (shown.pressed_moves.length > 0) marks.push(words("arena-pressedMoves", { moves: shown.pressed_moves.length }));
    setText(pressed, marks.join(" "));
    pressed.hidden = marks.length === 0;
    setText(detail, shown.detail ?? "");
    detail.hidden = shown.detail === null;
    if (shown === game) return;
    game = shown;
    read = null;
    showLinks(shown);
    readGame({ variant: shown.variant, size: shown.size, start: shown.start ?? "start", moves: shown.moves }).then((found) => {
      if (game !== shown) return;
      read = found;
      slider.max = String(found.moves.length);
      slider.value = slider.max;
      showMove();
    }, () => {});
  }
  speech.always(() => {
    if (game) showLinks(game);
    showMove();
  });
  return { element, show };
}
