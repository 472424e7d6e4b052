// @ts-check
// The workers: one for the rules, which answers at once, and some that search. A search that is withdrawn is told so where
// memory can be shared with it; elsewhere its worker is ended and another one takes its place.

import { beginnings, failure, lacking, mostThreads } from "./modules.js";
import { platform } from "./platform.js";
import { bookOf, forgetBook, forgetWeights, weightsOf } from "./weights.js";

/**
 * @typedef {{ method: string, path: string, body?: unknown }} Question
 * @typedef {({ question: Question } | { analysis: string }) & { threads?: number }} Task
 * @typedef {{ status: number, type?: string, body: unknown }} Answer
 * @typedef {{ said: unknown } | { done: true } | { died: unknown } | { holds: string } | { rooms: unknown[] }} Message
 */

/** Idle workers that are kept. */
const SPARE = 2;
/** Levels that play well enough before the weights have come. */
const EARLY = 5;
/** Milliseconds within which a worker must have begun; only one that cannot takes that long. */
const BEGINS = 30_000;

/** A new engine. @param {boolean} isAlone whether it has no helpers */
function newEngine(isAlone) {
  const lack = lacking();
  if (lack !== null) throw failure(lack, lack);
  try {
    return new Engine(isAlone);
  } catch (error) {
    throw failure("no-engine", error);
  }
}

/** A worker with the engine in it, and its helpers. It does one thing at a time. */
class Engine {
  /** The games whose weights it has. @type {Set<string>} */
  #loaded = new Set();
  /** Those whose opening book it has. @type {Set<string>} */
  #books = new Set();
  #flag = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : null;
  #worker = platform.newWorker();
  /** @type {import("./platform.js").AnyWorker[]} */
  #helpers = [];
  /** @type {(message: Message) => void} */
  #hear = () => {};
  /** Why it cannot be asked any more. @type {unknown} */
  #death = null;

  /** Ends the wait for its first word, which it has where it can hold a lock. */
  #waiting = globalThis.navigator?.locks ? setTimeout(() => this.#die(new Error("the worker has not begun")), BEGINS) : 0;

  /** @param {boolean} isAlone */
  constructor(isAlone) {
    const begun = beginnings();
    this.#listen(this.#worker, (message) => {
      if (!("rooms" in message)) this.#hear(message);
      else begun.then((given) => message.rooms.forEach((room) => this.#hire({ ...given, flag: this.#flag, room })));
    });
    begun.then(
      (given) => {
        const helpers = isAlone || !("memory" in given) ? 0 : mostThreads() - 1;
        this.#worker.postMessage({ ...given, flag: this.#flag, helpers });
      },
      (error) => this.#die(error),
    );
  }

  /** @param {import("./platform.js").AnyWorker} worker @param {(message: Message) => void} hear */
  #listen(worker, hear) {
    worker.addEventListener("message", ({ data }) => ("holds" in data ? this.#watch(data.holds) : hear(data)));
    worker.addEventListener("error", (event) => this.#die(new Error(event.message)));
  }

  /** @param {object} given */
  #hire(given) {
    const helper = platform.newWorker();
    this.#helpers.push(helper);
    this.#listen(helper, (message) => "died" in message && this.#die(message.died));
    helper.postMessage(given);
  }

  get isDead() {
    return this.#death !== null;
  }

  /** @param {unknown} why */
  #die(why) {
    this.#death = why;
    this.#hear({ died: why });
  }

  /** A worker may die without a word, for want of memory; what it held is free then. @param {string} held */
  #watch(held) {
    clearTimeout(this.#waiting);
    navigator.locks.request(held, () => this.#die(new Error("the worker is gone"))).catch(() => {});
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
        else if ("died" in message) reject(message.died instanceof Error ? message.died : new Error(String(message.died)));
      };
      if (this.isDead) this.#hear({ died: this.#death });
      else this.#worker.postMessage(task);
    });
  }

  /** Gives it the weights of a game. @param {string} game @param {Uint8Array} weights */
  async load(game, weights) {
    if (this.#loaded.has(game)) return;
    await this.run(/** @type {any} */ ({ game, weights }), () => {});
    this.#loaded.add(game);
  }

  /** Gives it the opening book of a game, if there is one. @param {string} game */
  async loadBook(game) {
    const book = this.#books.has(game) ? null : await bookOf(game);
    if (book === null) return;
    try {
      await this.run(/** @type {any} */ ({ book }), () => {});
      this.#books.add(game);
    } catch (error) {
      if (this.isDead) throw error;
      forgetBook(game);
    }
  }

  /** Ends what it does; whether it can be asked again. */
  stop() {
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
    else this.end();
    return this.#flag !== null;
  }

  end() {
    clearTimeout(this.#waiting);
    for (const worker of [this.#worker, ...this.#helpers]) worker.terminate();
  }
}

/** @type {Engine | null} */
let rules = null;

/** Starts the engine before anything is asked of it. */
export function warmUp() {
  try {
    rules ??= newEngine(true);
  } catch {
    // What is missing is told to who asks.
  }
}

/** @type {Promise<unknown>} */
let rulesBusy = Promise.resolve();

/** Asks what needs no search. @param {Question} question @returns {Promise<Answer>} */
export function askRules(question) {
  const asked = rulesBusy.then(async () => {
    if (rules === null || rules.isDead) rules = newEngine(true);
    /** @type {unknown} */
    let answer;
    try {
      if (question.path === "book") await rules.loadBook(gameOf(question.body));
      await rules.run({ question, threads: mostThreads() }, (said) => (answer = said));
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

/** The engine whose helpers are at work: one search has all threads, and others beside it have one. @type {Engine | null} */
let helped = null;

/** An engine that has nothing to do. */
function idleEngine() {
  for (let engine = idle.pop(); engine !== undefined; engine = idle.pop()) if (!engine.isDead) return engine;
  return newEngine(false);
}

/** The game that a task is about, and whether it can do without weights. @param {Task} task */
function needs(task) {
  if ("analysis" in task) return { game: gameOf(JSON.parse(task.analysis)), early: false };
  const { path, body } = task.question;
  if (path.startsWith("knowledge/")) return { game: path.slice("knowledge/".length), early: false };
  const { player } = /** @type {{ player: string }} */ (body);
  const level = /^turncoat:level=(\d+)$/.exec(player)?.[1];
  return { game: gameOf(body), early: !player.startsWith("turncoat") || (platform.isHasty && Number(level ?? 99) <= EARLY) };
}

/** The game of a question as its weights are named: small boards have their own. @param {any} asked */
function gameOf(asked) {
  const { variant, size } = asked?.game ?? {};
  return (variant === "reversi" ? "reversi" : "reversed") + (size === 6 ? "-6x6" : "");
}

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
    const mine = (engine = idleEngine());
    const { game, early } = needs(task);
    await loadWeights(mine, game, early);
    if (ended) return;
    if (helped === null) helped = mine;
    await mine.run({ ...task, threads: helped === mine ? mostThreads() : 1 }, (said) => ended || onSaid(said));
  };
  const free = () => {
    if (helped === engine) helped = null;
  };
  run().then(
    () => {
      free();
      ended = true;
      if (engine !== null && usable && idle.length < SPARE) idle.push(engine);
      else engine?.end();
    },
    (error) => {
      free();
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
    if (!usable) free();
  };
}

/**
 * Answers anything but an analysis.
 * @param {Question} question
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer>}
 */
export function ask(question, signal) {
  const { path } = question;
  if (path !== "move" && path !== "explain" && !path.startsWith("knowledge/")) return askRules(question);
  return new Promise((resolve, reject) => {
    const stop = search({ question }, (said) => resolve(/** @type {Answer} */ (said)), reject);
    signal?.addEventListener("abort", () => (stop(), reject(signal.reason)));
  });
}

/**
 * Gives an engine the weights of a game. Who can do without does not wait for them, nor fail for them.
 * @param {Engine} engine
 * @param {string} game
 * @param {boolean} early
 */
async function loadWeights(engine, game, early) {
  const weights = weightsOf(game);
  if (early && weights.known === null) return;
  try {
    await engine.load(game, weights.known ?? (await weights.coming));
  } catch (error) {
    if (engine.isDead) throw error;
    forgetWeights(game);
    if (!early) throw failure("no-weights", error);
  }
}
