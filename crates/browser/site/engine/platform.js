// @ts-check
// What the engine asks of the place that it runs in. This is a browser; the package for Node.js puts its own answers here.

/** As much of a worker as is used. */
/** @typedef {Pick<Worker, "postMessage" | "terminate"> & { addEventListener(type: string, listener: (event: any) => void): void }} AnyWorker */

export const platform = {
  /** Where the module, the weights and the books lie. */
  files: new URL("./", import.meta.url),
  hasWorkers: () => typeof Worker === "function",
  /** @returns {AnyWorker} */
  newWorker: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
  /** Fetches one of the files. @param {string} name @returns {Promise<Response>} */
  fetch: (name) => fetch(new URL(name, platform.files)),
  /** Settles when what is seen first has been drawn. @returns {Promise<void>} */
  whenDrawn: () => Promise.resolve(),
  /** Hears which share of the weights has come, or nothing where that cannot be known. @type {(share: number | null) => void} */
  onProgress: () => {},
  /** How many threads a search may have. */
  threads: () => 1,
  /** Whether low levels begin before the weights have come. */
  isHasty: false,
};
