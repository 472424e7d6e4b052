// @ts-check
// Starts the engine when it is in nobody's way. From the second visit on it is at hand, and starts while the page is still on
// its way; on the first one the page is drawn before half a megabyte is asked for.

import { platform } from "./platform.js";
import { warmUp } from "./workers.js";

/** Milliseconds after which a page that nobody sees, and that is not drawn, counts as drawn. */
const UNSEEN = 500;

/** Threads that a search has at most, on however large a machine. */
const MOST = 16;

// Workers share memory where the page is isolated from others.
platform.threads = () => (globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency ?? 1, MOST) : 1);

if (navigator.serviceWorker?.controller) warmUp();
else {
  platform.whenDrawn = () =>
    new Promise((resolve) => {
      // What one frame draws is on the screen when the next one begins.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      setTimeout(resolve, UNSEEN);
    });
}
