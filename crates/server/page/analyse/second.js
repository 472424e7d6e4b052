// @ts-check
// One's own program as a second engine: what it plays in the position that is shown, beside what the first one makes of that.

import { asFault, chooseMove, players } from "../base/client.js";
import { fill, make, setText } from "../base/dom.js";
import { signed } from "./scores.js";
import { here } from "./state.js";
import { movesOf, wayTo } from "./tree.js";

/** Milliseconds without a change before a program is started: stepping through a game asks only where one stops. */
const REST = 300;
const PREFIX = "program:";

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createSecond(analysis, speech) {
  const { store } = analysis;
  const { words } = speech;
  /** @type {import("../../types/api").PlayerView[]} */
  let programs = [];
  /** What it plays, and after which moves; what went wrong; nothing while it thinks. @type {{ at: string, move: string } | import("../base/client.js").Fault | null} */
  let answer = null;
  let asked = new AbortController();
  let timer = 0;
  const who = speech.named(make("select", { name: "second" }), "second");
  const said = make("p", { role: "status" });
  const element = make("div", { class: "second" }, who, said);
  element.hidden = true;

  function list() {
    const { variant, size } = store.get();
    const names = programs.filter((one) => one.variants.includes(variant) && one.sizes.includes(size)).map(({ name }) => name);
    const options = names.map((name) => /** @type {[string, string]} */ ([name, words("secondNamed", { player: name.slice(PREFIX.length) })]));
    fill(who, [["", words("secondOff")], ...options], names.includes(who.value) ? who.value : "");
    element.hidden = programs.length === 0;
  }

  function show() {
    said.hidden = who.value === "";
    const player = who.value.slice(PREFIX.length);
    if (answer === null) return setText(said, here(store.get())?.legal.length ? words("secondThinks", { player }) : "");
    if (!("move" in answer)) return setText(said, words("failed", { error: speech.fault(answer) }));
    const { at, move } = answer;
    const { scored, scoredAt } = store.get();
    const same = scoredAt === at ? scored.find((one) => one.move === move) : undefined;
    const score = same?.score ?? null;
    setText(said, score === null ? words("secondPlays", { player, move }) : words("secondScored", { player, move, score: signed(score, same?.exact ?? false) }));
  }

  /** Asks for the position that is shown; the question before is no longer of interest, and its program is ended. */
  function look() {
    asked.abort();
    clearTimeout(timer);
    answer = null;
    show();
    if (who.value !== "") timer = setTimeout(ask, REST);
  }

  async function ask() {
    const { variant, size, start, tree, at } = store.get();
    const now = here(store.get());
    if (tree === null || now === null || now.over || now.pass) return;
    const mine = (asked = new AbortController());
    const moves = movesOf(tree, wayTo(tree, at)).join("");
    const found = await chooseMove({ variant, size, start, moves }, who.value, 1, mine.signal).then(({ move }) => ({ at: moves, move }), asFault);
    await store.released();
    if (mine.signal.aborted) return;
    answer = found;
    show();
  }

  who.addEventListener("change", look);
  players().then(async (all) => {
    await store.released();
    programs = all.filter(({ name }) => name.startsWith(PREFIX));
    list();
  }, () => {});
  speech.always(() => (list(), show()));
  store.subscribe((now, before) => {
    if (now.variant !== before.variant || now.size !== before.size) list();
    if (now.tree !== before.tree || now.at !== before.at || now.variant !== before.variant) look();
    else if (now.scored !== before.scored) show();
  });
  return element;
}
