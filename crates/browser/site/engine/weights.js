// @ts-check
// The weights of the trained evaluation, fetched for the game that is played, with their progress shown.

/** @typedef {{ known: Uint8Array | null, coming: Promise<Uint8Array> }} Weights */

/** @type {Record<string, Weights>} */
const all = {};

/** @param {string} variant @returns {Weights} */
export function weightsOf(variant) {
  if (all[variant] !== undefined) return all[variant];
  /** @type {Weights} */
  const weights = { known: null, coming: fetched(variant) };
  all[variant] = weights;
  weights.coming.then(
    (bytes) => (weights.known = bytes),
    // The next one who asks tries again.
    () => all[variant] === weights && delete all[variant],
  );
  return weights;
}

/** @param {string} variant */
const addressOf = (variant) => new URL(`./patterns-${variant}.weights`, import.meta.url);

/** Weights that turned out to be damaged are fetched anew. @param {string} variant */
export function forgetWeights(variant) {
  delete all[variant];
  forgetFile(`patterns-${variant}.weights`);
}

/** Has a file come from the host again, not from what this browser keeps. @param {string} name */
export async function forgetFile(name) {
  if (!("caches" in globalThis)) return;
  for (const kept of await caches.keys()) {
    const cache = await caches.open(kept);
    for (const request of await cache.keys()) if (new URL(request.url).pathname.endsWith(`/${name}`)) await cache.delete(request);
  }
}

// What came before the service worker did is fetched once more, so that it is there without a network.
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  for (const variant of Object.keys(all)) fetch(addressOf(variant)).catch(() => {});
});

/** @param {string} variant */
async function fetched(variant) {
  const response = await fetch(addressOf(variant));
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${response.statusText}`);
  const length = Number(response.headers.get("Content-Length"));
  const parts = [];
  let come = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    come += part.value.length;
    show(length > 0 ? come / length : null);
  }
  show(1);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

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
