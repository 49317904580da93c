// @ts-check
// Files: the picture, the network, the report, the rules, and the Python lines that make the same.
import { colourOf, edgeColour, edgeWidth } from "./colours.js";
import { button, h, hint, refill } from "./dom.js";
import { graphPicture } from "./picture.js";
import { certainty, joinedShare, leading, ownerOf, shownPairs } from "./state.js";

/**
 * @param {import("./state.js").Store} store
 * @param {import("./contract.js").Api} api
 * @param {{layout: () => import("./contract.js").GraphLayout | null, png: () => Blob | undefined}} graph
 */
export function exportPanel(store, api, graph) {
  const { view } = store;
  const buttons = h("div", { class: "cx-column" });
  const message = h("p", { class: "cx-problem", role: "alert" });
  const lines = h("textarea", { readonly: true, rows: 14, "aria-label": "Python lines", spellcheck: "false" });
  const copy = button("Copy", () => {
    lines.select();
    navigator.clipboard?.writeText(lines.value);
  });
  const code = h("div", {}, h("h3", {}, "The same in Python"), lines, copy);
  const element = h("div", {}, h("h3", {}, "Files"), buttons, message, code);

  async function update() {
    const { state } = view;
    if (!state) return;
    const hasServer = api.kind !== "embedded";
    /** @type {[string, () => void, string][]} */
    const files = [
      ["Picture (SVG)", saveSvg, state.kind === "none" ? "There is no network yet." : ""],
      ["Picture (PNG)", savePng, state.kind === "none" ? "There is no network yet." : ""],
      ["Best network (BIF)", () => saveFrom("network_file"), hasServer ? state.abilities.network_file : "This needs a server."],
      ["Report (HTML)", () => saveFrom("report"), hasServer ? state.abilities.report : "This is the report."],
      ["Rules (JSON)", saveRules, ""],
    ];
    refill(buttons, ...files.map(([text, action, reason]) => h("span", { class: "cx-row" }, button(text, action, { disabled: reason !== "" }), reason ? hint(reason) : null)));
    code.hidden = !hasServer;
    if (hasServer) {
      const found = await api.call("python", { threshold: view.threshold, evidence: view.evidence });
      lines.value = found.text;
    }
  }

  function saveSvg() {
    const { state } = view;
    const layout = graph.layout();
    if (!state || !layout) return;
    const edges = shownPairs(view).map((pair) => {
      const [a, b] = leading(pair);
      return {
        a,
        b,
        directed: pair.mark !== "undirected",
        colour: edgeColour(element, certainty(pair)),
        width: edgeWidth(pair),
        dashed: joinedShare(pair) < 0.5,
      };
    });
    const [text, box, border] = ["text", "box", "border"].map((name) => colourOf(element, name));
    const title = state.edges_of ? `${state.headline}: edges of ${ownerOf(state)}` : state.headline;
    const picture = graphPicture(layout, state.variables, edges, { text, box, border }, title);
    save("network.svg", new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
  }

  function savePng() {
    const blob = graph.png();
    if (blob) save("network.png", blob);
  }

  function saveRules() {
    save("knowledge.json", new Blob([JSON.stringify(view.state?.knowledge ?? {}, null, 1)], { type: "application/json" }));
  }

  /** @param {string} name */
  async function saveFrom(name) {
    message.textContent = "";
    try {
      const file = await api.call(name);
      save(file.name, new Blob([file.text], { type: file.type }));
    } catch (error) {
      message.textContent = /** @type {Error} */ (error).message;
    }
  }

  return { element, update, keys: /** @type {(keyof import("./state.js").View)[]} */ (["state", "threshold", "evidence"]) };
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
