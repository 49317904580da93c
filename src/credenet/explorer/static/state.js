// @ts-check
// One store for all views: what the server says, and what the user looks at.

/**
 * @typedef {{
 *   state: import("./contract.js").State | null, job: import("./contract.js").Job | null,
 *   selected: number | null, pair: [number, number] | null, threshold: number, uncertain: boolean,
 *   focus: number | null, depth: number, evidence: Record<string, string>, tab: string, draft: import("./contract.js").Rules | null
 * }} View
 * @typedef {{
 *   view: View, set: (changes: Partial<View>) => void,
 *   watch: (keys: (keyof View)[], changed: () => void) => void
 * }} Store
 */

/** @returns {Store} */
export function createStore() {
  /** @type {View} */
  const view = {
    state: null,
    job: null,
    selected: null,
    pair: null,
    threshold: 0.1,
    uncertain: false,
    focus: null,
    depth: 1,
    evidence: {},
    tab: "edges",
    draft: null,
  };
  /** @type {{keys: (keyof View)[], changed: () => void}[]} */
  const watchers = [];
  return {
    view,
    set(changes) {
      const keys = /** @type {(keyof View)[]} */ (Object.keys(changes)).filter((key) => view[key] !== changes[key]);
      Object.assign(view, changes);
      for (const watcher of watchers) {
        if (watcher.keys.some((key) => keys.includes(key))) watcher.changed();
      }
    },
    watch(keys, changed) {
      watchers.push({ keys, changed });
    },
  };
}

/**
 * How sure the direction of an edge is: 0 if both are as likely, 1 if all networks agree.
 * @param {import("./contract.js").Pair} pair
 */
export function certainty({ forward, backward }) {
  const joined = forward + backward;
  return joined > 0 ? Math.abs(forward - backward) / joined : 0;
}

/**
 * @param {import("./contract.js").Pair} pair
 */
export function isUncertain(pair) {
  const joined = pair.forward + pair.backward;
  return joined < 0.95 || certainty(pair) < 0.9;
}

/**
 * The pairs that are shown.
 * @param {View} view
 */
export function shownPairs({ state, threshold, uncertain }) {
  return (state?.pairs ?? []).filter(
    (pair) => pair.forward + pair.backward >= threshold && (!uncertain || isUncertain(pair)),
  );
}

/**
 * @param {View} view
 * @param {number} a
 * @param {number} b
 */
export function pairOf({ state }, a, b) {
  return state?.pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a)) ?? null;
}

/**
 * An edge as its more likely direction.
 * @param {import("./contract.js").Pair} pair
 * @returns {[number, number]}
 */
export function leading({ a, b, forward, backward }) {
  return forward >= backward ? [a, b] : [b, a];
}
