// @ts-check
// Three ways to ask: a server, the contents of a page, and a notebook.

/** @typedef {import("./contract.js").Api} Api */

/** @returns {Api} */
export function served() {
  return {
    kind: "server",
    async call(name, given = {}) {
      const answer = await fetch(`api/${name}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(given),
      });
      const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
      const value = isJson ? await answer.json() : { error: await answer.text() };
      if (!answer.ok) throw new Error(value.error);
      return value;
    },
    listen(heard, lost) {
      const events = new EventSource("events");
      events.onmessage = (message) => heard(JSON.parse(message.data));
      events.onerror = lost;
    },
  };
}

/**
 * The answers are in the page.
 * @param {Record<string, any>} contents the answers by the name of the call
 * @returns {Api}
 */
export function embedded(contents) {
  return {
    kind: "embedded",
    async call(name, given = {}) {
      if (name === "layout") return nearby(contents.state, given);
      if (name === "effects" && contents.effects) return contents.effects[/** @type {any} */ (given).x];
      if (!(name in contents)) throw new Error("This page has no server. Run credenet explore for this.");
      return contents[name];
    },
    listen() {},
  };
}

/**
 * @param {any} model the model of a widget
 * @returns {Api}
 */
export function inNotebook(model) {
  const waiting = new Map();
  let number = 0;
  model.on("msg:custom", (/** @type {any} */ message) => {
    const { resolve, reject } = waiting.get(message.number) ?? {};
    waiting.delete(message.number);
    if (message.error) reject?.(new Error(message.error));
    else resolve?.(message.answer);
  });
  return {
    kind: "notebook",
    call(name, given = {}) {
      number += 1;
      model.send({ number, name, given });
      return new Promise((resolve, reject) => waiting.set(number, { resolve, reject }));
    },
    listen() {},
  };
}

/**
 * What is near a variable, where it is in the whole picture.
 * @param {import("./contract.js").ExplorerState} state
 * @param {any} given
 * @returns {import("./contract.js").GraphLayout}
 */
function nearby(state, { focus, depth, threshold }) {
  const near = new Set([focus]);
  for (let step = 0; step < depth; step += 1) {
    const last = new Set(near);
    for (const { a, b, shares } of state.pairs) {
      if (shares && shares.joined < threshold) continue;
      if (last.has(a)) near.add(b);
      if (last.has(b)) near.add(a);
    }
  }
  const scale = state.layout.style === "force" ? 3 : 1;
  const boxes = state.layout.boxes.filter((box) => near.has(box.variable));
  return {
    style: "layered",
    boxes: boxes.map((box) => ({
      ...box,
      x: box.x * scale,
      y: box.y * scale,
      width: Math.max(box.width, 8 * state.variables[box.variable].name.length + 16),
      height: 26,
    })),
    lines: state.layout.lines.filter((line) => near.has(line.a) && near.has(line.b)),
  };
}
