// @ts-check
// What happens to other variables if one is set from outside, with intervals.
import { h, hint, percent, refill } from "./dom.js";

const MOST_EFFECTS = 40; // effects that are drawn
const LEAST_CHANGE = 0.0005; // of a probability, which rounds to 0.001

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 */
export function effectsPanel(store, api) {
  const { view } = store;
  const choice = h("select", { onchange: () => store.set({ selected: Number(choice.value), pair: null }) });
  const table = h("div", {});
  const element = h("div", {}, h("label", { class: "cx-row" }, "Set ", choice), table);
  let asked = "";

  async function update() {
    const { state } = view;
    if (!state) return;
    if (state.abilities.effects) {
      asked = "";
      return refill(table, hint(state.abilities.effects));
    }
    if (choice.options.length !== state.variables.length) {
      refill(choice, ...state.variables.map(({ name }, at) => h("option", { value: at }, name)));
    }
    if (view.selected !== null) choice.value = String(view.selected);
    const x = Number(choice.value);
    const question = `${state.version}-${x}`;
    if (question === asked) return;
    asked = question;
    refill(table, hint("Estimating effects …"));
    try {
      const found = await api.call("effects", { x });
      if (asked === question) draw(found);
    } catch (error) {
      if (asked === question) refill(table, hint(/** @type {Error} */ (error).message));
    }
  }

  /** @param {import("./contract.js").EffectTable} found */
  function draw(found) {
    const { variables } = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    const x = variables[found.x];
    const rows = found.rows.filter((row) => row.difference >= LEAST_CHANGE).slice(0, MOST_EFFECTS);
    const blocks = rows.map((row) => {
      const y = variables[row.y];
      const lines = y.states.map((state, at) =>
        h(
          "div",
          { class: "cx-effect" },
          h("span", { class: "cx-label" }, state),
          h("span", { class: "cx-dots" }, ...x.states.map((set, from) => dot(row, from, at, x.name, set))),
        ),
      );
      const path = found.path ? ` Path: ${percent(row.probability)}.` : "";
      return h(
        "section",
        { class: "cx-variable" },
        h("strong", {}, y.name),
        hint(`${row.told}${path}`),
        ...lines,
      );
    });
    const key = x.states.map((state, at) => h("span", { class: `cx-key cx-set-${at % 6}` }, `${x.name} = ${state}`));
    refill(
      table,
      h("p", { class: "cx-row" }, ...key),
      hint(`P(y | do(${x.name})), over ${found.among}. Dots are means, lines 95 % intervals. ${found.assumption}`),
      found.path ? hint(found.path) : null,
      ...blocks,
      rows.length === 0 ? hint(`Setting ${x.name} changes no probability of another variable by 0.0005 or more.`) : null,
    );
  }

  /**
   * @param {import("./contract.js").EffectRow} row
   * @param {number} from
   * @param {number} at
   * @param {string} name
   * @param {string} set
   */
  function dot(row, from, at, name, set) {
    const mean = row.means[from][at];
    const [low, high] = row.intervals ? row.intervals[from][at] : [mean, mean];
    const [least, most] = row.ranges[from][at];
    const line = h("span", { class: "cx-interval" });
    line.style.left = `${100 * low}%`;
    line.style.width = `${100 * Math.max(high - low, 0)}%`;
    const point = h("span", { class: "cx-dot" });
    point.style.left = `${100 * mean}%`;
    const text = `do(${name} = ${set}): ${percent(mean)}, interval ${percent(low)} to ${percent(high)}, over networks ${percent(least)} to ${percent(most)}`;
    return h("span", { class: `cx-track cx-set-${from % 6}`, role: "img", "aria-label": text, title: text }, line, point);
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state", "selected"]) };
}
