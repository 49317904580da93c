// @ts-check
// The edges: a heat map of directions, and a table that can be sorted.
import { colourOf, edgeColour } from "./colours.js";
import { button, h, hint, percent, put, refill, s } from "./dom.js";
import { leading, ownerOf, seenFrom, shownPairs } from "./state.js";

const MOST_CELLS = 60; // variables of the heat map
const MOST_ROWS = 300;
const ORDERS = { data: "as in the data", name: "by name", edges: "most edges first", picture: "as in the picture" };
const COLUMNS = ["edge", "joined", "→", "←", "data cannot tell"];
const COLUMNS_OF_ONE = ["edge", "direction"]; // where nothing is known of how sure edges are
const MEANING =
  "→ and ←: all equivalent networks that obey the rules have the direction, as the two are named. Data cannot tell: they do not agree on it.";

/**
 * @param {import("./state.js").Store} store
 */
export function edgesPanel(store) {
  const { view } = store;
  const map = h("div", { class: "cx-scroll" });
  const table = h("div", { class: "cx-scroll" });
  const order = h(
    "select",
    { onchange: drawMap },
    ...Object.entries(ORDERS).map(([value, text]) => h("option", { value }, text)),
  );
  let sorted = 1;
  let isRising = false;
  const element = h(
    "div",
    {},
    h("label", { class: "cx-row" }, "Order of the matrix ", order),
    map,
    h("h3", {}, "Edges"),
    table,
  );

  function update() {
    drawMap();
    drawTable();
  }

  /** @param {number} at */
  function name(at) {
    return /** @type {any} */ (view.state).variables[at].name;
  }

  /** The variables of the map: all, or those around the selected one. */
  function chosen() {
    const state = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    const all = state.variables.map((_, at) => at);
    if (all.length <= MOST_CELLS) return all;
    if (view.selected === null) return [];
    const near = new Set([view.selected]);
    for (const { a, b } of shownPairs(view)) {
      if (a === view.selected) near.add(b);
      if (b === view.selected) near.add(a);
    }
    return [...near].slice(0, MOST_CELLS).sort((x, y) => x - y);
  }

  function ordered() {
    const state = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    const members = chosen();
    if (order.value === "name") members.sort((x, y) => name(x).localeCompare(name(y)));
    if (order.value === "edges") {
      const degree = new Map();
      for (const { a, b } of shownPairs(view)) for (const end of [a, b]) degree.set(end, (degree.get(end) ?? 0) + 1);
      members.sort((x, y) => (degree.get(y) ?? 0) - (degree.get(x) ?? 0));
    }
    if (order.value === "picture") {
      const place = new Map(state.layout.boxes.map((box) => [box.variable, box.y * 1e4 + box.x]));
      members.sort((x, y) => (place.get(x) ?? 0) - (place.get(y) ?? 0));
    }
    return members;
  }

  function drawMap() {
    if (!view.state) return;
    const members = ordered();
    if (members.length === 0) {
      refill(map, hint(`The matrix has room for ${MOST_CELLS} variables. Select one to see it with its neighbours.`));
      return;
    }
    const place = new Map(members.map((variable, at) => [variable, at]));
    const longest = Math.max(...members.map((at) => name(at).length));
    const room = Math.max(map.clientWidth - 8, 300);
    const cell = Math.max(7, Math.min(22, room / (members.length + 0.62 * longest + 1)));
    const side = cell * members.length;
    const margin = Math.min(12, cell * 0.85) * (0.68 * longest + 1);
    const [line, text, accent] = ["line", "text", "accent"].map((which) => colourOf(element, which));
    const font = Math.min(12, cell * 0.85);
    const shapes = [s("rect", { x: margin, y: margin, width: side, height: side, fill: "none", stroke: line })];
    members.forEach((variable, at) => {
      const middle = margin + (at + 0.5) * cell;
      shapes.push(
        s("text", { x: margin - 4, y: middle + font * 0.35, "text-anchor": "end", fill: text, "font-size": font }, name(variable)),
        s("text", { transform: `translate(${middle + font * 0.35} ${margin - 4}) rotate(-90)`, fill: text, "font-size": font }, name(variable)),
      );
    });
    for (const pair of view.state.pairs) {
      const ends = [place.get(pair.a), place.get(pair.b)];
      if (ends[0] === undefined || ends[1] === undefined) continue;
      const isChosen = view.pair !== null && view.pair.includes(pair.a) && view.pair.includes(pair.b);
      for (const [from, to] of /** @type {[number, number][]} */ ([[pair.a, pair.b], [pair.b, pair.a]])) {
        const known = cellOf(pair, from);
        if (known.share < 0.005) continue;
        shapes.push(
          s(
            "rect",
            {
              x: margin + /** @type {number} */ (place.get(to)) * cell,
              y: margin + /** @type {number} */ (place.get(from)) * cell,
              width: cell - 1,
              height: cell - 1,
              fill: edgeColour(element, known.sure),
              "fill-opacity": (0.12 + 0.88 * known.share).toFixed(3),
              stroke: isChosen ? accent : "none",
              "stroke-width": 2,
              class: "cx-cell",
              onclick: () => store.set({ pair: [from, to], selected: null }),
            },
            s("title", {}, known.told(name(from), name(to))),
          ),
        );
      }
    }
    const size = margin + side + 2;
    const picture = s("svg", {
      viewBox: `0 0 ${size} ${size}`,
      width: size,
      height: size,
      role: "img",
      "aria-label": "Matrix of edges: parents are rows, children columns. The table below says the same.",
    });
    put(picture, ...shapes);
    const colours = "Blue: the direction is determined. Amber: the data cannot tell it, and both cells are filled.";
    const both = view.state.kind === "network" ? "" : "Where the data cannot tell the direction, both cells are filled.";
    refill(map, picture, hint(`Parents are rows, children columns. ${view.state.share ? colours : both}`));
  }

  /**
   * What the cell of a direction says: how often the two may be joined so, how sure that direction then is, and words.
   * @param {import("./contract.js").Pair} pair
   * @param {number} from
   */
  function cellOf(pair, from) {
    const { mark, shares } = seenFrom(pair, from);
    if (!shares) {
      const told = (/** @type {string} */ tail, /** @type {string} */ head) =>
        mark === "undirected" ? `${tail} and ${head} joined, data cannot tell the direction` : `${tail} → ${head}`;
      return { share: mark === "backward" ? 0 : 1, sure: null, told };
    }
    const share = shares.forward + shares.undetermined;
    const told = (/** @type {string} */ tail, /** @type {string} */ head) =>
      `${tail} → ${head}: ${percent(shares.forward)}; joined, but data cannot tell the direction: ${percent(shares.undetermined)}`;
    return { share, sure: share > 0 ? shares.forward / share : 0, told };
  }

  /**
   * The cells of a row of the table.
   * @param {import("./contract.js").Pair} pair
   * @returns {(string | number)[]}
   */
  function values(pair) {
    const [tail, head] = leading(pair);
    const { mark, shares } = seenFrom(pair, tail);
    const edge = `${name(tail)} – ${name(head)}`;
    if (!shares) return [edge, mark === "undirected" ? "data cannot tell" : "→"];
    return [edge, shares.joined, shares.forward, shares.backward, shares.undetermined];
  }

  function drawTable() {
    if (!view.state) return;
    const rows = shownPairs(view)
      .filter((pair) => view.selected === null || pair.a === view.selected || pair.b === view.selected)
      .map((pair) => ({ pair, values: values(pair) }));
    const columns = view.state.share ? COLUMNS : COLUMNS_OF_ONE;
    sorted = Math.min(sorted, columns.length - 1);
    const sign = isRising ? 1 : -1;
    rows.sort((x, y) => {
      const [left, right] = [x.values[sorted], y.values[sorted]];
      return sign * (typeof left === "string" ? left.localeCompare(String(right)) : left - Number(right));
    });
    const head = columns.map((text, at) =>
      h(
        "th",
        { scope: "col", "aria-sort": at === sorted ? (isRising ? "ascending" : "descending") : "none" },
        button(text + (at === sorted ? (isRising ? " ▲" : " ▼") : ""), () => sortBy(at), { class: "cx-sort" }),
      ),
    );
    const lines = rows.slice(0, MOST_ROWS).map(({ pair, values: shown }) => {
      const ends = leading(pair);
      const isChosen = view.pair !== null && view.pair.includes(pair.a) && view.pair.includes(pair.b);
      return h(
        "tr",
        { class: isChosen ? "cx-chosen" : "" },
        h("th", { scope: "row" }, button(String(shown[0]), () => store.set({ pair: ends, selected: null }), { class: "cx-link" })),
        ...shown.slice(1).map((value) => (typeof value === "string" ? h("td", {}, value) : h("td", { class: "cx-number" }, percent(value)))),
      );
    });
    const only = view.selected === null ? "" : ` of ${name(view.selected)}`;
    const number = rows.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${rows.length} edges${only}.` : `${rows.length} ${rows.length === 1 ? "edge" : "edges"}${only}.`;
    refill(
      table,
      h("table", { class: "cx-table" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...lines)),
      hint(`${number} ${view.state.share ? `Probabilities among ${view.state.among}. ${MEANING}` : `Edges of ${ownerOf(view.state)}.`}`),
    );
  }

  /** @param {number} column */
  function sortBy(column) {
    isRising = column === sorted ? !isRising : column === 0;
    sorted = column;
    drawTable();
    /** @type {any} */ (table.querySelectorAll(".cx-sort")[column])?.focus();
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state", "threshold", "uncertain", "selected", "pair"]) };
}
