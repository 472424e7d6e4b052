// @ts-check
// The beginning: the state, the frame around the views, and the way from one view to another.

import { local } from "./base/memory.js";
import { acceptDrops } from "./analyse/drops.js";
import { createAnalyseView } from "./analyse/view.js";
import { createArenaView } from "./arena/view.js";
import { about, asFault } from "./base/client.js";
import { byId, make } from "./base/dom.js";
import { createNotices, notify } from "./base/notices.js";
import { createSpeech } from "./base/speech.js";
import { createHelp } from "./base/shortcuts.js";
import { createState } from "./base/state.js";
import { slice } from "./base/store.js";
import { createToast } from "./base/toast.js";
import { LANGUAGES, learn } from "./base/words.js";
import { createLabView } from "./lab/view.js";
import { createLearnView } from "./learn/view.js";
import { createPlayView } from "./play/view.js";

/** @typedef {import("./base/state.js").ViewName} ViewName */

// A browser that was let in before comes to the page at once; the token should not stay in its history.
if (location.hash.startsWith("#token=")) history.replaceState(null, "", location.pathname);

/** Views by the beginning of their address after the `#`. @type {ViewName[]} */
const VIEWS = ["play", "analyse", "learn", "lab", "arena"];
/** @type {import("./base/state.js").Theme[]} */
const THEMES = ["auto", "light", "dark"];

const state = createState();
const frame = slice(state, "frame");
const speech = createSpeech(frame);
const toast = createToast(speech);
document.body.append(make("div", { class: "foot" }, toast.element, createNotices(speech)), createHelp(speech, frame));
acceptDrops(slice(state, "analyse"), speech, toast);

/** Views are made when they are first seen. @type {Record<ViewName, () => HTMLElement>} */
const makers = {
  play: () => createPlayView(state, speech, toast),
  analyse: () => createAnalyseView(state, speech, toast),
  learn: () => createLearnView(state, speech),
  lab: () => createLabView(state, speech),
  arena: () => createArenaView(state, speech),
};
/** @type {Partial<Record<ViewName, HTMLElement>>} */
const made = {};

/** The view of the address. @returns {ViewName} */
function addressed() {
  const name = location.hash.replace(/^#\/?/, "").split("?")[0];
  return VIEWS.find((view) => view === name) ?? "play";
}

function showView() {
  const view = addressed();
  frame.set({ view });
  made[view] ??= makers[view]();
  const whole = byId("view");
  if (whole.firstChild !== made[view]) {
    // A view begins with its board, wherever the one before was left.
    if (whole.firstChild !== null) scrollTo(0, 0);
    whole.replaceChildren(made[view]);
  }
  for (const name of VIEWS) {
    const link = byId(`to-${name}`);
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `Turncoat · ${speech.words(view)}`;
}

// Most servers have neither runs nor a contest to show.
about().then(({ runs, contest }) => {
  byId("to-lab").toggleAttribute("hidden", !runs);
  byId("to-arena").toggleAttribute("hidden", !contest);
}, () => {});
for (const name of VIEWS) speech.says(byId(`to-${name}`), name);
speech.says(byId("skip"), "skip");
speech.named(byId("views"), "views");
speech.named(byId("theme"), "theme");

const languages = speech.named(/** @type {HTMLSelectElement} */ (byId("language")), "language");
languages.append(...LANGUAGES.map(({ code, name }) => make("option", { value: code, lang: code }, name)));
speech.always(() => {
  const { language, view } = frame.get();
  document.documentElement.lang = language;
  languages.value = language;
  document.title = `Turncoat · ${speech.words(view)}`;
});

/** Names the game of the view that is shown. */
function showTagline() {
  const isReversed = state.get()[frame.get().view].variant === "reversed";
  const game = speech.words(isReversed ? "reversedShort" : "reversiShort");
  const rule = speech.words(isReversed ? "fewestWin" : "mostWin");
  byId("tagline").textContent = speech.words("tagline", { game, rule });
}
speech.always(showTagline);
state.subscribe(showTagline);

languages.addEventListener("change", async () => {
  const { code: language } = LANGUAGES[languages.selectedIndex];
  try {
    await learn(language);
  } catch (error) {
    languages.value = frame.get().language;
    notify(asFault(error));
    return;
  }
  local.setItem("language", language);
  frame.set({ language });
});

function showTheme() {
  const { theme } = frame.get();
  document.documentElement.dataset.theme = theme;
}
byId("theme").addEventListener("click", () => {
  const theme = THEMES[(THEMES.indexOf(frame.get().theme) + 1) % THEMES.length];
  local.setItem("theme", theme);
  frame.set({ theme });
  showTheme();
});

// The board is reached at once; the address of the view stays.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.querySelector('#view [tabindex="0"]'))?.focus();
});

showTheme();
addEventListener("hashchange", showView);
showView();
