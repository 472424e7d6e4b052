// @ts-check
// Making elements, with fewer words.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function draw(name, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} action
 * @param {() => void} onClick
 * @param {string} [className]
 */
export function button(action, onClick, className = "") {
  const made = make("button", { type: "button", class: className, "data-action": action });
  made.addEventListener("click", onClick);
  return made;
}

/** Changes what an element says only if it says something else. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The key of each child of a keyed list. @type {WeakMap<Element, string>} */
const KEYS = new WeakMap();

/**
 * Brings the children of an element in line with a list. A child stays the same node as long as its key is in the list, so
 * that nothing that is pressed or focused is replaced.
 * @template T
 * @template {Element} N
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T, index: number) => string} keyOf
 * @param {(item: T) => N} create
 * @param {(node: N, item: T, index: number) => void} update
 */
export function keyed(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((node) => [KEYS.get(node), node]));
  const nodes = items.map((item, index) => {
    const key = keyOf(item, index);
    const node = /** @type {N} */ (old.get(key) ?? create(item));
    old.delete(key);
    KEYS.set(node, key);
    update(node, item, index);
    return node;
  });
  const lost = [...parent.children].findIndex((node) => holdsFocus(node) && old.get(KEYS.get(node)) === node);
  for (const gone of old.values()) gone.remove();
  nodes.forEach((node, index) => {
    if (!holdsFocus(node)) {
      if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
    } else while (parent.children[index] !== node) parent.append(parent.children[index]);
  });
  // What had the focus is gone: its neighbour gets it.
  if (lost >= 0) focusFirst(parent.children[Math.min(lost, nodes.length - 1)]);
}

/** @param {Element} node */
const holdsFocus = (node) => node.contains(document.activeElement);

/** Focuses an element or the first button in it. @param {Element | undefined} node */
function focusFirst(node) {
  const target = node?.matches("button") ? node : node?.querySelector("button");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** How long the click of a touch may come after its release, in milliseconds. */
const CLICK_AFTER = 100;

/**
 * Holds something back while an element is pressed, until its click has been dealt with: what moved from under the pointer
 * would lose the click.
 * @param {Element} element
 * @param {{ hold: () => void, release: () => void }} held
 */
export function holdWhilePressed(element, { hold, release }) {
  let timer = 0;
  element.addEventListener("pointerdown", () => (clearTimeout(timer), hold()));
  for (const type of ["click", "pointercancel", "blur"]) (type === "click" ? element : window).addEventListener(type, release);
  addEventListener("pointerup", () => {
    clearTimeout(timer);
    timer = setTimeout(release, CLICK_AFTER);
  });
}

/**
 * Fills a list of choices; what is unchanged stays, so that an open menu stays too.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options
 * @param {string} chosen
 */
export function fill(select, options, chosen) {
  keyed(select, options, ([value]) => value, ([value]) => make("option", { value }), (node, [, text]) => setText(node, text));
  if (select.value !== chosen) select.value = chosen;
}

/** Whether things may move. */
export const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
