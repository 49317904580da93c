// @ts-check
// Evidence by clicking states; bars show the average over the networks, a line their range.
import { button, h, hint, percent, refill } from "./dom.js";

const MOST_WITH_BARS = 250; // variables

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 */
export function evidencePanel(store, api) {
  const { view } = store;
  const filter = h("input", { type: "search", placeholder: "find a variable", "aria-label": "Find a variable", oninput: build });
  const given = h("div", { class: "cx-row cx-given" });
  const list = h("div", { class: "cx-variables" });
  const note = h("p", { class: "cx-hint" });
  const element = h("div", {}, h("div", { class: "cx-row" }, filter), given, note, list);
  /** @type {Map<string, {button: any, fill: any, range: any, number: any}[]>} */
  const bars = new Map();
  let asked = 0;
  let built = -1;

  function update() {
    const { state } = view;
    if (!state) return;
    if (state.abilities.evidence || api.kind === "embedded") {
      refill(given);
      refill(list);
      note.textContent = state.abilities.evidence || "Evidence needs a server: run credenet explore with the data.";
      built = -1;
      return;
    }
    if (built !== state.version) build();
    else ask();
  }

  function build() {
    const { state } = view;
    if (!state) return;
    built = state.version;
    bars.clear();
    const wanted = filter.value.toLowerCase();
    const found = state.variables.filter(({ name }) => name.toLowerCase().includes(wanted));
    refill(list, ...found.slice(0, MOST_WITH_BARS).map(block));
    if (found.length > MOST_WITH_BARS) list.append(hint(`The first ${MOST_WITH_BARS} of ${found.length} variables. Type to find others.`));
    ask();
  }

  /** @param {import("./contract.js").Variable} variable */
  function block({ name, states }) {
    const rows = states.map((state) => {
      const fill = h("span", { class: "cx-fill" });
      const range = h("span", { class: "cx-range" });
      const number = h("span", { class: "cx-value" });
      const one = h(
        "button",
        { type: "button", class: "cx-state", "aria-pressed": "false", onclick: () => toggle(name, state) },
        h("span", { class: "cx-label" }, state),
        h("span", { class: "cx-track" }, fill, range),
        number,
      );
      return { button: one, fill, range, number };
    });
    bars.set(name, rows);
    const at = /** @type {any} */ (view.state).variables.findIndex((/** @type {any} */ each) => each.name === name);
    return h(
      "div",
      { class: "cx-variable", role: "group", "aria-label": name },
      button(name, () => store.set({ selected: at, pair: null }), { class: "cx-link" }),
      ...rows.map((row) => row.button),
    );
  }

  /**
   * @param {string} name
   * @param {string} state
   */
  function toggle(name, state) {
    performance.mark("cx-evidence-click");
    const evidence = { ...view.evidence };
    if (evidence[name] === state) delete evidence[name];
    else evidence[name] = state;
    store.set({ evidence });
  }

  async function ask() {
    const { state } = view;
    if (!state) return;
    asked += 1;
    const number = asked;
    drawGiven();
    try {
      const answer = await api.call("evidence", { evidence: view.evidence });
      if (number === asked) fillBars(answer);
    } catch (error) {
      if (number === asked) note.textContent = `${/** @type {Error} */ (error).message}`;
    }
  }

  function drawGiven() {
    const known = Object.entries(view.evidence).map(([name, state]) =>
      button(`${name} = ${state} ✕`, () => toggle(name, state), { class: "cx-chip", "aria-label": `Remove ${name} = ${state}` }),
    );
    const clear = button("Clear evidence", () => store.set({ evidence: {} }), { class: "cx-small", disabled: known.length === 0 });
    refill(given, ...known, clear);
  }

  /** @param {import("./contract.js").Bars} answer */
  function fillBars(answer) {
    const state = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    state.variables.forEach(({ name, states }, at) => {
      const rows = bars.get(name);
      if (!rows) return;
      rows.forEach((row, place) => {
        const [mean, low, high] = answer.bars[at][place];
        row.fill.style.width = `${100 * mean}%`;
        row.range.style.left = `${100 * low}%`;
        row.range.style.width = `${100 * (high - low)}%`;
        row.range.hidden = high - low < 0.0005;
        row.number.textContent = percent(mean);
        row.button.setAttribute("aria-pressed", String(view.evidence[name] === states[place]));
        if (answer.n_networks > 1) row.button.title = `${percent(low)} to ${percent(high)} over the networks`;
      });
    });
    const over = answer.n_networks > 1 ? `Average over ${answer.among}; the line is the range over them.` : `In ${answer.among}.`;
    note.textContent = `${over} Click a state to set it.`;
    if (performance.getEntriesByName("cx-evidence-click").length > 0) {
      performance.measure("cx-evidence", "cx-evidence-click");
      performance.clearMarks("cx-evidence-click");
    }
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state", "evidence"]) };
}
