// @ts-check
// What this browser and this tab remember. Where that is forbidden or full, it lasts as long as the page.

/** @param {() => Storage} open */
function createMemory(open) {
  /** @type {Map<string, string>} */
  const own = new Map();
  /** @template T @param {(storage: Storage) => T} use @param {T} otherwise */
  const tried = (use, otherwise) => {
    try {
      return use(open());
    } catch {
      return otherwise;
    }
  };
  return {
    /** @param {string} key @returns {string | null} */
    getItem: (key) => own.get(key) ?? tried((storage) => storage.getItem(key), null),
    /** @param {string} key @param {string} value */
    setItem(key, value) {
      const isKept = tried((storage) => (storage.setItem(key, value), true), false);
      if (isKept) own.delete(key);
      else own.set(key, value);
    },
    /** @param {string} key */
    removeItem(key) {
      own.delete(key);
      tried((storage) => storage.removeItem(key), undefined);
    },
    keys: () => [...own.keys(), ...tried((storage) => Object.keys(storage), [])],
  };
}

/** What all tabs share. */
export const local = createMemory(() => localStorage);
/** What is this tab's own. */
export const tab = createMemory(() => sessionStorage);
