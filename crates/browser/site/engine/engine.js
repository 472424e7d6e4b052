// @ts-check
// A worker with the engine in it, and its helpers.

import { beginnings, mostThreads, useFewerThreads, useOneThread } from "./modules.js";
import { platform } from "./platform.js";
import { bookOf, forgetBook } from "./weights.js";

/**
 * @typedef {{ method: string, path: string, body?: unknown }} Question
 * @typedef {({ question: Question } | { analysis: string }) & { threads?: number }} Task
 * @typedef {{ said: unknown } | { done: true } | { refused: string } | { died: unknown }} Message
 * @typedef {Awaited<ReturnType<typeof beginnings>> & { flag: Int32Array | null }} Given
 */

/** Milliseconds within which a worker must be awake; only one that cannot takes that long. */
const BEGINS = 30_000;
/** Milliseconds that a search waits for its helpers; who comes later helps with the next one. */
const HIRES = 2_000;

/** @param {unknown} why */
const asError = (why) => (why instanceof Error ? why : new Error(String(why)));

/** It does one thing at a time. */
export class Engine {
  /** The games whose weights it has. @type {Set<string>} */
  #loaded = new Set();
  /** Those whose opening book it has. @type {Set<string>} */
  #books = new Set();
  #flag = typeof SharedArrayBuffer === "function" ? new Int32Array(new SharedArrayBuffer(4)) : null;
  #worker = platform.newWorker();
  /** @type {import("./platform.js").AnyWorker[]} */
  #helpers = [];
  /** Settles when they help. @type {Promise<unknown> | null} */
  #hired = null;
  /** @type {(rooms: unknown[]) => void} */
  #give = () => {};
  /** What its helpers begin with, once it has begun. @type {Promise<unknown[]>} */
  #rooms = new Promise((resolve) => (this.#give = resolve));
  /** @type {Given | null} */
  #given = null;
  /** @type {(message: Message) => void} */
  #hear = () => {};
  /** Why it cannot be asked any more. @type {unknown} */
  #death = null;

  #waiting = setTimeout(() => this.#die(new Error("the worker has not begun")), BEGINS);

  constructor() {
    this.#worker.addEventListener("error", (event) => this.#die(new Error(event.message)));
    this.#worker.addEventListener("message", ({ data }) => {
      if ("holds" in data || "awake" in data) clearTimeout(this.#waiting);
      if ("holds" in data) this.#watch(data.holds);
      else if ("rooms" in data) this.#give(data.rooms);
      else if ("unfit" in data) this.#beginAlone(data.unfit);
      else if ("died" in data) this.#die(asError(data.died));
      else if (!("awake" in data)) this.#hear(data);
    });
    this.#begin();
  }

  #begin() {
    beginnings().then(
      (given) => {
        this.#given = { ...given, flag: this.#flag };
        this.#worker.postMessage({ ...this.#given, helpers: given.memory === undefined ? 0 : mostThreads() - 1 });
      },
      (error) => this.#die(error),
    );
  }

  /** What cannot begin with several threads does with one. @param {string} why */
  #beginAlone(why) {
    if (this.#given?.memory === undefined) return this.#die(new Error(why));
    useOneThread();
    return this.#begin();
  }

  /** Has the helpers come, once; a search does without those that cannot. */
  hire() {
    const late = new Promise((resolve) => setTimeout(resolve, HIRES));
    this.#hired ??= this.#rooms.then((rooms) => Promise.all(rooms.map((room) => this.#hire(room))));
    return Promise.race([this.#hired, late]);
  }

  /** @param {unknown} room @returns {Promise<void>} until it helps, or cannot */
  #hire(room) {
    return new Promise((resolve) => {
      if (this.isDead) return resolve();
      let helps = false;
      /** @param {unknown} why */
      const fail = (why) => {
        useFewerThreads();
        // A search that it takes part in would wait for it.
        if (helps) this.#die(why);
        resolve();
      };
      try {
        const helper = platform.newWorker();
        this.#helpers.push(helper);
        helper.addEventListener("error", (event) => fail(new Error(event.message)));
        helper.addEventListener("message", ({ data }) => {
          if ("holds" in data) this.#watch(data.holds);
          else if ("died" in data) fail(asError(data.died));
          else if ("helps" in data) resolve(void (helps = true));
        });
        helper.postMessage({ ...this.#given, room });
      } catch (error) {
        fail(error);
      }
    });
  }

  get isDead() {
    return this.#death !== null;
  }

  /** @param {unknown} why */
  #die(why) {
    if (this.isDead) return;
    this.#death = why;
    this.end();
    this.#give([]);
    this.#hear({ died: why });
  }

  /** A worker may die without a word, for want of memory; what it held is free then. @param {string} held */
  #watch(held) {
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
        else reject(asError("refused" in message ? message.refused : message.died));
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
    // Browsers let a worker that is ended go on for a while.
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
    for (const worker of [this.#worker, ...this.#helpers]) worker.terminate();
  }
}
