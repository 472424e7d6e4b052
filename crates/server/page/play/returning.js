// @ts-check
// Polls a server that stopped responding, while the page is visible.

import { about, AGAIN, Gone } from "../base/client.js";

/**
 * @param {import("../base/store.js").Store<import("./state.js").Play>} store
 * @param {() => void} onBack
 */
export function watchForReturn(store, onBack) {
  let watching = false;
  const isWanted = () => store.get().gone && !document.hidden;

  async function watch() {
    if (watching || !isWanted()) return;
    watching = true;
    let answers = false;
    while (isWanted() && !answers) {
      await new Promise((done) => setTimeout(done, AGAIN));
      answers = await about().then(() => true, (error) => !(error instanceof Gone));
    }
    watching = false;
    if (answers && store.get().gone) onBack();
  }
  store.subscribe(watch);
  document.addEventListener("visibilitychange", watch);
}
