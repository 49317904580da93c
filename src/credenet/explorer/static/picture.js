// @ts-check
// A graph as SVG, for files and for comparisons.
import { s } from "./dom.js";

/**
 * @typedef {{a: number, b: number, directed: boolean, colour: string, width: number, dashed?: boolean}} Edge
 * @typedef {{text: string, box: string, border: string}} Colours
 */

/**
 * @param {import("./contract.js").GraphLayout} layout
 * @param {import("./contract.js").Variable[]} variables
 * @param {Edge[]} edges
 * @param {Colours} colours
 * @param {string} title
 * @returns {SVGSVGElement}
 */
export function graphPicture(layout, variables, edges, colours, title) {
  const centre = new Map(layout.boxes.map((box) => [box.variable, box]));
  const ways = new Map(layout.lines.map((line) => [`${line.a}-${line.b}`, line.bends]));
  const inside = edges.filter((edge) => centre.has(edge.a) && centre.has(edge.b));
  const lines = inside.flatMap((edge) => {
    const bends = ways.get(`${edge.a}-${edge.b}`) ?? [...(ways.get(`${edge.b}-${edge.a}`) ?? [])].reverse();
    return line(edge, /** @type {any} */ (centre.get(edge.a)), /** @type {any} */ (centre.get(edge.b)), bends);
  });
  const boxes = layout.boxes.flatMap((box) => {
    const isDot = layout.style === "force";
    const frame = { fill: colours.box, stroke: colours.border };
    return [
      s("rect", {
        x: box.x - box.width / 2,
        y: box.y - box.height / 2,
        width: box.width,
        height: box.height,
        rx: isDot ? box.width / 2 : 5,
        ...frame,
      }),
      s(
        "text",
        { x: box.x, y: box.y + (isDot ? 18 : 4.5), "text-anchor": "middle", fill: colours.text },
        variables[box.variable].name,
      ),
    ];
  });
  const [left, top, right, bottom] = bounds(layout);
  const size = { width: right - left, height: bottom - top };
  return s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `${left} ${top} ${size.width} ${size.height}`,
      ...size,
      "font-family": "system-ui, sans-serif",
      "font-size": 13,
      role: "img",
      "aria-label": title,
    },
    s("title", {}, title),
    ...lines,
    ...boxes,
  );
}

/** @param {import("./contract.js").GraphLayout} layout */
function bounds(layout) {
  const points = [
    ...layout.boxes.flatMap(({ x, y, width, height }) => [
      [x - width / 2, y - height / 2],
      [x + width / 2, y + height / 2],
    ]),
    ...layout.lines.flatMap(({ bends }) => bends),
  ];
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return [Math.min(...xs) - 20, Math.min(...ys) - 20, Math.max(...xs) + 20, Math.max(...ys) + 20];
}

/**
 * @param {Edge} edge
 * @param {import("./contract.js").Box} tail
 * @param {import("./contract.js").Box} head
 * @param {[number, number][]} bends
 */
function line(edge, tail, head, bends) {
  const first = bends[0] ?? [head.x, head.y];
  const last = bends[bends.length - 1] ?? [tail.x, tail.y];
  const start = border(tail, first);
  const end = border(head, last);
  const points = [start, ...bends, end];
  const shapes = [
    s("polyline", {
      points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
      fill: "none",
      stroke: edge.colour,
      "stroke-width": edge.width.toFixed(2),
      "stroke-linejoin": "round",
      "stroke-dasharray": edge.dashed ? "6 4" : null,
    }),
  ];
  if (edge.directed) {
    const [x, y] = end;
    const from = points[points.length - 2];
    const angle = Math.atan2(y - from[1], x - from[0]);
    const size = 7 + edge.width;
    const corners = [-0.4, 0.4].map((turn) => [x - size * Math.cos(angle + turn), y - size * Math.sin(angle + turn)]);
    const tip = [[x, y], ...corners].map((point) => point.map((value) => value.toFixed(1)).join(","));
    shapes.push(s("polygon", { points: tip.join(" "), fill: edge.colour }));
  }
  return shapes;
}

/**
 * Where a line from the centre of a box towards a point leaves the box.
 * @param {import("./contract.js").Box} box
 * @param {number[]} towards
 * @returns {[number, number]}
 */
function border(box, [x, y]) {
  const [dx, dy] = [x - box.x, y - box.y];
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : box.height / 2 / Math.abs(dy),
    1,
  );
  return [box.x + dx * scale, box.y + dy * scale];
}
