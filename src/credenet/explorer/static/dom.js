// @ts-check
// Elements made from data. Text is always set as text, so that names with markup are shown as they are.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element: attributes by name; `onclick` and the like are listeners; true is an empty attribute, null is left out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/**
 * Puts children at the end of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/**
 * Puts children in the place of all others.
 * @param {Element} element
 * @param {...Child} children
 */
export function refill(element, ...children) {
  element.replaceChildren();
  put(element, ...children);
}

/** @param {number} share */
export function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  if (share < 1 - 1e-9 && share > 0.9995) return ">99.9 %";
  return `${(100 * share).toFixed((share > 0 && share < 0.0995) || (share < 1 - 1e-9 && share > 0.9905) ? 1 : 0)} %`;
}

/**
 * A button.
 * @param {string} text
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(text, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, text);
}

/** @param {string} text */
export function hint(text) {
  return h("p", { class: "cx-hint" }, text);
}
