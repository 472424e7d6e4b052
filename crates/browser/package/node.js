// @ts-check
// The engine in Node.js: files are read, and workers are threads.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { platform } from "./engine/platform.js";

export * from "./index.js";

/** A thread that looks like a worker of a browser. It keeps the program running only while it has something to do. */
class ThreadWorker {
  #thread = new Worker(new URL("./node-worker.js", import.meta.url));

  constructor() {
    this.#thread.unref();
    this.#thread.on("message", (message) => ("done" in message || "refused" in message || "died" in message) && this.#thread.unref());
  }

  /** @param {string} type @param {(event: any) => void} listener */
  addEventListener(type, listener) {
    this.#thread.on(type, (/** @type {any} */ said) => listener(type === "message" ? { data: said } : said));
  }

  /** @param {unknown} message */
  postMessage(message) {
    this.#thread.ref();
    this.#thread.postMessage(message);
  }

  terminate() {
    this.#thread.terminate();
  }
}

platform.hasWorkers = () => true;
platform.newWorker = () => new ThreadWorker();
const fetchFile = platform.fetch;
platform.fetch = async (name) => {
  const address = new URL(name, platform.files);
  if (address.protocol !== "file:") return fetchFile(name);
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  const bytes = new Uint8Array(await readFile(fileURLToPath(address)));
  return new Response(bytes, { headers: { "Content-Type": type } });
};
