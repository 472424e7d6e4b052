// @ts-check
// A worker with the engine in it: takes a task at a time and says what it finds.

/**
 * @typedef {{ memory?: WebAssembly.Memory, begin(): void, inbox(length: number): number, ask(threads: number): void,
 *   analyze(threads: number): void, load(reversi: number): number, load_book(): number }} Exports
 * What a module has besides whose memory several workers share.
 * @typedef {{ hire(helpers: number): void, room(bytes: number): number, help(): void, __stack_pointer: { value: number },
 *   __tls_size: { value: number }, __wasm_init_tls(at: number): void }} Shared
 * @typedef {{ stack: number, locals: number }} Room where a helper has its stack and its thread-local values
 * @typedef {{ module: WebAssembly.Module, flag: Int32Array | null, memory?: WebAssembly.Memory, helpers?: number, room?: Room }} Start
 */

/** Bytes of a helper's stack, as many as the linker gives to the first thread. */
const STACK = 1 << 20;

/** Withdrawn tasks, where memory is shared with the page. @type {Int32Array | null} */
let flag = null;
/** The engine's. @type {WebAssembly.Memory} */
let memory;
/** @type {Promise<Exports> | null} */
let engine = null;
let last = "";

/** What lies there. Text cannot be read from shared memory, but from a copy. @param {number} at @param {number} length */
const text = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice());

const page = {
  /** All workers count from the same moment. */
  now: () => performance.timeOrigin + performance.now(),
  is_stopped: () => (flag === null ? 0 : Atomics.load(flag, 0)),
  say: (/** @type {number} */ at, /** @type {number} */ length) => postMessage({ said: JSON.parse(text(at, length)) }),
  mourn: (/** @type {number} */ at, /** @type {number} */ length) => (last = text(at, length)),
};

/** @param {Start} given @returns {Promise<Exports & Shared>} */
async function instantiate(given) {
  flag = given.flag;
  /** @type {WebAssembly.ModuleImports} */
  const env = given.memory === undefined ? {} : { memory: given.memory };
  const { exports } = await WebAssembly.instantiate(given.module, { page, env });
  memory = given.memory ?? /** @type {WebAssembly.Memory} */ (exports.memory);
  return /** @type {any} */ (exports);
}

/** Begins to take tasks, with rooms for helpers. @param {Start} given @returns {Promise<Exports>} */
async function start(given) {
  const exports = await instantiate(given);
  exports.begin();
  const helpers = given.helpers ?? 0;
  if (helpers > 0) {
    exports.hire(helpers);
    const room = () => ({ stack: exports.room(STACK), locals: exports.room(exports.__tls_size.value) });
    postMessage({ rooms: Array.from({ length: helpers }, room) });
  }
  return exports;
}

/** Helps another worker, for ever. @param {Start} given @param {Room} room */
async function help(given, room) {
  const exports = await instantiate(given);
  exports.__stack_pointer.value = room.stack + STACK;
  exports.__wasm_init_tls(room.locals);
  // From here on it hears nothing any more.
  await held;
  exports.help();
}

/** @param {Exports} exports @param {Uint8Array} bytes */
function put(exports, bytes) {
  const at = exports.inbox(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
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
    exports.analyze(task.threads ?? 1);
  } else {
    put(exports, new TextEncoder().encode(JSON.stringify(task.question)));
    exports.ask(task.threads ?? 1);
  }
}

/** @type {() => void} */
let begin = () => {};
/** The tasks, one after the other; none before the module has come. */
let queue = /** @type {Promise<void>} */ (new Promise((resolve) => (begin = resolve)));

/** Held as long as this worker lives, so that the page hears of its end. */
const HELD = `turncoat-${Math.random()}`;
const held = new Promise((resolve) => {
  if (!navigator.locks) return resolve(null);
  return navigator.locks.request(HELD, () => (postMessage({ holds: HELD }), resolve(null), new Promise(() => {})));
});

/** @param {unknown} error */
const died = (error) => postMessage({ died: last || String(error) });

addEventListener("message", ({ data }) => {
  if ("room" in data) {
    help(data, data.room).catch(died);
    return;
  }
  if ("module" in data) {
    engine = start(data);
    begin();
    return;
  }
  queue = queue.then(() => run(data)).then(
    () => postMessage({ done: true }),
    died,
  );
});

export {};
