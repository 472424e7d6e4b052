// @ts-check
// The ladder: one level after the other, each to be beaten. How far one has got stays in this browser.

import { local } from "../base/memory.js";
import { button, make, setText } from "../base/dom.js";
import { sentences } from "../base/words.js";
import { FIRST_LEVELS, isLadderGame, LEVELS, nextLevel, propose, proposed, result, rungOf } from "./levels.js";
import { createShare } from "./share.js";
import { HUMAN, isOver, position } from "./state.js";

/** @typedef {import("./state.js").Play} Play */

const KEY = "ladder";

/** The highest level beaten, by game. @returns {Record<string, number>} */
function beaten() {
  try {
    const found = JSON.parse(local.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} variant */
const highest = (variant) => Math.min(Math.max(Number(beaten()[variant]) || 0, 0), LEVELS);

/**
 * @param {import("../base/store.js").Store<Play>} store
 * @param {import("../base/speech.js").Speech} speech
 * @param {(choice: import("./state.js").Choice) => void} begin
 */
export function createLadder(store, speech, begin) {
  const sentence = make("p", { class: "sentence" });
  const rungs = make("div", { class: "rungs", role: "img" });
  for (let level = 1; level <= LEVELS; level++) rungs.append(make("i"));
  const go = button("climb", () => climb(), "main");
  const share = createShare(store, speech);
  const firsts = FIRST_LEVELS.map(([phrase, level]) => {
    const first = speech.says(button("first", () => climb(level)), phrase);
    first.dataset.level = String(level);
    return first;
  });
  const row = make("div", { class: "row" }, ...firsts, go, share.button);
  const element = make("div", { class: "ladder" }, sentence, rungs, row, share.said);

  /** The level to play next: by the last result, or else one above the highest beaten. */
  const next = () => proposed(store.get().variant) ?? Math.min(highest(store.get().variant) + 1, LEVELS);

  function climb(level = next()) {
    const { variant } = store.get();
    propose(variant, level);
    begin({ variant, size: 8, black: HUMAN, white: `turncoat:level=${level}`, control: "none" });
  }

  /** Whether nothing is known of the person: the first game is proposed by what they say. */
  const isNew = () => proposed(store.get().variant) === null && highest(store.get().variant) === 0;

  /** What the card says of the game that is over, or of the one to come. */
  function words() {
    const now = store.get();
    const ended = result(now);
    if (ended === null) {
      const how = speech.words(now.variant === "reversed" ? "tryToLose" : "tryToWin");
      return sentences(isNew() ? [how, speech.words("howWell")] : [how]);
    }
    if (ended.isDraw) return speech.words("drewLevel", { level: ended.level });
    return speech.words(ended.won ? "beatLevel" : "lostToLevel", { level: ended.level });
  }

  function show() {
    const now = store.get();
    const ended = result(now);
    const top = highest(now.variant);
    // While a game goes on, only the game is to be seen; one of two people or from a position is none of the ladder.
    const isUnderWay = (now.game?.moves.length ?? 0) > 0 && (isOver(now) || position(now) !== null);
    element.hidden = ended === null && (isUnderWay || !isLadderGame(now));
    setText(sentence, words());
    setText(go, speech.words(ended?.level === next() ? "tryAgain" : "playLevel", { level: next() }));
    // What it would begin may be on the board already.
    const isHere = ended === null && isLadderGame(now) && rungOf(now)?.level === next() && now.control === "none";
    go.hidden = isNew() || isHere;
    for (const first of firsts) first.hidden = !isNew();
    rungs.setAttribute("aria-label", speech.words("rungs", { top, all: LEVELS }));
    [...rungs.children].forEach((rung, place) => rung.classList.toggle("beaten", place < top));
    share.button.hidden = share.said.hidden = ended === null || now.loser !== null;
  }
  speech.always(show);
  store.subscribe((now, before) => {
    const ended = result(now);
    // Only a game that has just ended counts: the players of the next one come before its board.
    const isNews = isLadderGame(now) && (now.game !== before.game || now.loser !== before.loser);
    if (isNews && ended !== null) propose(now.variant, nextLevel(ended.level, ended, now.loser === null ? (now.game?.outcome?.margin ?? 0) : 0));
    if (isNews && ended?.won && ended.level > highest(now.variant)) {
      local.setItem(KEY, JSON.stringify({ ...beaten(), [now.variant]: ended.level }));
    }
    show();
  });
  return element;
}
