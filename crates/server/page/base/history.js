// @ts-check
// Earlier states that can be gone back to, step by step, and on again.

/** Steps that are remembered. */
const MOST = 100;

/**
 * @template S
 * @param {(target?: S) => S} now as it is gone back to after a step to the target
 * @param {(state: S) => void} restore
 * @param {(one: S, other: S) => boolean} isSame
 */
export function createHistory(now, restore, isSame) {
  /** @type {S[]} */
  let past = [];
  /** @type {S[]} */
  let future = [];

  /** Takes a step; tells whether there was one. @param {S[]} from @param {S[]} to */
  function step(from, to) {
    const here = now();
    let target = from.pop();
    while (target !== undefined && isSame(target, here)) target = from.pop();
    if (target === undefined) return false;
    to.push(now(target));
    restore(target);
    return true;
  }

  return {
    /** A state was left for a new one. @param {S} before */
    remember(before) {
      past = [...past, before].slice(-MOST);
      future = [];
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
    canUndo: () => past.some((one) => !isSame(one, now())),
    canRedo: () => future.some((one) => !isSame(one, now())),
  };
}
