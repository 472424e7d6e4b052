// @ts-check
// The engine's modules: one for one thread, which every browser runs, and one for several, which share its memory.

import { platform } from "./platform.js";
import { forgetFile } from "./weights.js";

/** Pages of 64 KiB that shared memory has at first and at most, as `xtask/src/wasm.rs` links the module. */
const SHARED = { initial: 256, maximum: 8192, shared: true };

/** The smallest module that needs SIMD: a function that makes a vector and drops it. */
const NEEDS_SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11);

/** Refuses a browser that lacks what every engine needs. */
export function ensureFit() {
  const lack = !platform.hasWorkers()
    ? "no-workers"
    : typeof WebAssembly === "object" && WebAssembly.validate(NEEDS_SIMD) ? null : "no-simd";
  if (lack !== null) throw failure(lack, lack);
}

/** The modules for one thread and for several, compiled once for all workers. @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();
/** @param {string} name */
async function fetchAndCompile(name) {
  await platform.whenDrawn();
  const fetched = await platform.fetch(name);
  if (!fetched.ok) throw new Error(`${fetched.status} ${fetched.statusText}`);
  // A host that does not know the type of the file is no reason to give up.
  return fetched.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(fetched)
    : WebAssembly.compile(await fetched.arrayBuffer());
}

/** @param {string} name */
function compile(name) {
  const module = compiled.get(name) ?? fetchAndCompile(name);
  compiled.set(name, module);
  return module.catch((error) => {
    // The next one who asks tries again, with what the host has then.
    compiled.delete(name);
    forgetFile(name);
    throw failure("no-engine", error);
  });
}

/** Threads of a search, once it has turned out that as many as there are cannot be had. @type {number | null} */
let fewer = null;

/** How many threads a search may have. */
export const mostThreads = () => fewer ?? platform.threads();

/** Does with half as many from now on. */
export const useFewerThreads = () => (fewer = Math.max(1, Math.floor(mostThreads() / 2)));

/** Does with one. */
export const useOneThread = () => (fewer = 1);

/** The module for as many threads as there may be. */
export async function fitting() {
  if (mostThreads() > 1) {
    try {
      return await compile("turncoat-threads.wasm");
    } catch {
      useOneThread();
    }
  }
  return compile("turncoat.wasm");
}

/**
 * What a new worker begins with: the module, and memory to share with its helpers where it may have some.
 * @returns {Promise<{ module: WebAssembly.Module, memory?: WebAssembly.Memory }>}
 */
export async function beginnings() {
  const module = await fitting();
  if (mostThreads() === 1) return { module };
  try {
    return { module, memory: new WebAssembly.Memory(SHARED) };
  } catch {
    useOneThread();
    return { module: await fitting() };
  }
}

/** An error that the page has words for. @param {string} code @param {any} cause */
export const failure = (code, cause) => Object.assign(new Error(String(cause)), { code, params: { reason: cause?.message ?? String(cause) } });
