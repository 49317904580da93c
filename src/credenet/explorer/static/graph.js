// @ts-check
// The average network: width = share of the networks, colour = how sure the direction is. One network has neither.
import { colourOf, edgeColour, edgeWidth } from "./colours.js";
import { certainty, joinedShare, leading, shownPairs } from "./state.js";

/** @typedef {import("./contract.js").GraphLayout} GraphLayout */
/** @typedef {import("./contract.js").Pair} Pair */

const LARGEST = 1.5; // zoom of a whole picture
const MANY = 500; // variables, from which moving the picture hides its edges

/**
 * @param {HTMLElement} container
 * @param {import("./state.js").Store} store
 */
export function createGraph(container, store) {
  const { view } = store;
  /** @type {any} */
  let cy = null;
  /** @type {GraphLayout | null} */
  let layout = null;

  /** @param {GraphLayout} wanted */
  function draw(wanted) {
    layout = wanted;
    cy?.destroy();
    const isMany = wanted.boxes.length > MANY;
    cy = /** @type {any} */ (globalThis).cytoscape({
      container,
      elements: elements(wanted),
      layout: { name: "preset", fit: false },
      style: styleSheet(),
      minZoom: 0.02,
      maxZoom: 4,
      boxSelectionEnabled: false,
      autounselectify: true,
      textureOnViewport: isMany,
      hideEdgesOnViewport: isMany,
    });
    cy.on("tap", "node", (/** @type {any} */ event) => store.set({ selected: Number(event.target.id()), pair: null }));
    cy.on("tap", "edge", (/** @type {any} */ event) => store.set({ pair: event.target.data("ends"), selected: null }));
    cy.on("tap", (/** @type {any} */ event) => event.target === cy && store.set({ selected: null, pair: null }));
    cy.on("dbltap", "node", (/** @type {any} */ event) => store.set({ focus: Number(event.target.id()) }));
    fit();
    mark();
  }

  /** All of the picture, but not larger than life. */
  function fit() {
    cy?.fit(undefined, 24);
    if (cy?.zoom() > LARGEST) {
      cy.zoom(LARGEST);
      cy.center();
    }
  }

  /** @param {GraphLayout} wanted */
  function elements(wanted) {
    const drawn = new Set(wanted.boxes.map((box) => box.variable));
    const names = view.state?.variables ?? [];
    const nodes = wanted.boxes.map((box) => ({
      group: "nodes",
      data: { id: String(box.variable), name: names[box.variable].name, width: box.width, height: box.height },
      position: { x: box.x, y: box.y },
      grabbable: wanted.style === "layered",
      classes: wanted.style === "force" ? "dot" : "",
    }));
    return [...nodes, ...edges(wanted, drawn)];
  }

  /**
   * @param {GraphLayout} wanted
   * @param {Set<number>} drawn
   */
  function edges(wanted, drawn) {
    const centre = new Map(wanted.boxes.map((box) => [box.variable, box]));
    const ways = new Map(wanted.lines.map((line) => [`${line.a}-${line.b}`, line.bends]));
    return shownPairs(view)
      .filter((pair) => drawn.has(pair.a) && drawn.has(pair.b))
      .map((pair) => {
        const [tail, head] = leading(pair);
        const bends = ways.get(`${tail}-${head}`) ?? [...(ways.get(`${head}-${tail}`) ?? [])].reverse();
        const from = /** @type {any} */ (centre.get(tail));
        const to = /** @type {any} */ (centre.get(head));
        const segments = along(from, to, bends);
        return {
          group: "edges",
          data: {
            id: `e${tail}-${head}`,
            source: String(tail),
            target: String(head),
            ends: [tail, head],
            width: edgeWidth(pair) * (wanted.style === "force" ? 0.6 : 1),
            colour: edgeColour(container, certainty(pair)),
            ...segments,
          },
          classes: [
            segments ? "bent" : "",
            pair.mark === "undirected" ? "open" : "",
            joinedShare(pair) < 0.5 ? "unlikely" : "",
          ].join(" "),
        };
      });
  }

  function styleSheet() {
    const [text, box, border, accent, surface] = ["text", "box", "border", "accent", "surface"].map((name) =>
      colourOf(container, name),
    );
    return [
      {
        selector: "node",
        style: {
          label: "data(name)",
          shape: "round-rectangle",
          width: "data(width)",
          height: "data(height)",
          "background-color": box,
          "border-color": border,
          "border-width": 1,
          color: text,
          "font-size": 13,
          "font-family": "system-ui, sans-serif",
          "text-valign": "center",
          "overlay-opacity": 0,
        },
      },
      {
        selector: "node.dot",
        style: {
          shape: "ellipse",
          "text-valign": "bottom",
          "text-margin-y": 3,
          "font-size": 11,
          "min-zoomed-font-size": 9,
          "background-color": border,
        },
      },
      {
        selector: "edge",
        style: {
          width: "data(width)",
          "line-color": "data(colour)",
          "target-arrow-color": "data(colour)",
          "target-arrow-shape": "triangle",
          "arrow-scale": 1.1,
          "curve-style": "straight",
          "overlay-opacity": 0,
        },
      },
      {
        selector: "edge.bent",
        style: {
          "curve-style": "round-segments",
          "segment-weights": "data(weights)",
          "segment-distances": "data(distances)",
          "segment-radii": 12,
          "edge-distances": "node-position",
        },
      },
      { selector: "edge.open", style: { "target-arrow-shape": "none" } },
      { selector: "edge.unlikely", style: { "line-style": "dashed" } },
      { selector: ".far", style: { opacity: 0.25 } },
      { selector: "node.chosen", style: { "border-width": 3, "border-color": accent, "background-color": surface } },
      { selector: "node.dot.chosen", style: { "background-color": accent, "min-zoomed-font-size": 0, "font-size": 15 } },
      { selector: "edge.chosen", style: { "underlay-color": accent, "underlay-opacity": 0.3, "underlay-padding": 5 } },
      { selector: "node.known", style: { "border-style": "double", "border-width": 4, "border-color": accent } },
    ];
  }

  /** Edges again, after a change of the threshold. */
  function redraw() {
    if (!cy || !layout) return;
    const drawn = new Set(layout.boxes.map((box) => box.variable));
    cy.batch(() => {
      cy.edges().remove();
      cy.add(edges(/** @type {GraphLayout} */ (layout), drawn));
    });
    mark();
  }

  /** Selection and evidence. */
  function mark() {
    if (!cy) return;
    cy.batch(() => {
      cy.elements(".chosen, .far").removeClass("chosen far");
      const chosen = view.selected === null ? edgeOf(view.pair) : cy.getElementById(String(view.selected));
      if (chosen.nonempty()) {
        const near = chosen.isNode() ? chosen.closedNeighborhood() : chosen.union(chosen.connectedNodes());
        cy.elements().difference(near).addClass("far");
        chosen.addClass("chosen");
      } else if (view.uncertain) {
        cy.nodes().filter((/** @type {any} */ node) => node.degree() === 0).addClass("far");
      }
    });
    markKnown();
  }

  /** The variables with evidence. */
  function markKnown() {
    if (!cy) return;
    cy.nodes(".known").removeClass("known");
    for (const name of Object.keys(view.evidence)) {
      const at = view.state?.variables.findIndex((variable) => variable.name === name) ?? -1;
      cy.getElementById(String(at)).addClass("known");
    }
  }

  /** @param {[number, number] | null} pair */
  function edgeOf(pair) {
    if (!pair) return cy.collection();
    const [a, b] = pair;
    return cy.getElementById(`e${a}-${b}`).union(cy.getElementById(`e${b}-${a}`));
  }

  /**
   * Selects the nearest variable in a direction.
   * @param {number} dx
   * @param {number} dy
   */
  function step(dx, dy) {
    if (!cy || cy.nodes().empty()) return;
    const at = view.selected === null ? null : cy.getElementById(String(view.selected));
    if (!at || at.empty()) {
      store.set({ selected: Number(cy.nodes()[0].id()), pair: null });
      return;
    }
    const here = at.position();
    let best = null;
    let least = Number.POSITIVE_INFINITY;
    cy.nodes().forEach((/** @type {any} */ node) => {
      const ahead = (node.position("x") - here.x) * dx + (node.position("y") - here.y) * dy;
      const aside = Math.abs((node.position("x") - here.x) * dy) + Math.abs((node.position("y") - here.y) * dx);
      const distance = ahead + 2.5 * aside;
      if (ahead > 1 && distance < least) [best, least] = [node, distance];
    });
    if (best) store.set({ selected: Number(/** @type {any} */ (best).id()), pair: null });
  }

  /** @param {number} factor */
  function zoom(factor) {
    cy?.zoom({ level: cy.zoom() * factor, renderedPosition: { x: container.clientWidth / 2, y: container.clientHeight / 2 } });
  }

  return {
    draw,
    redraw,
    mark,
    markKnown,
    step,
    zoom,
    fit,
    resize: () => cy?.resize(),
    recolour: () => layout && draw(layout),
    png: () => cy?.png({ output: "blob", full: true, scale: 2, bg: colourOf(container, "ground"), maxWidth: 6000, maxHeight: 6000 }),
    layout: () => layout,
  };
}

/**
 * The bends of an edge as weights along the line between its boxes, and distances from it.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {[number, number][]} bends
 */
function along(from, to, bends) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (bends.length === 0 || length === 0) return null;
  return {
    weights: bends.map(([x, y]) => ((x - from.x) * dx + (y - from.y) * dy) / length ** 2),
    distances: bends.map(([x, y]) => ((y - from.y) * dx - (x - from.x) * dy) / length),
  };
}
