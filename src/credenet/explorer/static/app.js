// @ts-check
// The page: header, graph, and a panel of views that share one selection.
import { dataPanel } from "./data.js";
import { button, h, hint, put, refill } from "./dom.js";
import { effectsPanel } from "./effects.js";
import { evidencePanel } from "./evidence.js";
import { exportPanel } from "./exporting.js";
import { createGraph } from "./graph.js";
import { createInspector } from "./inspector.js";
import { knowledgePanel } from "./knowledge.js";
import { edgesPanel } from "./matrix.js";
import { networksPanel } from "./networks.js";
import { createStore, isUncertain, ownerOf, shownPairs } from "./state.js";

/** @typedef {import("./contract.js").Api} Api */

const MEANINGS = {
  wide: "joined in all of these networks",
  thin: "in half of them",
  dashed: "in fewer",
  sure: "arrow: direction determined",
  open: "data cannot tell the direction",
};
const MEANINGS_OF_ONE = {
  arrow: "arrow: all equivalent networks that obey the rules agree",
  thin: "no arrow: data cannot tell the direction",
};

/**
 * Builds the explorer in an element.
 * @param {HTMLElement} root
 * @param {Api} api
 */
export function start(root, api) {
  const store = createStore();
  const { view } = store;
  root.classList.add("cx", `cx-${api.kind}`);
  if (api.kind === "server") remember(store);

  const title = h("h1", {}, "credenet");
  const headline = h("p", { class: "cx-headline" });
  const notices = h("div", { class: "cx-notices", "aria-live": "polite" });
  const job = h("div", { class: "cx-job", hidden: true });
  const canvas = h("div", {
    class: "cx-canvas",
    tabindex: 0,
    role: "application",
    "aria-label": "The network. Arrow keys move between variables, Enter looks closer, Escape goes back, plus and minus zoom.",
    onkeydown: keyed,
  });
  const empty = h("div", { class: "cx-empty" }, h("div", { class: "cx-spinner" }), h("p", {}, "Loading …"));
  const toolbar = h("div", { class: "cx-toolbar" });
  const legend = h("p", { class: "cx-legend" });
  const inspector = h("div", { class: "cx-inspector", "aria-live": "polite" });
  const tabs = h("div", { class: "cx-tabs", role: "tablist", "aria-label": "Views", onkeydown: tabKeyed });
  const panel = h("div", { class: "cx-panel", role: "tabpanel", id: "cx-panel", tabindex: 0 });
  refill(
    root,
    h("header", { class: "cx-header" }, h("div", {}, title, headline), job),
    notices,
    h(
      "main",
      { class: "cx-main" },
      h("section", { class: "cx-left", "aria-label": "Network" }, toolbar, h("div", { class: "cx-stage" }, canvas, empty), legend, inspector),
      h("section", { class: "cx-right", "aria-label": "Views" }, tabs, panel),
    ),
  );

  const graph = createGraph(canvas, store);
  const history = { undo: () => change("undo"), redo: () => change("redo") };
  const knowledge = knowledgePanel(store, api, history);
  /** @type {Record<string, [string, {element: HTMLElement, update: () => any, keys: (keyof import("./state.js").View)[]}]>} */
  const views = {
    edges: ["Edges", edgesPanel(store)],
    networks: ["Networks", networksPanel(store, api)],
    evidence: ["Evidence", evidencePanel(store, api)],
    effects: ["Effects", effectsPanel(store, api)],
    knowledge: ["Knowledge", knowledge],
    data: ["Data", dataPanel(store, api)],
    export: ["Export", exportPanel(store, api, graph)],
  };
  createInspector(inspector, store, (kind, [a, b]) => {
    const { variables } = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    knowledge.addRule(kind, [variables[a].name, variables[b].name]);
    store.set({ tab: "knowledge" });
  });
  buildToolbar();
  buildTabs();
  new ResizeObserver(graph.resize).observe(canvas);

  for (const [name, [, part]] of Object.entries(views)) {
    store.watch(part.keys, () => view.tab === name && part.update());
  }
  store.watch(["tab"], showTab);
  store.watch(["threshold", "uncertain"], graph.redraw);
  store.watch(["selected", "pair"], graph.mark);
  store.watch(["evidence"], graph.markKnown);
  store.watch(["focus", "depth"], drawGraph);
  store.watch(["state"], drawState);
  store.watch(["job"], drawJob);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    graph.recolour();
    showTab();
  });

  let version = -1;
  let loading = Promise.resolve();
  const lost = notice("error", "The server does not answer. Start credenet explore again.");
  api.listen(
    (event) => {
      lost.remove();
      store.set({ job: event.job });
      load(event.version);
    },
    () => notices.append(lost),
  );
  load(0);

  /**
   * Loads a state as new as this; one that is asked for meanwhile comes after.
   * @param {number} wanted
   */
  function load(wanted) {
    loading = loading.then(async () => {
      if (version >= wanted) return;
      try {
        const state = await api.call("state");
        if (state.version === version) return;
        version = state.version;
        store.set({ state, job: state.job });
      } catch (error) {
        refill(empty, hint(/** @type {Error} */ (error).message));
      }
    });
  }

  /** @param {string} name */
  async function change(name) {
    try {
      await api.call(name);
      store.set({ draft: null });
    } catch (error) {
      put(notices, notice("error", /** @type {Error} */ (error).message));
    }
  }

  function drawState() {
    const state = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    document.title = root.closest(".cx-page") ? `${state.name} – credenet` : document.title;
    title.textContent = state.name;
    headline.textContent = state.headline;
    refill(notices, ...state.notices.map(({ level, text }) => notice(level, text)));
    const isOut = (/** @type {number | null} */ at) => at !== null && at >= state.variables.length;
    if (isOut(view.selected) || isOut(view.focus)) store.set({ selected: null, pair: null, focus: null });
    drawLegend();
    drawGraph();
    drawJob();
    showTab();
  }

  /** What lines mean. */
  function drawLegend() {
    const { share, kind: shown } = /** @type {import("./contract.js").ExplorerState} */ (view.state);
    const meanings = share ? MEANINGS : shown === "network" ? {} : MEANINGS_OF_ONE;
    const line = (/** @type {string} */ kind) => h("span", { class: `cx-line cx-line-${kind}`, "aria-hidden": "true" });
    refill(legend, ...Object.entries(meanings).map(([kind, text]) => h("span", {}, line(kind), text)));
  }

  async function drawGraph() {
    const { state, focus, depth, threshold } = view;
    if (!state) return;
    empty.hidden = state.kind !== "none";
    if (state.kind === "none") {
      refill(empty, ...(view.job ? [h("div", { class: "cx-spinner" }), h("p", {}, "Learning the first network …")] : [h("p", {}, "There is no network to show.")]));
    }
    drawFocus();
    const layout = focus === null ? state.layout : await api.call("layout", { focus, depth, threshold });
    if (focus !== view.focus || depth !== view.depth || state !== view.state) return;
    graph.draw(layout);
    root.dataset.drawn = state.kind; // for whoever waits for the picture
    root.dataset.boxes = String(layout.boxes.length);
    if (state.kind !== "none" && performance.getEntriesByName("cx-first-picture").length === 0) {
      requestAnimationFrame(() => performance.measure("cx-first-picture"));
    }
  }

  function drawJob() {
    const { job: running, state } = view;
    job.hidden = running === null && !state?.can_undo && !state?.can_redo;
    if (running === null) {
      refill(
        job,
        state?.can_undo ? button("Undo", history.undo, { class: "cx-small" }) : null,
        state?.can_redo ? button("Redo", history.redo, { class: "cx-small" }) : null,
      );
      return;
    }
    let bar = job.querySelector("progress");
    if (!bar) {
      bar = h("progress", { "aria-label": "Progress" });
      refill(job, h("span", { class: "cx-phase", role: "status" }), bar, button("Cancel", () => change("cancel"), { class: "cx-small cx-cancel" }));
    }
    const text = running.is_cancelled ? "Ending …" : `${running.what}: ${running.phase || "starting"}`;
    const phase = job.querySelector(".cx-phase");
    if (phase.textContent !== text) phase.textContent = text;
    if (running.total > 0 && running.done < running.total) {
      bar.max = running.total;
      bar.value = running.done;
    } else {
      bar.removeAttribute("value");
    }
  }

  /**
   * @param {string} level
   * @param {string} text
   */
  function notice(level, text) {
    return h("p", { class: `cx-notice cx-${level}`, role: level === "error" ? "alert" : null }, text);
  }

  function buildToolbar() {
    const output = h("output", {}, percentOf(view.threshold));
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 100,
      value: 100 * view.threshold,
      "aria-label": "Least share of the networks that join two variables",
      oninput: () => {
        output.textContent = `${slider.value} %`;
        store.set({ threshold: Number(slider.value) / 100 });
      },
    });
    const uncertain = h("input", { type: "checkbox", checked: view.uncertain, onchange: () => store.set({ uncertain: uncertain.checked }) });
    const find = h("input", {
      type: "search",
      class: "cx-find",
      list: "cx-names",
      placeholder: "find a variable",
      "aria-label": "Find a variable and select it",
      onchange: () => {
        const at = view.state?.variables.findIndex(({ name }) => name === find.value) ?? -1;
        if (at >= 0) store.set({ selected: at, pair: null });
      },
    });
    const names = h("datalist", { id: "cx-names" });
    store.watch(["state"], () => refill(names, ...(view.state?.variables ?? []).map(({ name }) => h("option", { value: name }))));
    const number = h("span", { class: "cx-hint" });
    const count = () => {
      const shown = shownPairs({ ...view, uncertain: false });
      const edges = `${shown.length} ${shown.length === 1 ? "edge" : "edges"}`;
      const { state } = view;
      number.textContent = state?.edges_of ? `${edges} of ${ownerOf(state)}` : `${edges}, ${shown.filter(isUncertain).length} uncertain`;
      for (const part of sure) part.hidden = !state?.share;
    };
    const sure = [
      h("label", { class: "cx-row" }, "Joined in at least ", slider, output),
      h("label", { class: "cx-row" }, uncertain, "only what is uncertain"),
    ];
    store.watch(["state", "threshold"], count);
    put(
      toolbar,
      ...sure,
      number,
      find,
      names,
      button("Fit", graph.fit, { class: "cx-small" }),
      h("span", { class: "cx-focus cx-row" }),
    );
  }

  function drawFocus() {
    const place = /** @type {HTMLElement} */ (toolbar.querySelector(".cx-focus"));
    const { state, focus } = view;
    if (!state || focus === null) return refill(place);
    const depth = h(
      "select",
      { "aria-label": "Edges away", onchange: () => store.set({ depth: Number(depth.value) }) },
      ...[1, 2, 3].map((value) => h("option", { value, selected: value === view.depth }, value)),
    );
    refill(
      place,
      `around ${state.variables[focus].name}, edges away `,
      depth,
      button("Whole network", () => store.set({ focus: null }), { class: "cx-small" }),
    );
  }

  function buildTabs() {
    for (const [name, [text]] of Object.entries(views)) {
      put(
        tabs,
        h("button", { type: "button", role: "tab", id: `cx-tab-${name}`, "aria-controls": "cx-panel", onclick: () => store.set({ tab: name }) }, text),
      );
    }
    showTab();
  }

  function showTab() {
    if (!(view.tab in views)) view.tab = "edges";
    for (const tab of tabs.children) {
      const isShown = tab.id === `cx-tab-${view.tab}`;
      tab.setAttribute("aria-selected", String(isShown));
      tab.setAttribute("tabindex", isShown ? "0" : "-1");
    }
    const [, part] = views[view.tab];
    panel.setAttribute("aria-labelledby", `cx-tab-${view.tab}`);
    if (panel.firstChild !== part.element) refill(panel, part.element);
    part.update();
  }

  /** @param {KeyboardEvent} event */
  function tabKeyed(event) {
    const names = Object.keys(views);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    store.set({ tab: names[(names.indexOf(view.tab) + by + names.length) % names.length] });
    /** @type {HTMLElement | null} */ (tabs.querySelector("[aria-selected=true]"))?.focus();
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => graph.step(-1, 0),
      ArrowRight: () => graph.step(1, 0),
      ArrowUp: () => graph.step(0, -1),
      ArrowDown: () => graph.step(0, 1),
      Enter: () => view.selected !== null && store.set({ focus: view.selected }),
      Escape: () => store.set(view.selected === null && view.pair === null ? { focus: null } : { selected: null, pair: null }),
      "+": () => graph.zoom(1.25),
      "-": () => graph.zoom(0.8),
      0: () => graph.fit(),
    };
    if (!(event.key in actions) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** @param {number} share */
function percentOf(share) {
  return `${Math.round(100 * share)} %`;
}

/**
 * Keeps what the user looks at in the address, so that it is there after a reload.
 * @param {import("./state.js").Store} store
 */
function remember(store) {
  const { view } = store;
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (/** @type {string} */ name) => (given.get(name) === null ? null : Number(given.get(name)));
  const threshold = number("threshold");
  if (threshold !== null && threshold >= 0 && threshold <= 1) view.threshold = threshold;
  view.uncertain = given.get("uncertain") === "1";
  view.selected = number("selected");
  view.focus = number("focus");
  view.depth = number("depth") ?? view.depth;
  view.tab = given.get("tab") ?? view.tab;
  try {
    view.evidence = JSON.parse(given.get("evidence") ?? "{}");
  } catch {
    view.evidence = {};
  }
  store.watch(["threshold", "uncertain", "selected", "focus", "depth", "tab", "evidence"], () => {
    const kept = new URLSearchParams({ threshold: String(view.threshold), tab: view.tab });
    if (view.uncertain) kept.set("uncertain", "1");
    for (const name of /** @type {const} */ (["selected", "focus"])) if (view[name] !== null) kept.set(name, String(view[name]));
    if (view.focus !== null) kept.set("depth", String(view.depth));
    if (Object.keys(view.evidence).length > 0) kept.set("evidence", JSON.stringify(view.evidence));
    globalThis.history.replaceState(null, "", `#${kept}`);
  });
}
