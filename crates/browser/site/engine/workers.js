// @ts-check
// The workers: one for the rules, which answers at once, and some that search. A search that is withdrawn is told so where
// memory can be shared with it; elsewhere its worker is ended and another one takes its place.

import { Engine } from "./engine.js";
import { ensureFit, failure, fitting, mostThreads } from "./modules.js";
import { platform } from "./platform.js";
import { forgetWeights, weightsOf } from "./weights.js";

/**
 * @typedef {import("./engine.js").Task} Task
 * @typedef {import("./engine.js").Question} Question
 * @typedef {{ status: number, type?: string, body: unknown }} Answer
 */

/** Idle engines that are kept. */
const SPARE = 2;
/** Levels that play well enough before the weights have come. */
const EARLY = 5;

/** A new engine. */
function newEngine() {
  ensureFit();
  try {
    return new Engine();
  } catch (error) {
    throw failure("no-engine", error);
  }
}

/** @type {Engine | null} */
let rules = null;

/** Starts the engine before anything is asked of it. */
export function warmUp() {
  try {
    rules ??= newEngine();
  } catch {
    // What is missing is told to who asks.
  }
}

/** @type {Promise<unknown>} */
let rulesBusy = Promise.resolve();

/** Asks what needs no search. @param {Question} question @returns {Promise<Answer>} */
export function askRules(question) {
  const asked = rulesBusy.then(async () => {
    if (rules === null || rules.isDead) rules = newEngine();
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
  return newEngine();
}

/** The game that a task is about, whether it can do without weights, and whether it is about all moves of a game. @param {Task} task */
function needs(task) {
  if ("analysis" in task) {
    const asked = JSON.parse(task.analysis);
    return { game: gameOf(asked), early: false, isWhole: Boolean(asked.whole) };
  }
  const { path, body } = task.question;
  if (path.startsWith("knowledge/")) return { game: path.slice("knowledge/".length), early: false, isWhole: false };
  const { player } = /** @type {{ player: string }} */ (body);
  const level = /^turncoat:level=(\d+)$/.exec(player)?.[1];
  const early = !player.startsWith("turncoat") || (platform.isHasty && Number(level ?? 99) <= EARLY);
  return { game: gameOf(body), early, isWhole: false };
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
    ensureFit();
    const { game, early, isWhole } = needs(task);
    // Who withdraws while the module and the weights are on their way needs no engine.
    const [weights] = await Promise.all([weightsFor(game, early), fitting()]);
    if (ended) return;
    const mine = (engine = idleEngine());
    await load(mine, game, early, weights);
    if (ended) return;
    // A review of all moves has time: the position that is looked at has the helpers.
    if (helped === null && !isWhole && mostThreads() > 1) helped = mine;
    if (helped === mine) await mine.hire();
    if (ended) return;
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
    free();
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
 * The weights of a game. Who can do without does not wait for them, nor fail for them.
 * @param {string} game
 * @param {boolean} early
 * @returns {Promise<Uint8Array | null>}
 */
async function weightsFor(game, early) {
  const weights = weightsOf(game);
  if (early && weights.known === null) return null;
  try {
    return weights.known ?? (await weights.coming);
  } catch (error) {
    if (early) return null;
    forgetWeights(game);
    throw failure("no-weights", error);
  }
}

/**
 * Gives them to an engine.
 * @param {Engine} engine
 * @param {string} game
 * @param {boolean} early
 * @param {Uint8Array | null} weights
 */
async function load(engine, game, early, weights) {
  if (weights === null) return;
  try {
    await engine.load(game, weights);
  } catch (error) {
    if (engine.isDead) throw error;
    forgetWeights(game);
    if (!early) throw failure("no-weights", error);
  }
}
