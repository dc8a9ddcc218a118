// How the edges of a picture run, clear of the nodes that they do not join; and where their names stand: along the edges,
// clear of the nodes and of each other.

import { laidOut, scaled } from "./layout.js";

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // Parts of an edge at which its name can stand, best first.
const BESIDE = [0, -10, 10]; // Off the line.
const LOOPED = [[0, -44], [0, -58], [-32, -40], [32, -40], [0, -72]];
const BENDS = [0, 40, -40, 80, -80, 130, -130, 190, -190, 260, -260, 350, -350]; // Off the straight line, best first.
const PARTED = [52, 80, 120, 170, 230, 300, 26]; // The same for each of two edges between the same nodes.
const CLEAR = 15; // From the middle of a node to where its edges begin.
const NEAR = 4; // Left free between an edge and a name.
const SAMPLES = 48; // Points of an edge that are looked at.
const HALF = 8; // Of the height of a name.
const AROUND = 24; // Of an edge, to be seen beside its name.
const SIDE = 2; // Left free before and after a name.
const [NARROW, WIDER, MOST] = [620, 1.15, 2]; // Width to try first; the step to the next; how much wider than laid out.

/** Lays a graph out. `nodes` are as `laidOut` needs them, with `boxes` of what is drawn, relative to the node;
 *  `edges` have `width`, of their name, too. Gives the nodes with `x` and `y`; and the edges with `line` and `head`, how they
 *  are drawn, and `spot`, where the name stands, or null where there is no room. The picture is as small as leaves all names
 *  room, and no edge runs through a name, for it is shown the larger; where no size does, as comes nearest. */
export function arranged(nodes, edges) {
  const placed = laidOut(nodes, edges);
  const xs = placed.map((node) => node.x);
  let best = null;
  for (let factor = Math.min(1, NARROW / (Math.max(...xs) - Math.min(...xs) || 1)); factor < MOST; factor *= WIDER) {
    const tried = scaled(placed, factor);
    const found = named(tried, edges);
    const left = found.filter((edge) => !edge.spot).length + found.filter((edge) => edge.hidden).length / 2 + 4 * found.reduce((sum, edge) => sum + edge.through, 0);
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
    spots.set(edge, { ...edge, line: course.line, head: course.head, through: course.through, hidden: course.long < edge.width + AROUND, spot });
  }
  return edges.map((edge) => spots.get(edge));
}

/** The line of an edge, its head, where its name can stand, and through how many nodes it runs that it does not join. */
function courseOf(edge, byId, straight) {
  const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
  const others = [...byId.values()].filter((node) => node !== from && node !== to);
  if (from === to) return loop(from, others);
  let best = null;
  for (const bend of straight.has(JSON.stringify([edge.to, edge.from])) ? PARTED : BENDS) {
    const curve = bent(from, to, bend);
    const points = Array.from({ length: SAMPLES }, (_, place) => curve((place + 0.5) / SAMPLES));
    const through = others.filter((node) => points.some((point) => within(node, point, NEAR))).length;
    if (!best || through < best.through) best = { curve, through };
    if (through === 0) break;
  }
  const { start, turn, end } = between(from, to, best.curve);
  const [hx, hy] = [end.x - turn.x, end.y - turn.y];
  const length = Math.hypot(hx, hy) || 1;
  return {
    line: `M${start.x} ${start.y}Q${turn.x} ${turn.y} ${end.x} ${end.y}`,
    head: `translate(${end.x + (hx / length) * 3} ${end.y + (hy / length) * 3}) rotate(${(Math.atan2(hy, hx) * 180) / Math.PI})`,
    spots: BESIDE.flatMap((off) => ALONG.map((part) => {
      const { x, y } = quadratic(start, turn, end, part);
      const towards = (axis) => (1 - part) * (turn[axis] - start[axis]) + part * (end[axis] - turn[axis]);
      const steep = Math.hypot(towards("x"), towards("y")) || 1;
      return { x: x - (towards("y") / steep) * off, y: y + (towards("x") / steep) * off, angle: upright(towards("x"), towards("y")) };
    })),
    through: best.through,
    long: Math.hypot(end.x - start.x, end.y - start.y),
  };
}

/** The points from the middle of one node to that of another, by the part of the way. */
function bent(from, to, bend) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const turn = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  return Object.assign((part) => quadratic(from, turn, to, part), { turn });
}

function quadratic(start, turn, end, part) {
  const at = (axis) => (1 - part) ** 2 * start[axis] + 2 * part * (1 - part) * turn[axis] + part ** 2 * end[axis];
  return { x: at("x"), y: at("y") };
}

/** The part of a curve that is outside of the two nodes that it joins, with their names. */
function between(from, to, curve) {
  const parts = Array.from({ length: 90 }, (_, place) => place / 200);
  const isOn = (node, part) => {
    const point = curve(part);
    return Math.hypot(point.x - node.x, point.y - node.y) < CLEAR || within(node, point, NEAR);
  };
  const first = parts.findLast((part) => isOn(from, part)) + 1 / 200;
  const last = 1 - 1 / 200 - parts.findLast((part) => isOn(to, 1 - part));
  const turned = (axis) => (1 - first) * (1 - last) * from[axis] + (first * (1 - last) + last * (1 - first)) * curve.turn[axis] + first * last * to[axis];
  return { start: curve(first), turn: { x: turned("x"), y: turned("y") }, end: curve(last) };
}

/** Whether a point is on the mark or the name of a node, or as near as `margin`. */
function within(node, { x, y }, margin) {
  return node.boxes.some((each) =>
    Math.abs(x - node.x - each.x) < each.wide + margin && Math.abs(y - node.y - each.y) < each.high + margin);
}

/** The same for an edge from a node to itself: above it, else beside it. */
function loop(node, others) {
  let best = null;
  for (const turn of [0, Math.PI / 4, -Math.PI / 4, Math.PI / 2, -Math.PI / 2]) {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const at = ([dx, dy]) => ({ x: node.x + dx * cos - dy * sin, y: node.y + dx * sin + dy * cos });
    const [a, b, c, d] = [[-8, -10], [-34, -52], [34, -52], [8, -10]].map(at);
    const around = [[-17, -30], [-13, -36], [0, -42], [13, -36], [17, -30]].map(at);
    const through = others.filter((other) => around.some((point) => within(other, point, NEAR))).length;
    if (!best || through < best.through) best = { line: `M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`, head: null, through, long: Infinity, spots: LOOPED.map((each) => ({ ...at(each), angle: 0 })) };
    if (through === 0) break;
  }
  return best;
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
