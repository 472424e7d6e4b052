// @ts-check
// The page while weights are fetched: a thin line shows how much has come, and low levels play already. While the page
// rests, it fetches what nobody has waited for.

import { platform } from "./platform.js";
import { bookName, weightsComing, weightsName } from "./weights.js";

/** Shows how much has come as a thin line at the top. @param {number | null} share */
function show(share) {
  let line = /** @type {HTMLProgressElement | null} */ (document.querySelector("progress#weights"));
  if (line === null) {
    line = document.createElement("progress");
    line.id = "weights";
    document.body.append(line);
  }
  if (share === null) line.removeAttribute("value");
  else line.value = share;
  if (share === 1) line.remove();
}
/** Has the weights and books of all games kept while nobody waits for anything, so that all of the page works without a network. */
async function keepWhenIdle() {
  const connection = /** @type {{ saveData?: boolean } | undefined} */ (/** @type {any} */ (navigator).connection);
  if (!navigator.serviceWorker?.controller || connection?.saveData) return;
  for (const game of ["reversed", "reversi", "reversed-6x6", "reversi-6x6"]) {
    await new Promise((done) => ("requestIdleCallback" in globalThis ? requestIdleCallback(done) : setTimeout(done, 1000)));
    await weightsComing(game);
    // The service worker keeps them; those that it has are not read.
    for (const name of [weightsName(game), bookName(game)]) {
      const kept = await fetch(new URL(name, platform.files), /** @type {RequestInit} */ ({ priority: "low" }));
      await kept.body?.cancel();
    }
  }
}

/** Makes the page that of a site. */
export function watchFetching() {
  Object.assign(platform, { onProgress: show, isHasty: true });
  for (const type of ["load", "controllerchange"]) {
    (type === "load" ? globalThis : navigator.serviceWorker)?.addEventListener(type, () => keepWhenIdle().catch(() => {}));
  }
}
