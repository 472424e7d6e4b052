// @ts-check
// Actions one after the other, in the order in which they were asked for.

/** @returns {<T>(action: () => T | Promise<T>) => Promise<T>} an action begins at once if none is under way */
export function createQueue() {
  /** @type {Promise<unknown> | null} */
  let last = null;
  return (action) => {
    const mine = last === null ? (async () => action())() : last.then(action, action);
    last = mine;
    const end = () => {
      if (last === mine) last = null;
    };
    mine.then(end, end);
    return mine;
  };
}
