// @ts-check
// A worker with the engine in it: takes a task at a time and says what it finds.

/**
 * @typedef {{ memory: WebAssembly.Memory, begin(): void, inbox(length: number): number, ask(): void, analyze(): void,
 *   load(reversi: number): number, load_book(): number }} Exports
 */

/** Withdrawn tasks, where memory is shared with the page. @type {Int32Array | null} */
let flag = null;
/** @type {Promise<Exports> | null} */
let engine = null;
let last = "";

/** @param {WebAssembly.Module} module @returns {Promise<Exports>} */
async function start(module) {
  /** @type {Exports} */
  let exports;
  const text = (/** @type {number} */ at, /** @type {number} */ length) =>
    new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
  const page = {
    now: () => performance.now(),
    is_stopped: () => (flag === null ? 0 : Atomics.load(flag, 0)),
    say: (/** @type {number} */ at, /** @type {number} */ length) => postMessage({ said: JSON.parse(text(at, length)) }),
    mourn: (/** @type {number} */ at, /** @type {number} */ length) => (last = text(at, length)),
  };
  const instance = await WebAssembly.instantiate(module, { page });
  exports = /** @type {any} */ (instance.exports);
  exports.begin();
  return exports;
}

/** @param {Exports} exports @param {Uint8Array} bytes */
function put(exports, bytes) {
  const at = exports.inbox(bytes.length);
  new Uint8Array(exports.memory.buffer).set(bytes, at);
}

/** @param {any} task */
async function run(task) {
  if (engine === null) throw new Error("the engine has not come");
  const exports = await engine;
  if ("weights" in task) {
    put(exports, task.weights);
    if (exports.load(task.game.startsWith("reversi") ? 1 : 0) === 0) throw new Error("the weights are damaged");
  } else if ("book" in task) {
    put(exports, task.book);
    if (exports.load_book() === 0) throw new Error("the book is damaged");
  } else if ("analysis" in task) {
    put(exports, new TextEncoder().encode(task.analysis));
    exports.analyze();
  } else {
    put(exports, new TextEncoder().encode(JSON.stringify(task.question)));
    exports.ask();
  }
}

/** @type {() => void} */
let begin = () => {};
/** The tasks, one after the other; none before the module has come. */
let queue = /** @type {Promise<void>} */ (new Promise((resolve) => (begin = resolve)));

/** Held as long as this worker lives, so that the page hears of its end. */
const HELD = `turncoat-${Math.random()}`;
navigator.locks?.request(HELD, () => (postMessage({ holds: HELD }), new Promise(() => {})));

addEventListener("message", ({ data }) => {
  if ("module" in data) {
    flag = data.flag;
    engine = start(data.module);
    begin();
    return;
  }
  queue = queue.then(() => run(data)).then(
    () => postMessage({ done: true }),
    (error) => postMessage({ died: last || String(error) }),
  );
});

export {};
