// @ts-check
// Files and texts that are dropped on the page, in whatever view: they are opened in Analyse.

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
  // Without this the browser would leave the page for the file.
  addEventListener("dragover", (event) => isOurs(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    const incoming = event.dataTransfer?.files[0] ?? event.dataTransfer?.getData("text/plain");
    if (!incoming) return;
    if (!location.hash.startsWith("#/analyse")) location.hash = "#/analyse";
    store.set({ incoming });
  });
}
