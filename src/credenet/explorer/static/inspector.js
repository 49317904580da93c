// @ts-check
// What is selected, in words, with the rules that it suggests.
import { button, h, hint, percent, refill } from "./dom.js";
import { joinedShare, ownerOf, pairOf, seenFrom } from "./state.js";

/**
 * @param {HTMLElement} element
 * @param {import("./state.js").Store} store
 * @param {(kind: "required" | "forbidden", edge: [number, number]) => void} addRule
 */
export function createInspector(element, store, addRule) {
  const { view } = store;

  function update() {
    if (!view.state) return refill(element);
    if (view.pair) return refill(element, ...ofPair(...view.pair));
    if (view.selected !== null) return refill(element, ...ofVariable(view.selected));
    return refill(element, hint("Select a variable or an edge. Arrow keys move between variables, Enter looks closer."));
  }

  /** @param {number} at */
  function name(at) {
    return /** @type {any} */ (view.state).variables[at].name;
  }

  /** @param {number} at */
  function ofVariable(at) {
    const near = /** @type {any} */ (view.state).pairs
      .filter((/** @type {any} */ pair) => pair.a === at || pair.b === at)
      .filter((/** @type {any} */ pair) => !pair.shares || pair.shares.joined >= view.threshold);
    const links = near.slice(0, 12).map((/** @type {any} */ pair) => {
      const other = pair.a === at ? pair.b : pair.a;
      const arrow = { forward: "→", backward: "←", undirected: "—" }[seenFrom(pair, at).mark];
      const text = `${arrow} ${name(other)}${pair.shares ? ` ${percent(joinedShare(pair))}` : ""}`;
      return button(text, () => store.set({ pair: [at, other], selected: null }), { class: "cx-chip" });
    });
    const more = near.length > links.length ? h("span", { class: "cx-hint" }, `and ${near.length - links.length} more`) : null;
    return [
      h("strong", {}, name(at)),
      button("Look closer", () => store.set({ focus: at }), { class: "cx-small" }),
      h("span", { class: "cx-chips" }, ...links, more),
      near.length === 0 ? hint(view.state?.share ? "No edge above the threshold." : "No edge.") : null,
    ];
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  function ofPair(a, b) {
    const words = view.state?.share ? sharesOf(a, b) : markOf(a, b);
    const canLearn = view.state?.abilities.knowledge === "";
    /** @type {[string, "required" | "forbidden", [number, number]][]} */
    const rules = [
      [`Require ${name(a)} → ${name(b)}`, "required", [a, b]],
      [`Forbid ${name(a)} → ${name(b)}`, "forbidden", [a, b]],
      [`Forbid ${name(b)} → ${name(a)}`, "forbidden", [b, a]],
    ];
    return [
      h("strong", {}, `${name(a)} – ${name(b)}`),
      h("span", {}, words),
      h(
        "span",
        { class: "cx-chips" },
        ...(canLearn ? rules.map(([text, kind, edge]) => button(text, () => addRule(kind, edge), { class: "cx-chip" })) : []),
      ),
    ];
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  function sharesOf(a, b) {
    const pair = pairOf(view, a, b);
    const shares = pair && seenFrom(pair, a).shares;
    const { joined, forward, backward, undetermined } = shares ?? { joined: 0, forward: 0, backward: 0, undetermined: 0 };
    const directions = `${percent(forward)} →, ${percent(backward)} ←, ${percent(undetermined)} data cannot tell`;
    const among = /** @type {any} */ (view.state).among;
    return `joined ${percent(joined)}: ${directions}; not joined ${percent(Math.max(0, 1 - joined))}, among ${among}`;
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  function markOf(a, b) {
    const pair = pairOf(view, a, b);
    const mark = pair ? seenFrom(pair, a).mark : null;
    const told = mark === null ? "not joined" : { forward: "→", backward: "←", undirected: "joined" }[mark];
    const open = mark === "undirected" ? ". Data cannot tell the direction." : "";
    return `${told} in ${ownerOf(/** @type {any} */ (view.state), "that is")}${open}`;
  }

  store.watch(["state", "selected", "pair", "threshold"], update);
  update();
}
