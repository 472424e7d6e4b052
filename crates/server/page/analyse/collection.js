// @ts-check
// The games of a file: a list to search, their results by opening, and each to be opened.

import { asFault } from "../base/client.js";
import { button, make, setText } from "../base/dom.js";
import { sentences } from "../base/words.js";
import { openingOf, openings, readMany, readNames, WTHOR_HEADER } from "./manygames.js";

/**
 * @typedef {import("./manygames.js").Listed} Listed
 * @typedef {import("./manygames.js").Note} Note
 */

/** Games and openings that are shown at once, and moves by which openings are told apart. */
const [SHOWN, OPENINGS, PLIES] = [50, 8, 4];
/** The largest file that is looked into, in bytes. */
const LARGEST = 50_000_000;

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 * @param {() => void} onFault a game of the list could not be opened
 */
export function createCollection(analysis, speech, onFault) {
  const { words } = speech;
  /** @type {Listed[]} */
  let games = [];
  /** @type {Note[]} */
  let notes = [];
  let name = "";
  /** The names that the numbers of games stand for, from other files. */
  let [players, events] = /** @type {string[][]} */ ([[], []]);
  const heading = make("h2");
  const search = speech.named(make("input", { type: "text", name: "search", autocomplete: "off", spellcheck: "false" }), "searchGames");
  speech.always(() => (search.placeholder = words("searchGames")));
  const count = make("p", { class: "quiet", role: "status" });
  const stats = make("ul", { class: "openings" });
  const list = make("ol", { class: "kept many" });
  const close = speech.named(button("collection-close", () => (([games, notes] = [[], []]), show()), "close"), "dismiss");
  close.append("×");
  const told = make("p", { class: "left-out", role: "status" });
  const element = make("div", { class: "card collection" }, make("div", { class: "head" }, heading, close), told, search, stats, count, list);
  search.addEventListener("input", show);

  /** @param {Listed} listed */
  function item(listed) {
    const open = button("open-listed", async () => {
      const { variant, size } = analysis.store.get();
      if (!(await analysis.paste(listed.text, listed.variant ?? variant, size))) onFault();
    });
    open.append(make("span", {}, `${listed.who}${listed.result ? ` · ${listed.result}` : ""}`), make("small", {}, listed.moves.slice(0, 24) || listed.text.slice(0, 40)));
    return make("li", {}, open);
  }

  /** Games of WTHOR get the names that have been read. */
  function setNames() {
    for (const listed of games) {
      const { black, white, event } = listed.numbers ?? { black: -1, white: -1, event: -1 };
      if (listed.numbers) listed.who = [`${players[black] ?? black} – ${players[white] ?? white}`, events[event]].filter(Boolean).join(" · ");
    }
  }

  function show() {
    element.hidden = games.length === 0 && notes.length === 0;
    if (element.hidden) return;
    const wanted = search.value.trim().toLowerCase();
    const isLine = /^(?:[a-h][1-8])+$/.test(wanted);
    // Openings are turned, and so is what is looked for among them.
    const turned = isLine ? openingOf(wanted.match(/../g) ?? []) : "";
    /** @param {Listed} listed */
    const fits = ({ who, moves, opening, text }) =>
      wanted === "" || (isLine ? moves.startsWith(wanted) || opening.startsWith(turned) : `${who} ${text}`.toLowerCase().includes(wanted));
    const found = games.filter(fits);
    setText(heading, name);
    setText(told, sentences(notes.map(({ phrase, values }) => words(phrase, values))));
    setText(count, words("gamesFound", { found: found.length, all: games.length }));
    told.hidden = notes.length === 0;
    for (const part of [search, count, list]) part.hidden = games.length === 0;
    list.replaceChildren(...found.slice(0, SHOWN).map(item));
    // A line that is searched for is followed move by move.
    const plies = isLine ? wanted.length / 2 + 1 : PLIES;
    const common = openings(found, plies, analysis.store.get().variant).filter((one) => one.count > 1 || isLine).slice(0, OPENINGS);
    stats.replaceChildren(
      ...common.map(({ moves, count: played, known, black, white }) => {
        const narrow = button("opening", () => ((search.value = moves), show()));
        narrow.append(moves, " ", make("small", {}, words(known > 0 ? "openingResults" : "openingPlayed", { played, black, white })));
        return make("li", {}, narrow);
      }),
    );
  }
  speech.always(show);
  // Who won depends on the game.
  analysis.store.subscribe((now, before) => now.variant !== before.variant && show());

  /** Lists the games of a file or a text, if there are several, or takes the names in it; tells whether. @param {string | File} pasted @param {number} size */
  async function take(pasted, size) {
    if (pasted instanceof File && pasted.size > LARGEST) return false;
    const content = pasted instanceof File ? await pasted.arrayBuffer().catch(() => new ArrayBuffer(0)) : new TextEncoder().encode(pasted).buffer;
    const bytes = new Uint8Array(content);
    const title = pasted instanceof File ? pasted.name : words("pastedGames");
    const named = readNames(title, bytes);
    if (named !== null) {
      if (named.isEvents) events = named.names;
      else players = named.names;
      if (games.length === 0) [name, notes] = [title, [{ phrase: "namesRead", values: { count: named.names.length } }]];
    } else {
      // Without an engine there is no list; the page then says what is wrong with a single game.
      const found = await readMany(title, bytes, size).catch((error) => {
        if (error.code === WTHOR_HEADER) throw error;
        return { games: [], notes: [] };
      });
      if (found.games.length === 0 && found.notes.length === 0) return false;
      [games, notes, name, search.value] = [found.games, found.notes, title, ""];
    }
    setNames();
    show();
    element.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** @param {unknown} error */
  function refuse(error) {
    analysis.store.set({ error: asFault(error), lead: "refused" });
    return null;
  }

  return {
    element,
    /**
     * Opens a text or files: a list of games with its names, or else a single game; tells whether that could be done.
     * @param {string | File[]} pasted
     * @param {string} variant
     * @param {number} size
     */
    async open(pasted, variant, size) {
      let isOpen = true;
      for (const one of typeof pasted === "string" ? [pasted] : pasted) {
        /** @type {boolean | null} nothing after a fault */
        const isList = isOpen && (await take(one, size).catch(refuse));
        isOpen &&= isList !== null && (isList || (await analysis.paste(one, variant, size)));
      }
      return isOpen;
    },
  };
}
