// @ts-check
// What is selected, in words, with the rules that it suggests.
import { button, h, hint, percent, refill } from "./dom.js";
import { certainty, pairOf } from "./state.js";

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
      .filter((/** @type {any} */ pair) => pair.forward + pair.backward >= view.threshold);
    const links = near.slice(0, 12).map((/** @type {any} */ pair) => {
      const other = pair.a === at ? pair.b : pair.a;
      const out = pair.a === at ? pair.forward : pair.backward;
      const into = pair.a === at ? pair.backward : pair.forward;
      const arrow = certainty(pair) < 0.1 ? "—" : out > into ? "→" : "←";
      const text = `${arrow} ${name(other)} ${percent(pair.forward + pair.backward)}`;
      return button(text, () => store.set({ pair: [at, other], selected: null }), { class: "cx-chip" });
    });
    const more = near.length > links.length ? h("span", { class: "cx-hint" }, `and ${near.length - links.length} more`) : null;
    return [
      h("strong", {}, name(at)),
      button("Look closer", () => store.set({ focus: at }), { class: "cx-small" }),
      h("span", { class: "cx-chips" }, ...links, more),
      near.length === 0 ? hint("No edge above the threshold.") : null,
    ];
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  function ofPair(a, b) {
    const pair = pairOf(view, a, b);
    const [forward, backward] = !pair ? [0, 0] : pair.a === a ? [pair.forward, pair.backward] : [pair.backward, pair.forward];
    const words = `${percent(forward)} →, ${percent(backward)} ←, ${percent(Math.max(0, 1 - forward - backward))} not joined`;
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

  store.watch(["state", "selected", "pair", "threshold"], update);
  update();
}
