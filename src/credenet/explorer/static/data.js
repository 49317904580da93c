// @ts-check
// The data: rows, states with their counts, missing cells, remarks; and the summary of what was found.
import { h, hint, percent, refill } from "./dom.js";

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 */
export function dataPanel(store, api) {
  const { view } = store;
  const summary = h("div", {});
  const table = h("div", {});
  const element = h("div", {}, h("h3", {}, "What was found"), summary, h("h3", {}, "Data"), table);
  let isDrawn = false;

  async function update() {
    const { state } = view;
    if (!state) return;
    const rows = state.summary.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)));
    refill(summary, rows.length ? h("table", { class: "cx-table" }, h("tbody", {}, ...rows)) : hint(state.headline));
    if (state.abilities.data) return refill(table, hint(state.abilities.data));
    if (isDrawn) return;
    isDrawn = true;
    try {
      draw(await api.call("data"), state);
    } catch (error) {
      refill(table, hint(/** @type {Error} */ (error).message));
    }
  }

  /**
   * @param {import("./contract.js").DataSummary} found
   * @param {import("./contract.js").ExplorerState} state
   */
  function draw(found, state) {
    const lines = state.variables.map(({ name, states }, at) => {
      const total = found.counts[at].reduce((sum, number) => sum + number, 0) || 1;
      const bars = states.map((label, place) => {
        const part = h("span", { class: `cx-part cx-set-${place % 6}`, title: `${label}: ${found.counts[at][place]}` });
        part.style.width = `${(100 * found.counts[at][place]) / total}%`;
        return part;
      });
      const words = states.map((label, place) => `${label} ${percent(found.counts[at][place] / total)}`).join(", ");
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        h("td", { class: "cx-number" }, states.length),
        h("td", {}, h("span", { class: "cx-parts", "aria-hidden": "true" }, ...bars), h("span", { class: "cx-hint" }, words)),
        h("td", { class: "cx-number" }, found.missing[at] || ""),
      );
    });
    refill(
      table,
      hint(`${found.rows.toLocaleString("en")} rows, ${state.variables.length} variables.`),
      ...found.remarks.map((remark) => hint(remark)),
      h(
        "table",
        { class: "cx-table" },
        h("thead", {}, h("tr", {}, ...["variable", "states", "how often", "missing"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...lines),
      ),
    );
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state"]) };
}
