// @ts-check
// The credible networks: how scores fall, classes and networks by rank, two side by side, what tells the classes apart.
import { colourOf } from "./colours.js";
import { button, h, hint, percent, put, refill, s } from "./dom.js";
import { graphPicture } from "./picture.js";

const PAGE = 50;

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 */
export function networksPanel(store, api) {
  const { view } = store;
  const curve = h("div", {});
  const list = h("div", {});
  const tree = h("div", {});
  const compare = h("dialog", { class: "cx-dialog", "aria-label": "Two networks side by side" });
  const what = h("select", { onchange: () => load(0) }, h("option", { value: "classes" }, "classes"), h("option", { value: "networks" }, "networks"));
  const tooMany = h("span", { class: "cx-hint" });
  /** @type {import("./contract.js").ListingRow[]} */
  let rows = [];
  /** @type {(import("./contract.js").ListingRow | null)[]} */
  let compared = [null, null];
  let shown = -1;
  const reason = h("p", { class: "cx-hint" });
  const body = h(
    "div",
    {},
    h("h3", {}, "How the scores fall"),
    curve,
    h("h3", {}, "What tells the classes apart"),
    tree,
    h("h3", {}, "Best first"),
    h("label", { class: "cx-row" }, "Show ", what, tooMany),
    list,
    compare,
  );
  const element = h("div", {}, reason, body);

  async function update() {
    const { state } = view;
    if (!state) return;
    reason.textContent = state.abilities.networks;
    body.hidden = state.abilities.networks !== "";
    if (body.hidden) return;
    if (shown === state.version) return;
    shown = state.version;
    compared = [null, null];
    what.disabled = state.n_classes === "";
    if (what.disabled) what.value = "networks"; 
    tooMany.textContent = what.disabled ? "There are too many networks to tell their classes." : "";
    refill(tree, hint("…"));
    refill(curve, fallingScores(await api.call("curve"), element));
    await load(0);
    try {
      const found = await api.call("distinctions");
      refill(tree, ...(found.tree ? distinctions(found) : [hint(found.among)]));
    } catch (error) {
      refill(tree, hint(String(/** @type {Error} */ (error).message)));
    }
  }

  /** @param {number} start */
  async function load(start) {
    try {
      const found = await api.call(what.value, { start, number: PAGE });
      rows = start === 0 ? found.rows : [...rows, ...found.rows];
      drawList(found.total);
    } catch (error) {
      refill(list, hint(/** @type {Error} */ (error).message));
    }
  }

  /** @param {string} total */
  function drawList(total) {
    const isClasses = what.value === "classes";
    const share = view.state?.share ?? "";
    const heads = ["rank", "score", ...(share ? [share] : []), ...(isClasses ? ["networks", "A", "B"] : ["A", "B"])];
    const lines = rows.map((row) =>
      h(
        "tr",
        {},
        h("th", { scope: "row", class: "cx-number" }, row.rank + 1),
        h("td", { class: "cx-number" }, row.score.toFixed(3)),
        row.probability === null ? null : h("td", { class: "cx-number" }, percent(row.probability)),
        isClasses ? h("td", { class: "cx-number" }, row.members === row.size ? row.members : `${row.members} of ${row.size}`) : null,
        ...["A", "B"].map((letter, side) =>
          h(
            "td",
            {},
            h("input", {
              type: "radio",
              name: `cx-compare-${letter}`,
              "aria-label": `${letter}: rank ${row.rank + 1}`,
              onchange: () => pick(side, row),
            }),
          ),
        ),
      ),
    );
    const action = button("Compare A and B", openCompared, { class: "cx-compare", disabled: true });
    const more = api.kind !== "embedded" && rows.length < Number(total.replaceAll(",", ""));
    refill(
      list,
      action,
      h(
        "table",
        { class: "cx-table" },
        h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...lines),
      ),
      h("p", { class: "cx-hint" }, `${rows.length} of ${total}. `, share ? `Probabilities among ${view.state?.among}. ` : "", more ? button("More", () => load(rows.length), { class: "cx-small" }) : null),
    );
  }

  /**
   * @param {number} side
   * @param {import("./contract.js").ListingRow} row
   */
  function pick(side, row) {
    compared[side] = row;
    list.querySelector(".cx-compare")?.toggleAttribute("disabled", compared.includes(null));
  }

  function openCompared() {
    const [first, second] = /** @type {import("./contract.js").ListingRow[]} */ (compared);
    const state = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    const known = [first, second].map((one) => new Map(one.edges.map(([a, b, d]) => [key(a, b), kind(a, b, d)])));
    const colours = colourSet();
    const figures = [first, second].map((one, at) => {
      const edges = one.edges.map(([a, b, directed]) => {
        const differs = known[1 - at].get(key(a, b)) !== kind(a, b, directed);
        return { a, b, directed: directed === 1, colour: differs ? colours.different : colours.border, width: differs ? 3 : 1.2 };
      });
      const title = `${"AB"[at]}: rank ${one.rank + 1}, score ${one.score.toFixed(3)}`;
      const picture = graphPicture(state.layout, state.variables, edges, colours, title);
      picture.removeAttribute("width");
      picture.removeAttribute("height");
      return h("figure", {}, h("figcaption", {}, title), picture);
    });
    const pairs = [...new Set([...known[0].keys(), ...known[1].keys()])].filter((each) => known[0].get(each) !== known[1].get(each));
    const words = pairs.map((each) => {
      const [a, b] = each.split("-").map(Number);
      return h("li", {}, `A: ${said(a, b, known[0].get(each))} · B: ${said(a, b, known[1].get(each))}`);
    });
    refill(
      compare,
      h("div", { class: "cx-row" }, h("strong", {}, `${pairs.length} ${pairs.length === 1 ? "difference" : "differences"}, drawn in red`), button("Close", () => compare.close())),
      h("div", { class: "cx-sides" }, ...figures),
      h("ul", {}, ...words),
      what.value === "networks" ? hint("Networks of one class differ only in directions that data cannot tell.") : null,
    );
    compare.showModal();
  }

  function colourSet() {
    const [text, box, border, different] = ["text", "box", "border", "different"].map((name) => colourOf(element, name));
    return { text, box, border, different };
  }

  /** @param {number} at */
  function name(at) {
    return /** @type {any} */ (view.state).variables[at].name;
  }

  /**
   * @param {number} a
   * @param {number} b
   * @param {string | undefined} joined
   */
  function said(a, b, joined) {
    if (!joined) return `${name(a)} and ${name(b)} not joined`;
    return `${name(a)} ${{ forward: "→", backward: "←", undirected: "—" }[joined]} ${name(b)}${joined === "undirected" ? ", data cannot tell the direction" : ""}`;
  }

  /** @param {import("./contract.js").Distinctions} found */
  function distinctions(found) {
    return [
      h("ul", { class: "cx-tree" }, branch(/** @type {any} */ (found.tree), "")),
      hint(`Of ${found.among}. Each question splits what is left most evenly. A direction is asked for where the two are joined in all classes that are left.`),
    ];
  }

  /**
   * @param {import("./contract.js").Split} node
   * @param {string} answer
   */
  function branch(node, answer) {
    const size = `${percent(node.share)}, ${node.classes} ${node.classes === 1 ? "class" : "classes"}`;
    const bar = h("span", { class: "cx-share" });
    bar.style.width = `${Math.max(2, 60 * node.share)}px`;
    const item = h("li", {}, h("span", { class: "cx-answer" }, answer), bar, h("span", { class: "cx-hint" }, size));
    if (node.question) {
      const [a, b, what] = node.question;
      const asked = { joined: `Are ${name(a)} and ${name(b)} joined?`, direction: `In which direction are ${name(a)} and ${name(b)} joined?` };
      const replies = {
        yes: "yes",
        no: "no",
        forward: `${name(a)} → ${name(b)}`,
        backward: `${name(b)} → ${name(a)}`,
        undetermined: "data cannot tell",
      };
      put(
        item,
        button(asked[what], () => store.set({ pair: [a, b], selected: null }), { class: "cx-link" }),
        h("ul", {}, ...node.branches.map((each) => branch(each.node, replies[each.reply]))),
      );
    }
    return item;
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state"]) };
}

/**
 * @param {number} a
 * @param {number} b
 */
function key(a, b) {
  return `${Math.min(a, b)}-${Math.max(a, b)}`;
}

/**
 * @param {number} a
 * @param {number} b
 * @param {number} directed
 */
function kind(a, b, directed) {
  return directed === 0 ? "undirected" : a < b ? "forward" : "backward";
}

/**
 * Score below the best against the rank.
 * @param {import("./contract.js").Curve} found
 * @param {Element} element
 */
function fallingScores({ ranks, deviations, factors }, element) {
  const [width, height, left, bottom] = [460, 190, 44, 34];
  const top = Math.max(deviations[deviations.length - 1], 1e-9) * 1.1;
  const decades = Math.max(Math.log10(ranks[ranks.length - 1]), 1e-9);
  const [colour, text, line] = ["sure", "text", "line"].map((name) => colourOf(element, name));
  const x = (/** @type {number} */ rank) => left + ((width - left - 10) * Math.log10(rank)) / decades;
  const y = (/** @type {number} */ value) => 6 + (height - bottom - 6) * (value / top);
  let path = `M${x(ranks[0])},${y(deviations[0])}`;
  ranks.forEach((rank, at) => {
    if (at > 0) path += `H${x(rank).toFixed(1)}V${y(deviations[at]).toFixed(1)}`;
  });
  const marks = factors
    .filter((factor) => Math.log(factor) <= top)
    .flatMap((factor) => [
      s("path", { d: `M${left},${y(Math.log(factor))}H${width - 10}`, stroke: line, "stroke-dasharray": "4 3" }),
      s("text", { x: width - 12, y: y(Math.log(factor)) - 4, "text-anchor": "end", fill: text }, `Bayes factor ${factor}`),
    ]);
  const every = Math.ceil((decades + 1) / 8);
  const ticks = Array.from({ length: Math.floor(decades) + 1 }, (_, power) => power)
    .filter((power) => power % every === 0)
    .map((power) =>
      s("text", { x: x(10 ** power), y: height - 18, "text-anchor": "middle", fill: text }, (10 ** power).toLocaleString("en")),
    );
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "cx-chart", role: "img", "aria-label": "Score below the best, in nats, against the rank" },
    s("path", { d: `M${left},6V${height - bottom}H${width - 10}`, fill: "none", stroke: text }),
    s("path", { d: path, fill: "none", stroke: colour, "stroke-width": 2 }),
    ...marks,
    ...ticks,
    s("text", { x: left - 6, y: 14, "text-anchor": "end", fill: text }, "0"),
    s("text", { x: left - 6, y: y(top / 1.1), "text-anchor": "end", fill: text }, (-top / 1.1).toFixed(1)),
    s("text", { x: width / 2, y: height - 3, "text-anchor": "middle", fill: text }, "rank of the network"),
  );
}
