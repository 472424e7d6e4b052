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

/**
 * Fills a list of choices.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options
 * @param {string} chosen
 */
export function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
}

/** Whether things may move. */
export const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
