// How the edges of a picture run, and where their names stand: along the edges, clear of the nodes and of each other.

import { laidOut, scaled } from "./layout.js";

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // Parts of an edge at which its name can stand, best first.
const BESIDE = [0, -10, 10]; // Off the line.
const LOOPED = [[0, -44], [0, -58], [-32, -40], [32, -40], [0, -72]];
const BEND = 26; // Of each of two edges between the same nodes.
const CLEAR = 15; // From the middle of a node to where its edges begin.
const HALF = 8; // Of the height of a name.
const SIDE = 2; // Left free before and after a name.
const [NARROW, WIDER, MOST] = [620, 1.15, 1.4]; // Width to try first; the step to the next; how much wider than laid out.

/** Lays a graph out. `nodes` are as `laidOut` needs them, with `boxes` of what is drawn, relative to the node;
 *  `edges` have `width`, of their name, too. Gives the nodes with `x` and `y`; and the edges with `line` and `head`, how they
 *  are drawn, and `spot`, where the name stands, or null where there is no room. The picture is as small as leaves all names
 *  room, for it is shown the larger; where no size does, as leaves most. */
export function arranged(nodes, edges) {
  const placed = laidOut(nodes, edges);
  const xs = placed.map((node) => node.x);
  let best = null;
  for (let factor = Math.min(1, NARROW / (Math.max(...xs) - Math.min(...xs) || 1)); factor < MOST; factor *= WIDER) {
    const tried = scaled(placed, factor);
    const found = named(tried, edges);
    const left = found.filter((edge) => !edge.spot).length;
    if (!best || left < best.left) best = { nodes: tried, edges: found, left };
    if (left === 0) break;
  }
  return best;
}

function named(nodes, edges) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const straight = new Set(edges.map((edge) => JSON.stringify([edge.from, edge.to])));
  const taken = nodes.flatMap((node) => node.boxes.map((each) => box(node.x + each.x, node.y + each.y, each.wide, each.high)));
  const spots = new Map();
  for (const edge of [...edges].sort((a, b) => b.lit - a.lit)) {
    const course = courseOf(edge, byId, straight);
    const spot = course.spots.find(({ x, y, angle }) => !taken.some((each) => touch(each, box(x, y, edge.width / 2 + SIDE, HALF, angle)))) ?? null;
    if (spot) taken.push(box(spot.x, spot.y, edge.width / 2 + SIDE, HALF, spot.angle));
    spots.set(edge, { ...edge, line: course.line, head: course.head, spot });
  }
  return edges.map((edge) => spots.get(edge));
}

/** The line of an edge, its head, and where its name can stand. */
function courseOf(edge, byId, straight) {
  const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
  if (from === to) return loop(from);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const [ux, uy] = [dx / length, dy / length];
  const bend = straight.has(JSON.stringify([edge.to, edge.from])) ? 2 * BEND : 0;
  const start = { x: from.x + ux * CLEAR, y: from.y + uy * CLEAR };
  const end = { x: to.x - ux * CLEAR, y: to.y - uy * CLEAR };
  const turn = { x: (from.x + to.x) / 2 - uy * bend, y: (from.y + to.y) / 2 + ux * bend };
  const spots = BESIDE.flatMap((off) => ALONG.map((part) => {
    const at = (axis) => (1 - part) ** 2 * start[axis] + 2 * part * (1 - part) * turn[axis] + part ** 2 * end[axis];
    const towards = (axis) => (1 - part) * (turn[axis] - start[axis]) + part * (end[axis] - turn[axis]);
    return { x: at("x") - uy * off, y: at("y") + ux * off, angle: upright(towards("x"), towards("y")) };
  }));
  return {
    line: `M${start.x} ${start.y}Q${turn.x} ${turn.y} ${end.x} ${end.y}`,
    head: `translate(${end.x + ux * 3} ${end.y + uy * 3}) rotate(${(Math.atan2(end.y - turn.y, end.x - turn.x) * 180) / Math.PI})`,
    spots,
  };
}

function loop({ x, y }) {
  return {
    line: `M${x - 8} ${y - 10}C${x - 34} ${y - 52} ${x + 34} ${y - 52} ${x + 8} ${y - 10}`,
    head: null,
    spots: LOOPED.map(([dx, dy]) => ({ x: x + dx, y: y + dy, angle: 0 })),
  };
}

/** The angle of an edge, so that what is written along it does not stand on its head. */
function upright(dx, dy) {
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  return angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle;
}

/** A rectangle by its middle and half its sides, turned by an angle in degrees. */
function box(x, y, wide, high, angle = 0) {
  const turned = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
  return { x, y, across: { x: cos * wide, y: sin * wide }, up: { x: -sin * high, y: cos * high }, axes: [{ x: cos, y: sin }, { x: -sin, y: cos }] };
}

/** Whether two rectangles overlap: they do unless an axis of one of them parts them. */
function touch(a, b) {
  const along = (axis, each) => Math.abs(axis.x * each.x + axis.y * each.y);
  const extent = (axis, each) => along(axis, each.across) + along(axis, each.up);
  return [...a.axes, ...b.axes].every((axis) =>
    along(axis, { x: a.x - b.x, y: a.y - b.y }) < extent(axis, a) + extent(axis, b));
}
