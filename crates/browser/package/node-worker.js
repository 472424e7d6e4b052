// @ts-check
// A thread of Node.js with the engine in it: it has what the engine's worker knows from browsers.

import { parentPort } from "node:worker_threads";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const scope = /** @type {any} */ (globalThis);
scope.navigator ??= {};
scope.postMessage = (/** @type {unknown} */ message) => port.postMessage(message);
scope.addEventListener = (/** @type {string} */ type, /** @type {(event: unknown) => void} */ listener) =>
  port.on(type, (/** @type {unknown} */ data) => listener({ data }));
await import("./engine/worker.js");
