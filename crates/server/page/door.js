// @ts-check
// The door of a server that others can reach: it takes the token from the address that was clicked, or asks for it.

import { local } from "./base/memory.js";
import { about, asFault, openSession } from "./base/client.js";
import { wordFault } from "./base/faults.js";
import { say, usualLanguage } from "./base/words.js";

const language = usualLanguage();
/** @param {import("./base/words.js").Phrase} phrase @param {Record<string, string | number>} [values] */
const words = (phrase, values) => say(language, phrase, values);

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const input = /** @type {HTMLInputElement} */ (byId("token"));

/** The page, at the view that was asked for unless the address has the token. */
function goIn() {
  location.replace(location.hash.startsWith("#token=") ? "/" : `/${location.hash}`);
}

/** @param {unknown} [error] */
function ask(error) {
  byId("told").textContent = error === undefined ? "" : wordFault(asFault(error), words);
  byId("door").hidden = false;
  input.focus();
}

/** @param {string} token */
const enter = (token) => openSession(token).then(goIn, ask);

document.documentElement.lang = language;
document.documentElement.dataset.theme = local.getItem("theme") ?? "auto";
byId("ask").textContent = words("doorAsk");
byId("label").textContent = words("doorToken");
byId("enter").textContent = words("doorEnter");
byId("door").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(input.value.trim());
});

function knock() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) return enter(given);
  // A link from another site brings no cookie to the page, but the door has it.
  about().then(goIn, (error) => ask(asFault(error).code === "no-token" ? undefined : error));
}
addEventListener("hashchange", knock);
knock();
