// @ts-check
// The games of a file: a list to search, their results by opening, and each to be opened.

import { button, make, setText } from "../base/dom.js";
import { openings, readMany } from "./manygames.js";

/** @typedef {import("./manygames.js").Listed} Listed */

/** Games and openings that are shown at once, and moves by which openings are told apart. */
const [SHOWN, OPENINGS, PLIES] = [50, 6, 4];
/** The largest file that is looked into, in bytes. */
const LARGEST = 50_000_000;

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createCollection(analysis, speech) {
  const { words } = speech;
  /** @type {Listed[]} */
  let games = [];
  let name = "";
  const heading = make("h2");
  const search = speech.named(make("input", { type: "text", name: "search", autocomplete: "off", spellcheck: "false" }), "searchGames");
  speech.always(() => (search.placeholder = words("searchGames")));
  const count = make("p", { class: "quiet", role: "status" });
  const stats = make("ul", { class: "openings" });
  const list = make("ol", { class: "kept many" });
  const close = speech.named(button("collection-close", () => ((games = []), show()), "close"), "dismiss");
  close.append("×");
  const element = make("div", { class: "card collection" }, make("div", { class: "head" }, heading, close), search, stats, count, list);
  search.addEventListener("input", show);

  /** @param {Listed} listed */
  function item(listed) {
    const open = button("open-listed", () => {
      const { variant, size } = analysis.store.get();
      analysis.paste(listed.text, listed.variant ?? variant, size);
    });
    open.append(make("span", {}, `${listed.who}${listed.result ? ` · ${listed.result}` : ""}`), make("small", {}, listed.moves.slice(0, 24) || listed.text.slice(0, 40)));
    return make("li", {}, open);
  }

  function show() {
    element.hidden = games.length === 0;
    if (element.hidden) return;
    const wanted = search.value.trim().toLowerCase();
    const found = games.filter(({ who, moves, text }) => wanted === "" || who.toLowerCase().includes(wanted) || moves.startsWith(wanted) || text.toLowerCase().includes(wanted));
    setText(heading, name);
    setText(count, words("gamesFound", { found: found.length, all: games.length }));
    list.replaceChildren(...found.slice(0, SHOWN).map(item));
    const common = openings(found, PLIES).filter((one) => one.count > 1).slice(0, OPENINGS);
    stats.replaceChildren(
      ...common.map(({ moves, count: played, black, white }) => {
        const narrow = button("opening", () => ((search.value = moves), show()));
        narrow.append(moves, " ", make("small", {}, words("openingResults", { played, black, white })));
        return make("li", {}, narrow);
      }),
    );
  }
  speech.always(show);

  return {
    element,
    /** Lists the games of a file or a text, if there are several; tells whether. @param {string | File} pasted */
    async take(pasted) {
      if (pasted instanceof File && pasted.size > LARGEST) return false;
      const bytes = pasted instanceof File ? await pasted.arrayBuffer().catch(() => new ArrayBuffer(0)) : new TextEncoder().encode(pasted).buffer;
      const title = pasted instanceof File ? pasted.name : words("pastedGames");
      const found = readMany(title, new Uint8Array(bytes));
      if (found.length === 0) return false;
      [games, name, search.value] = [found, title, ""];
      show();
      element.scrollIntoView({ block: "nearest" });
      return true;
    },
  };
}
