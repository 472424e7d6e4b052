// @ts-check
// The workers: one for the rules, which answers at once, and some that search. A search that is withdrawn is told so where
// memory can be shared with it; elsewhere its worker is ended and another one takes its place.

import { forgetFile, forgetWeights, weightsOf } from "./weights.js";

/**
 * @typedef {{ method: string, path: string, body?: unknown }} Question
 * @typedef {{ question: Question } | { analysis: string }} Task
 * @typedef {import("../base/backend.js").Answer} Answer
 * @typedef {{ said: unknown } | { done: true } | { died: unknown }} Message
 */

/** Idle workers that are kept. */
const SPARE = 2;
/** Levels that play well enough before the weights have come. */
const EARLY = 5;

/** The module, compiled once for all workers. @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
async function fetchAndCompile() {
  const fetched = await fetch(new URL("./turncoat.wasm", import.meta.url));
  if (!fetched.ok) throw new Error(`${fetched.status} ${fetched.statusText}`);
  // A host that does not know the type of the file is no reason to give up.
  return fetched.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(fetched)
    : WebAssembly.compile(await fetched.arrayBuffer());
}

function compile() {
  compiled ??= fetchAndCompile();
  return compiled.catch((error) => {
    // The next one who asks tries again, with what the host has then.
    compiled = null;
    forgetFile("turncoat.wasm");
    throw failure("no-engine", error);
  });
}

/** An error that the page has words for. @param {string} code @param {unknown} cause */
const failure = (code, cause) => Object.assign(new Error(String(cause)), { code });

/** A new engine. */
function newEngine() {
  try {
    return new Engine();
  } catch (error) {
    throw failure("no-engine", error);
  }
}

/** A worker with the engine in it. It does one thing at a time. */
class Engine {
  /** The games whose weights it has. @type {Set<string>} */
  #loaded = new Set();
  #flag = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : null;
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  /** @type {(message: Message) => void} */
  #hear = () => {};

  constructor() {
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", (event) => this.#hear({ died: new Error(event.message) }));
    compile().then(
      (module) => this.#worker.postMessage({ module, flag: this.#flag }),
      (error) => this.#hear({ died: error }),
    );
  }

  /**
   * @param {Task} task
   * @param {(said: unknown) => void} onSaid
   * @returns {Promise<void>} until it is done
   */
  run(task, onSaid) {
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    return new Promise((resolve, reject) => {
      this.#hear = (message) => {
        if ("said" in message) onSaid(message.said);
        else if ("done" in message) resolve();
        else reject(message.died instanceof Error ? message.died : new Error(String(message.died)));
      };
      this.#worker.postMessage(task);
    });
  }

  /** Gives it the weights of a game. @param {string} variant @param {Uint8Array} weights */
  async load(variant, weights) {
    if (this.#loaded.has(variant)) return;
    await this.run(/** @type {any} */ ({ variant, weights }), () => {});
    this.#loaded.add(variant);
  }

  /** Ends what it does; whether it can be asked again. */
  stop() {
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
    else this.#worker.terminate();
    return this.#flag !== null;
  }

  end() {
    this.#worker.terminate();
  }
}

/** @type {Engine | null} */
let rules = null;
/** @type {Promise<unknown>} */
let rulesBusy = Promise.resolve();

/** Asks what needs no search. @param {Question} question @returns {Promise<Answer>} */
export function askRules(question) {
  const asked = rulesBusy.then(async () => {
    rules ??= newEngine();
    /** @type {unknown} */
    let answer;
    try {
      await rules.run({ question }, (said) => (answer = said));
    } catch (error) {
      rules.end();
      rules = null;
      throw error;
    }
    return /** @type {Answer} */ (answer);
  });
  rulesBusy = asked.catch(() => {});
  return asked;
}

/** @type {Engine[]} */
const idle = [];

/** The game that a task is about, and whether it can do without weights. @param {Task} task */
function needs(task) {
  if ("analysis" in task) return { variant: variantOf(JSON.parse(task.analysis)), early: false };
  const { path, body } = task.question;
  if (path.startsWith("knowledge/")) return { variant: path.slice("knowledge/".length), early: false };
  const { player } = /** @type {{ player: string }} */ (body);
  const level = /^turncoat:level=(\d+)$/.exec(player)?.[1];
  return { variant: variantOf(body), early: !player.startsWith("turncoat") || Number(level ?? 99) <= EARLY };
}

/** @param {any} asked */
const variantOf = (asked) => (asked?.game?.variant === "reversi" ? "reversi" : "reversed");

/**
 * Searches.
 * @param {Task} task
 * @param {(said: unknown) => void} onSaid
 * @param {(error: unknown) => void} onFailed
 * @returns {() => void} withdraws it
 */
export function search(task, onSaid, onFailed) {
  /** Whether nobody waits for it any more: it was withdrawn, or it is over. */
  let ended = false;
  /** Whether its engine can be asked again. */
  let usable = true;
  /** @type {Engine | null} */
  let engine = null;
  const run = async () => {
    const mine = (engine = idle.pop() ?? newEngine());
    const { variant, early } = needs(task);
    await loadWeights(mine, variant, early);
    if (!ended) await mine.run(task, (said) => ended || onSaid(said));
  };
  run().then(
    () => {
      ended = true;
      if (engine !== null && usable && idle.length < SPARE) idle.push(engine);
      else engine?.end();
    },
    (error) => {
      engine?.end();
      if (!ended) onFailed(error);
      ended = true;
    },
  );
  return () => {
    // The engine of a search that is over may search for somebody else by now.
    if (ended) return;
    ended = true;
    usable = engine?.stop() ?? false;
  };
}

/**
 * Gives an engine the weights of a game. Who can do without does not wait for them, nor fail for them.
 * @param {Engine} engine
 * @param {string} variant
 * @param {boolean} early
 */
async function loadWeights(engine, variant, early) {
  const weights = weightsOf(variant);
  if (early && weights.known === null) return;
  try {
    await engine.load(variant, weights.known ?? (await weights.coming));
  } catch (error) {
    forgetWeights(variant);
    if (!early) throw failure("no-weights", error);
  }
}
