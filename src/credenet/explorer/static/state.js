// @ts-check
// One store for all views: what the server says, and what the user looks at.

/**
 * @typedef {{
 *   state: import("./contract.js").ExplorerState | null, job: import("./contract.js").JobProgress | null,
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
 * What edges are those of, where nothing is known of how sure they are.
 * @param {import("./contract.js").ExplorerState} state
 * @param {string} what the edges, in a clause
 */
export function ownerOf({ kind, edges_of: owner }, what = "they are") {
  return kind === "network" ? owner : `${owner}; how sure ${what} is not known`;
}

/**
 * The probability that two variables are joined; 1 where nothing is known of how sure that is.
 * @param {import("./contract.js").Pair} pair
 */
export function joinedShare({ shares }) {
  return shares ? shares.joined : 1;
}

/**
 * How sure the direction of an edge is: from 0, if data cannot tell it, to 1; null where that is not known.
 * @param {import("./contract.js").Pair} pair
 */
export function certainty({ shares }) {
  if (!shares) return null;
  return shares.joined > 0 ? Math.max(shares.forward, shares.backward) / shares.joined : 0;
}

/**
 * @param {import("./contract.js").Pair} pair
 */
export function isUncertain(pair) {
  return joinedShare(pair) < 0.95 || (certainty(pair) ?? 0) < 0.9;
}

/**
 * The pairs that are shown: those that enough networks join, where shares are known.
 * @param {View} view
 */
export function shownPairs({ state, threshold, uncertain }) {
  return (state?.pairs ?? []).filter(
    (pair) => !pair.shares || (joinedShare(pair) >= threshold && (!uncertain || isUncertain(pair))),
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
 * The ends of a pair: tail and head where it has an arrow head.
 * @param {import("./contract.js").Pair} pair
 * @returns {[number, number]}
 */
export function leading({ a, b, mark }) {
  return mark === "backward" ? [b, a] : [a, b];
}

/**
 * The shares of a pair as seen from one of its ends.
 * @param {import("./contract.js").Pair} pair
 * @param {number} from
 */
export function seenFrom({ a, mark, shares }, from) {
  if (from === a) return { mark, shares };
  const turned = /** @type {const} */ ({ forward: "backward", backward: "forward", undirected: "undirected" });
  return { mark: turned[mark], shares: shares && { ...shares, forward: shares.backward, backward: shares.forward } };
}
