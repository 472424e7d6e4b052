// @ts-check
// The one place of state: components read it, change it through `set`, and are told when it has changed.

/**
 * @template {object} S
 * @param {S} initial
 */
export function createStore(initial) {
  let state = Object.freeze({ ...initial });
  /** @type {Set<(state: Readonly<S>, before: Readonly<S>) => void>} */
  const listeners = new Set();
  return {
    /** @returns {Readonly<S>} */
    get: () => state,
    /** @param {Partial<S>} patch */
    set(patch) {
      const before = state;
      state = Object.freeze({ ...state, ...patch });
      for (const listener of listeners) listener(state, before);
    },
    /** @param {(state: Readonly<S>, before: Readonly<S>) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
