// @ts-check
// Colours of edges, from those of the style sheet, so that light and dark agree.

/**
 * @param {Element} element
 * @param {string} name
 */
export function colourOf(element, name) {
  return getComputedStyle(element).getPropertyValue(`--cx-${name}`).trim();
}

/**
 * The colour of an edge: from open to sure.
 * @param {Element} element
 * @param {number | null} sure from 0 to 1; null where it is not known
 */
export function edgeColour(element, sure) {
  if (sure === null) return colourOf(element, "border");
  const [open, certain] = ["open", "sure"].map((name) => rgb(colourOf(element, name)));
  const mixed = open.map((value, at) => Math.round(value + (certain[at] - value) * sure));
  return `rgb(${mixed.join(",")})`;
}

/** @param {string} colour as #rrggbb */
function rgb(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
}

/**
 * The width of the line of a pair: from the share of the networks that join it, where that is known.
 * @param {import("./contract.js").Pair} pair
 */
export function edgeWidth({ shares }) {
  return shares ? 0.8 + 4.2 * Math.min(shares.joined, 1) : 1.6;
}
