// The service worker: every file of one version of the page, from this browser. A new version is fetched whole and takes over
// when no page of the old one is open, so that no page is a mix of both.

// Filled in when the site is built.
const VERSION = "";
/** Fetched before the page is offline. @type {string[]} */
const FILES = [];
/** Fetched when needed and kept over versions, with the mark of their contents. @type {Record<string, string>} */
const LATER = {};

const PAGE = `turncoat-${VERSION}`;
const KEPT = "turncoat-kept";
/** What lets workers share memory with the page, wherever it is hosted. */
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(PAGE).then((cache) => Promise.all(FILES.map((name) => keep(cache, name)))));
});

/** Keeps a file as it is sent later: what a browser has compiled is kept with it. @param {Cache} cache @param {string} name */
async function keep(cache, name) {
  const fetched = await fetch(new Request(name, { cache: "no-cache" }));
  if (!fetched.ok) throw new Error(`${name}: ${fetched.status}`);
  await cache.put(name, isolated(fetched));
}

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("turncoat-") && name !== PAGE && name !== KEPT;
  const cleared = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  const name = url.slice(self.registration.scope.length).replace(/[?#].*/, "") || "index.html";
  event.respondWith(answer(name, event.request));
});

/** @param {string} name @param {Request} request */
async function answer(name, request) {
  if (name in LATER) return isolated(await kept(name));
  return (await caches.match(name, { cacheName: PAGE })) ?? isolated(await fetch(request));
}

/** A file that is fetched once for each of its contents. @param {string} name */
async function kept(name) {
  const cache = await caches.open(KEPT);
  const address = `${name}?${LATER[name]}`;
  const found = await cache.match(address);
  if (found) return found;
  const fetched = await fetch(address);
  if (!fetched.ok) return fetched;
  for (const old of await cache.keys()) if (new URL(old.url).pathname.endsWith(`/${name}`)) await cache.delete(old);
  // Where storage is full, it is fetched again next time.
  await cache.put(address, fetched.clone()).catch(() => {});
  return fetched;
}

/** @param {Response} response */
function isolated(response) {
  if (response.type === "opaque" || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
