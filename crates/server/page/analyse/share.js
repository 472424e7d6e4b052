// @ts-check
// Sharing an analysis: its address, and what others can open where the address is this machine's own.

import { about, asFault, exportGame } from "../base/client.js";
import { button, make, setText } from "../base/dom.js";
import { onEscape } from "../base/shortcuts.js";
import { addressOf } from "./link.js";
import { shared } from "./model.js";
import { lineThrough, movesOf } from "./tree.js";

/** @typedef {import("../base/speech.js").Phrase} Phrase */

/** Whether only this machine knows a host by this name. @param {string} host */
export const isLocal = (host) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 */
export function createShare(analysis, speech) {
  const { store } = analysis;
  const link = speech.named(make("input", { type: "text", class: "link", readonly: "" }), "shareLink");
  const warning = speech.says(make("p", { class: "quiet only-here" }), "onlyHere");
  const said = make("p", { class: "quiet said", role: "status" });
  const copyGame = speech.says(button("copy-game", giveGame), "copyGame");
  const panel = make("div", { class: "sharing" }, link, warning, copyGame);
  panel.hidden = true;
  /** The address of this page for others. */
  let base = location.href;

  /** @param {string} told */
  const say = (told) => setText(said, told);
  /** @type {() => void} */
  let again = () => {};
  /** Says a phrase, in the language of the moment. @param {Phrase} phrase */
  const tell = (phrase) => {
    again = () => say(speech.words(phrase));
    again();
  };
  speech.always(() => again());

  /** Copies a text; where the browser does not let us, it is there to be copied by hand. @param {string} text @param {Phrase} done */
  async function copy(text, done) {
    link.value = text;
    link.select();
    try {
      await navigator.clipboard.writeText(text);
      tell(done);
    } catch {
      tell("copyThis");
    }
  }

  const address = () => new URL(addressOf(shared(store.get())), base).href;

  function close() {
    if (panel.hidden) return;
    // The button that opened it is there to open it again.
    if (panel.contains(document.activeElement)) /** @type {HTMLElement | null} */ (document.querySelector("[data-action=share]"))?.focus();
    panel.hidden = true;
    again = () => {};
    say("");
  }
  onEscape(panel, close);

  /** Shows the address, or puts it away. */
  async function share() {
    if (!panel.hidden) return close();
    const { public: open } = await about().catch(() => ({ public: null }));
    base = open ?? location.href;
    warning.hidden = !isLocal(new URL(base).hostname);
    panel.hidden = false;
    await copy(address(), "copied");
  }

  /** The game that is looked at, as a text that anybody can open. */
  async function giveGame() {
    const { variant, size, start, tree, at, record } = store.get();
    if (tree === null) return;
    const moves = movesOf(tree, lineThrough(tree, at)).filter((move) => move !== "pass").join("");
    try {
      // A transcript begins with the usual start.
      const text = start === "start" && moves !== "" ? moves : await exportGame({ variant, size, start, moves }, "ggf", record);
      await copy(text, "copiedGame");
    } catch (error) {
      say(speech.words("failed", { error: speech.fault(asFault(error)) }));
    }
  }

  store.subscribe((now, before) => {
    if (panel.hidden || (now.tree === before.tree && now.at === before.at && now.variant === before.variant)) return;
    link.value = address();
    again = () => {};
    say("");
  });
  return { share, panel, said };
}
