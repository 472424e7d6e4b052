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
/** @type {Exports} */
let engine;
/** The words of a panic. */
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

/** Begins to take tasks; the rooms of its helpers. @param {Start} given @returns {Promise<Room[]>} */
async function start(given) {
  const exports = await instantiate(given);
  exports.begin();
  engine = exports;
  const helpers = given.helpers ?? 0;
  if (helpers > 0) exports.hire(helpers);
  const room = () => ({ stack: exports.room(STACK), locals: exports.room(exports.__tls_size.value) });
  return Array.from({ length: helpers }, room);
}

/** Helps another worker, for ever. @param {Start} given @param {Room} room */
async function help(given, room) {
  const exports = await instantiate(given);
  exports.__stack_pointer.value = room.stack + STACK;
  exports.__wasm_init_tls(room.locals);
  await held;
  postMessage({ helps: true });
  // From here on it hears nothing any more.
  exports.help();
}

/** @param {Uint8Array} bytes */
function put(bytes) {
  const at = engine.inbox(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
}

/** What the engine refuses; it can be asked again. */
class Refusal extends Error {}

/** @param {any} task */
function run(task) {
  if ("weights" in task) {
    put(task.weights);
    if (engine.load(task.game.startsWith("reversi") ? 1 : 0) === 0) throw new Refusal("the weights are damaged");
  } else if ("book" in task) {
    put(task.book);
    if (engine.load_book() === 0) throw new Refusal("the book is damaged");
  } else if ("analysis" in task) {
    put(new TextEncoder().encode(task.analysis));
    engine.analyze(task.threads ?? 1);
  } else {
    put(new TextEncoder().encode(JSON.stringify(task.question)));
    engine.ask(task.threads ?? 1);
  }
}

/** @type {() => void} */
let begin = () => {};
/** The tasks, one after the other; none before the engine has begun. */
let queue = /** @type {Promise<void>} */ (new Promise((resolve) => (begin = resolve)));

/** Held as long as this worker lives, so that the page hears of its end. */
const HELD = `turncoat-${Math.random()}`;
const held = new Promise((resolve) => {
  const hold = () => (postMessage({ holds: HELD }), resolve(null), new Promise(() => {}));
  // Where locks are missing or refused, the page hears no more than that it is awake.
  const wake = () => resolve(postMessage({ awake: true }));
  if (navigator.locks) navigator.locks.request(HELD, hold).catch(wake);
  else wake();
});

/** @param {unknown} error */
const fail = (error) =>
  postMessage(error instanceof Refusal ? { refused: error.message } : { died: last || String(error) });

addEventListener("message", ({ data }) => {
  if ("room" in data) help(data, data.room).catch(fail);
  else if ("module" in data) {
    start(data).then(
      (rooms) => (postMessage({ rooms }), begin()),
      (error) => postMessage({ unfit: last || String(error) }),
    );
  } else queue = queue.then(() => run(data)).then(() => postMessage({ done: true }), fail);
});

export {};
