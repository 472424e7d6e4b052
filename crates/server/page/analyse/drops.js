// @ts-check
// Files and texts that are dropped or pasted on the page, in whatever view: they are opened in Analyse. A text that cannot be
// read is told where one is.

import { asFault } from "../base/client.js";
import { sharedBy } from "./link.js";
import { readMany } from "./manygames.js";
import { readText } from "./reading.js";

/** @typedef {import("../base/store.js").Store<import("./model.js").Analysis>} AnalysisStore */

/** Where a text goes in by itself. */
export const FIELDS = "input, textarea, select, [contenteditable]";

/** @param {DragEvent} event */
function isOurs({ dataTransfer, target }) {
  const types = dataTransfer?.types ?? [];
  return types.includes("Files") || (types.includes("text/plain") && !(target instanceof Element && target.closest(FIELDS)));
}

/**
 * @param {AnalysisStore} store
 * @param {import("../base/speech.js").Speech} speech
 * @param {import("../base/toast.js").Toast} toast
 */
export function acceptDrops(store, speech, toast) {
  const isAnalysed = () => location.hash.startsWith("#/analyse");

  /** Why a text is neither a game nor several, if it is not. @param {string} text */
  async function faultOf(text) {
    const { variant, size } = store.get();
    if (sharedBy(text.slice(Math.max(0, text.indexOf("#")))) !== null) return null;
    const fault = await readText(text, variant, size).then(() => null, asFault);
    if (fault === null) return null;
    const many = await readMany("", new TextEncoder().encode(text), size).catch(() => null);
    return many?.games.length ? null : fault;
  }

  /** @param {string | File[]} incoming */
  async function handOn(incoming) {
    const fault = typeof incoming === "string" && !isAnalysed() ? await faultOf(incoming) : null;
    if (fault !== null) return toast.tell(() => speech.words("refused", { error: speech.fault(fault) }));
    const give = () => store.set({ incoming });
    if (isAnalysed()) return give();
    // The view first opens what it would without this.
    addEventListener("hashchange", give, { once: true });
    location.hash = "#/analyse";
  }

  /** Hands a file or a text on, and tells whether there was one. @param {DataTransfer | null} data */
  function takeIn(data) {
    const files = [...(data?.files ?? [])];
    const incoming = files.length > 0 ? files : data?.getData("text/plain").trim();
    if (!incoming) return false;
    handOn(incoming);
    return true;
  }
  // Without this the browser would leave the page for the file.
  addEventListener("dragover", (event) => isOurs(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    takeIn(event.dataTransfer);
  });
  addEventListener("paste", (event) => {
    if (event.target instanceof Element && event.target.closest(FIELDS)) return;
    if (takeIn(event.clipboardData)) event.preventDefault();
  });
}
