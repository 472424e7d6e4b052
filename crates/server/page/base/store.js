// @ts-check
// The one place of state: components read it, change it through `set`, and are told when it has changed. A slice is
// one part of it, for components that need no more.

/**
 * @template {object} S
 * @typedef {{
 *   get: () => Readonly<S>,
 *   set: (patch: Partial<S>) => void,
 *   subscribe: (listener: (state: Readonly<S>, before: Readonly<S>) => void) => () => void,
 * }} Store
 */

/**
 * @template {object} S
 * @param {S} initial
 * @returns {Store<S>}
 */
export function createStore(initial) {
  let state = Object.freeze({ ...initial });
  /** @type {Set<(state: Readonly<S>, before: Readonly<S>) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      const before = state;
      state = Object.freeze({ ...state, ...patch });
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * One part of a store, as a store.
 * @template {object} S
 * @template {keyof S & string} K
 * @param {Store<S>} store
 * @param {K} key
 * @returns {Store<S[K] & object>}
 */
export function slice(store, key) {
  /** @param {Readonly<S>} state */
  const part = (state) => /** @type {S[K] & object} */ (state[key]);
  return {
    get: () => part(store.get()),
    set: (patch) => store.set(/** @type {any} */ ({ [key]: Object.freeze({ ...part(store.get()), ...patch }) })),
    subscribe: (listener) =>
      store.subscribe((state, before) => {
        if (part(state) !== part(before)) listener(part(state), part(before));
      }),
  };
}

/**
 * @template {object} S
 * @typedef {Store<S> & { hold: () => void, release: () => void, released: () => Promise<void> }} Holdable
 */

/**
 * A store whose listeners are told once of all that a task changes, and can be held back: after `release` they are told of
 * all that has changed since. Whoever shows what did not come through the store waits for `released`.
 * @template {object} S
 * @param {Store<S>} store
 * @returns {Holdable<S>}
 */
export function holdable(store) {
  /** @type {Set<(state: Readonly<S>, before: Readonly<S>) => void>} */
  const listeners = new Set();
  let told = store.get();
  let held = false;
  let isDue = false;
  /** @type {(() => void)[]} */
  const waiting = [];
  function tell() {
    isDue = false;
    if (held) return;
    const before = told;
    told = store.get();
    if (told !== before) for (const listener of listeners) listener(told, before);
  }
  store.subscribe(() => {
    if (!isDue) queueMicrotask(tell);
    isDue = true;
  });
  return {
    get: store.get,
    set: store.set,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold() {
      held = true;
    },
    release() {
      held = false;
      tell();
      for (const go of waiting.splice(0)) go();
    },
    released: () => (held ? new Promise((go) => waiting.push(go)) : Promise.resolve()),
  };
}
