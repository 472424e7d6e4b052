// @ts-check
// Starts the engine when it is in nobody's way. From the second visit on it is at hand, and starts while the page is still on
// its way; on the first one the page is drawn before half a megabyte is asked for.

import { platform } from "./platform.js";
import { warmUp } from "./workers.js";

/** Milliseconds after which a page that nobody sees, and that is not drawn, counts as drawn. */
const UNSEEN = 500;

/** Threads that a search has at most: on however large a machine, and on one with little memory. */
const [MOST, FEW] = [16, 4];
/** Gigabytes of memory, as far as browsers tell, from which on it is not little. */
const ENOUGH = 8;

/** Workers share memory where the page is isolated from others. */
platform.threads = () => {
  if (!globalThis.crossOriginIsolated) return 1;
  const { hardwareConcurrency = 1, deviceMemory = ENOUGH } = /** @type {Navigator & { deviceMemory?: number }} */ (navigator);
  return Math.min(hardwareConcurrency, deviceMemory < ENOUGH ? FEW : MOST);
};

if (navigator.serviceWorker?.controller) warmUp();
else {
  platform.whenDrawn = () =>
    new Promise((resolve) => {
      // What one frame draws is on the screen when the next one begins.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      setTimeout(resolve, UNSEEN);
    });
}
