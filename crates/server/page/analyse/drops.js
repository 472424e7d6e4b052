// @ts-check
// Files and texts that are dropped or pasted on the page, in whatever view: they are opened in Analyse.

/** @typedef {import("../base/store.js").Store<import("./model.js").Analysis>} AnalysisStore */

/** Where a text goes in by itself. */
export const FIELDS = "input, textarea, select, [contenteditable]";

/** @param {DragEvent} event */
function isOurs({ dataTransfer, target }) {
  const types = dataTransfer?.types ?? [];
  return types.includes("Files") || (types.includes("text/plain") && !(target instanceof Element && target.closest(FIELDS)));
}

/** @param {AnalysisStore} store */
export function acceptDrops(store) {
  /** Hands a file or a text on, and tells whether there was one. @param {DataTransfer | null} data */
  function takeIn(data) {
    const files = [...(data?.files ?? [])];
    const incoming = files.length > 0 ? files : data?.getData("text/plain").trim();
    if (!incoming) return false;
    const handOn = () => store.set({ incoming });
    if (location.hash.startsWith("#/analyse")) handOn();
    else {
      // The view first opens what it would without this.
      addEventListener("hashchange", handOn, { once: true });
      location.hash = "#/analyse";
    }
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
