// A force layout for small graphs: the same graph always lies the same way.
//
// Nodes push each other apart, and edges pull. Where something is asked about (nodes whose role is "topic"), each node is
// also drawn to a column by its hops from there, so that paths read from left to right; not where many would share a
// column: they lie around what they belong to. What is linked with nothing stands below. In the end, names that still
// overlap are moved apart.

const STEPS = 300;
const SWEEPS = 8; // Over the columns, to have few edges cross.
const ROW = 58;
const [LONE_WIDE, LONE_BELOW] = [300, 90]; // Of the rows of nodes that are linked with nothing.
const CLEAR = 46; // Between a node and an edge that passes it.
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const CROWDED = { star: 7, paths: 14 }; // Nodes of one column.
const LETTER = 5.6; // Of a relation's name.
const FLAT = 1.3; // Wide for high, at least.

/** Gives every node `x` and `y`. `nodes` have `id`, `role`, `width` and `height`; `edges` have `from`, `to`, `words`. */
export function laidOut(nodes, edges) {
  const at = new Map(nodes.map((node, place) => [node.id, place]));
  const links = edges.map((edge) => ({ a: at.get(edge.from), b: at.get(edge.to), words: edge.words })).filter(({ a, b }) => a !== b);
  const columns = columnsOf(nodes, links);
  const points = nodes.map((node, place) => ({
    x: columns ? columns[place].x : Math.cos(place * GOLDEN) * 60 * Math.sqrt(place + 1),
    y: columns ? columns[place].y : Math.sin(place * GOLDEN) * 45 * Math.sqrt(place + 1),
    home: columns ? columns[place].x : 0,
    ...roomOf(node),
  }));
  const many = Math.min(nodes.length, 24);
  const dense = Math.max(0, Math.min(1.5, links.length / nodes.length - 1));
  const forces = columns
    ? { home: 0.35, push: 9000, spring: 130, far: 4 }
    : { home: 0.006, push: 8000 + 1200 * many, spring: 110 + 3 * many + 80 * dense, far: 30 };
  const joined = new Set(links.flatMap(({ a, b }) => [points[a], points[b]]));
  const lone = columns || !joined.size ? [] : points.filter((point) => !joined.has(point));
  for (let step = 0; step < STEPS; step += 1) moved(points, links, forces, 1 - step / STEPS);
  flattened(points);
  inRows(lone, [...joined]);
  apart(points);
  return nodes.map((node, place) => ({ ...node, x: points[place].x, y: points[place].y }));
}

/** What `laidOut` gave, smaller or larger: names that would overlap are moved apart. */
export function scaled(nodes, factor) {
  const points = nodes.map((node) => ({ x: node.x * factor, y: node.y * factor, ...roomOf(node) }));
  apart(points);
  return nodes.map((node, place) => ({ ...node, x: points[place].x, y: points[place].y }));
}

/** Half of what a node takes, with a margin. */
function roomOf({ width, height }) {
  return { wide: width / 2 + 9, high: height / 2 + 5 };
}

/** Where each node begins, in its column; null where there are none. */
function columnsOf(nodes, links) {
  if (!nodes.some((node) => node.role === "topic")) return null;
  const depths = depthsOf(nodes, links);
  const crowd = Math.max(...depths.map((depth) => depths.filter((each) => each === depth).length));
  if (crowd > (Math.max(...depths) > 1 ? CROWDED.paths : CROWDED.star)) return null;
  const starts = [0];
  const widest = (depth, of) => Math.max(0, ...nodes.filter((_, place) => depths[place] === depth).map(of));
  for (let depth = 1; depth <= Math.max(...depths); depth += 1) {
    const names = (widest(depth - 1, (node) => node.width) + widest(depth, (node) => node.width)) / 2;
    const between = links.filter(({ a, b }) => Math.min(depths[a], depths[b]) === depth - 1 && depths[a] !== depths[b]);
    const words = Math.max(0, ...between.map((link) => link.words.length * LETTER));
    starts.push(starts[depth - 1] + Math.min(names * 0.65 + words + 44, 320));
  }
  const rows = rowsOf(nodes, links, depths);
  return depths.map((depth, place) => ({ x: starts[depth], y: rows[place] * ROW }));
}

/** The row of each node in its column, around 0: each near to those that it is linked with in the columns beside. */
function rowsOf(nodes, links, depths) {
  const beside = besideOf(nodes, links);
  const rows = nodes.map(() => 0);
  const columns = [];
  depths.forEach((depth, place) => (columns[depth] ??= []).push(place));
  const settle = (column, side) => {
    const middle = new Map(column.map((place) => {
      const linked = beside[place].filter((each) => depths[each] === depths[place] + side);
      return [place, linked.length ? linked.reduce((sum, each) => sum + rows[each], 0) / linked.length : rows[place]];
    }));
    column.sort((a, b) => middle.get(a) - middle.get(b) || a - b);
    column.forEach((place, row) => (rows[place] = row - (column.length - 1) / 2));
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of columns) settle(column, -1);
    for (const column of [...columns].reverse()) settle(column, 1);
  }
  return rows;
}

function besideOf(nodes, links) {
  const beside = nodes.map(() => []);
  for (const { a, b } of links) {
    beside[a].push(b);
    beside[b].push(a);
  }
  return beside;
}

/** Hops from the topics; what they do not reach begins a column of its own. */
function depthsOf(nodes, links) {
  const beside = besideOf(nodes, links);
  const depths = nodes.map(() => -1);
  let reached = nodes.flatMap((node, place) => (node.role === "topic" ? [place] : []));
  while (reached.length) {
    for (let depth = 0; reached.length; depth += 1) {
      for (const place of reached) depths[place] = depth;
      reached = [...new Set(reached.flatMap((place) => beside[place]))].filter((place) => depths[place] < 0);
    }
    const next = depths.indexOf(-1);
    reached = next < 0 ? [] : [next];
  }
  return depths;
}

/** One step. `home`, `push`: how strongly a node is drawn to where it belongs, and pushed by others; `spring`: how long edges
 *  would be; `far`: how far a node may go at first, `heat`: what is left of that, from 1 to 0. */
function moved(points, links, { home, push, spring, far }, heat) {
  const forces = points.map((point) => ({ x: (point.home - point.x) * home, y: -point.y * 0.01 }));
  const between = (i, j, x, y) => {
    forces[i].x += x;
    forces[i].y += y;
    forces[j].x -= x;
    forces[j].y -= y;
  };
  points.forEach((a, i) => {
    for (let j = i + 1; j < points.length; j += 1) {
      const [dx, dy] = [(a.x - points[j].x) * 0.7 || 0.1, a.y - points[j].y || (i - j) * 0.1];
      const strength = Math.min(push / (dx * dx + dy * dy), 40) / Math.hypot(dx, dy);
      between(i, j, dx * strength, dy * strength);
    }
  });
  for (const { a, b } of links) {
    const [dx, dy] = [points[b].x - points[a].x, points[b].y - points[a].y];
    const length = Math.max(Math.hypot(dx, dy), 1);
    const pull = ((length - spring) / length) * 0.05;
    between(a, b, dx * pull, dy * pull);
    for (let i = 0; i < points.length; i += 1) if (i !== a && i !== b) passed(points[i], forces[i], points[a], dx, dy);
  }
  const most = far * heat + 1;
  points.forEach((point, i) => {
    point.x += Math.max(-most, Math.min(most, forces[i].x));
    point.y += Math.max(-most, Math.min(most, forces[i].y));
  });
}

/** Pushes a point off an edge that begins at `start` and goes by (dx, dy). */
function passed(point, force, start, dx, dy) {
  const square = dx * dx + dy * dy;
  const along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / (square || 1);
  if (along < 0.05 || along > 0.95) return;
  const [ox, oy] = [point.x - start.x - along * dx, point.y - start.y - along * dy];
  const off = Math.hypot(ox, oy);
  if (off >= CLEAR) return;
  const [ux, uy] = off > 0.5 ? [ox / off, oy / off] : [-dy / Math.sqrt(square), dx / Math.sqrt(square)];
  force.x += ux * (CLEAR - off) * 0.3;
  force.y += uy * (CLEAR - off) * 0.3;
}

/** Puts nodes that are linked with nothing below the others, for they would drift far off. */
function inRows(lone, others) {
  if (!lone.length) return;
  const left = Math.min(...others.map(({ x }) => x));
  const right = Math.max(...others.map(({ x }) => x), left + LONE_WIDE);
  let [x, y] = [left, Math.max(...others.map((point) => point.y)) + LONE_BELOW];
  for (const point of lone) {
    if (x > left && x + 2 * point.wide > right) [x, y] = [left, y + ROW];
    Object.assign(point, { x: x + point.wide, y });
    x += 2 * point.wide;
  }
}

/** What is higher than wide is pulled wider: pictures stand in wide frames. */
function flattened(points) {
  const extent = (of) => Math.max(...points.map(of)) - Math.min(...points.map(of));
  const [wide, high] = [extent((point) => point.x) || 1, extent((point) => point.y)];
  const factor = Math.max(1, Math.min(2, (high * FLAT) / wide));
  for (const point of points) point.x *= factor;
}

/** Moves names that overlap up and down. */
function apart(points) {
  for (let round = 0; round < 60; round += 1) {
    let still = true;
    points.forEach((a, i) => {
      for (let j = i + 1; j < points.length; j += 1) {
        const b = points[j];
        const [wide, high] = [a.wide + b.wide - Math.abs(a.x - b.x), a.high + b.high - Math.abs(a.y - b.y)];
        if (wide <= 0 || high <= 0.5) continue;
        const shift = ((a.y <= b.y ? -1 : 1) * high) / 2;
        a.y += shift;
        b.y -= shift;
        still = false;
      }
    });
    if (still) return;
  }
}
