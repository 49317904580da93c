// @ts-check
// Rules that networks must obey: edges that are required or forbidden, and tiers; then networks are learned again.
import { button, h, hint, refill } from "./dom.js";

const OTHERS = "*"; // stands for the variables that are in no tier

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 * @param {{undo: () => void, redo: () => void}} history
 */
export function knowledgePanel(store, api, history) {
  const { view } = store;
  const reason = h("div", {});
  const rules = h("ul", { class: "cx-rules" });
  const tiers = h("div", { class: "cx-tiers" });
  const problem = h("p", { class: "cx-problem", role: "alert" });
  const [from, to] = ["From", "To"].map((label) => h("select", { "aria-label": label }));
  const kind = h("select", { "aria-label": "Kind of rule" }, h("option", { value: "forbidden" }, "forbid"), h("option", { value: "required" }, "require"));
  const relearn = button("Relearn", apply, { class: "cx-main-button" });
  const undo = button("Undo", history.undo);
  const redo = button("Redo", history.redo);
  const form = h(
    "div",
    {},
    h("h3", {}, "Edges"),
    h("div", { class: "cx-row" }, kind, from, h("span", { "aria-hidden": "true" }, "→"), to, button("Add rule", addFromForm)),
    rules,
    h("h3", {}, "Tiers"),
    hint("No edge leads from a later tier to an earlier one; variables that are not placed are in the last. Drag a variable, or focus it and use the arrow keys."),
    tiers,
    problem,
    h("div", { class: "cx-row" }, relearn, button("Discard changes", () => store.set({ draft: null })), undo, redo),
  );
  const element = h("div", {}, reason, form);
  let version = -1;

  function update() {
    const { state } = view;
    if (!state) return;
    form.hidden = state.abilities.knowledge !== "";
    refill(reason, state.abilities.knowledge ? hint(state.abilities.knowledge) : null);
    if (form.hidden) return;
    if (from.options.length !== state.variables.length || version !== state.version) {
      for (const select of [from, to]) {
        const chosen = select.value;
        refill(select, ...state.variables.map(({ name }) => h("option", { value: name }, name)));
        if (state.variables.some(({ name }) => name === chosen)) select.value = chosen;
      }
      version = state.version;
    }
    const isBusy = view.job !== null;
    relearn.disabled = isBusy; // also without a change: after Cancel
    undo.disabled = isBusy || !state.can_undo;
    redo.disabled = isBusy || !state.can_redo;
    drawRules();
    drawTiers();
    check();
  }

  /** @returns {Required<import("./contract.js").Rules>} */
  function current() {
    const known = view.draft ?? view.state?.knowledge ?? {};
    return { required: known.required ?? [], forbidden: known.forbidden ?? [], tiers: known.tiers ?? [] };
  }

  async function check() {
    problem.textContent = "";
    if (view.draft === null) return;
    const draft = view.draft;
    const { error } = await api.call("check", { rules: draft });
    if (view.draft !== draft) return;
    problem.textContent = error ? `These rules contradict each other: ${error}.` : "";
    relearn.disabled = view.job !== null || error !== "";
  }

  async function apply() {
    try {
      await api.call("relearn", { rules: current() });
      store.set({ draft: null });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  function addFromForm() {
    addRule(kind.value, [from.value, to.value]);
  }

  /**
   * @param {"required" | "forbidden"} which
   * @param {[string, string]} edge
   */
  function addRule(which, edge) {
    const known = current();
    if (known[which].some(([a, b]) => a === edge[0] && b === edge[1])) return;
    store.set({ draft: { ...known, [which]: [...known[which], edge] } });
  }

  function drawRules() {
    const known = current();
    const items = /** @type {("required" | "forbidden")[]} */ (["required", "forbidden"]).flatMap((which) =>
      known[which].map((edge) =>
        h(
          "li",
          {},
          `${which}: ${edge[0]} → ${edge[1]} `,
          button("Remove", () => store.set({ draft: { ...known, [which]: known[which].filter((each) => each !== edge) } }), {
            class: "cx-small",
            "aria-label": `Remove ${which} ${edge[0]} → ${edge[1]}`,
          }),
        ),
      ),
    );
    refill(rules, ...(items.length ? items : [h("li", { class: "cx-hint" }, "no rules on edges")]));
  }

  function drawTiers() {
    const known = current().tiers;
    const placed = new Set(known.flat());
    const others = (view.state?.variables ?? []).map(({ name }) => name).filter((name) => !placed.has(name));
    const groups = placed.has(OTHERS)
      ? known.map((names) => (names.includes(OTHERS) ? [...names.filter((name) => name !== OTHERS), ...others] : names))
      : [...known, others];
    const label = (/** @type {number} */ at) => (at < known.length ? `tier ${at + 1}` : known.length ? "last tier: not placed" : "no tiers");
    refill(
      tiers,
      ...groups.map((names, at) =>
        h(
          "div",
          {
            class: "cx-tier",
            role: "group",
            "aria-label": label(at),
            ondragover: (/** @type {Event} */ event) => event.preventDefault(),
            ondrop: (/** @type {DragEvent} */ event) => {
              event.preventDefault();
              move(event.dataTransfer?.getData("text/plain") ?? "", at);
            },
          },
          h("div", { class: "cx-tier-name" }, label(at)),
          ...names.map((name) => chip(name, at, groups.length)),
        ),
      ),
      h(
        "div",
        { class: "cx-row" },
        button("Add tier", () => setTiers([...known, []]), { class: "cx-small" }),
        known.length ? button("Remove last tier", () => setTiers(known.slice(0, -1)), { class: "cx-small" }) : null,
      ),
    );
  }

  /**
   * @param {string} name
   * @param {number} at
   * @param {number} number
   */
  function chip(name, at, number) {
    return h(
      "button",
      {
        type: "button",
        class: "cx-chip",
        draggable: "true",
        "data-name": name,
        ondragstart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", name),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          move(name, Math.max(0, Math.min(number - 1, at + by)));
          const moved = [...tiers.querySelectorAll("[data-name]")].find((each) => each.getAttribute("data-name") === name);
          /** @type {HTMLElement | undefined} */ (moved)?.focus();
        },
      },
      name,
    );
  }

  /**
   * @param {string} name
   * @param {number} tier from 0; after the last one the variables that are not placed
   */
  function move(name, tier) {
    if (!view.state?.variables.some((variable) => variable.name === name)) return;
    setTiers(current().tiers.map((names, at) => {
      const others = names.filter((each) => each !== name);
      return at === tier ? [...others, name] : others;
    }));
  }

  /** @param {string[][]} changed */
  function setTiers(changed) {
    store.set({ draft: { ...current(), tiers: changed } });
  }

  return { element, update, addRule, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state", "draft", "job"]) };
}
