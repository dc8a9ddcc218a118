// A force layout for small graphs: the same graph always lies the same way.
//
// Nodes push each other apart as boxes as wide as their names, edges pull, and each node is drawn to a column by how many
// hops it is from where the question starts, so that paths read from left to right.

const STEPS = 320;
const COLUMN = 190;
const ROW = 62;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Gives every node `x` and `y`. `nodes` have `id`, `width` and `role`; `edges` have `from` and `to`. */
export function laidOut(nodes, edges) {
  const at = new Map(nodes.map((node, place) => [node.id, place]));
  const links = edges.map((edge) => [at.get(edge.from), at.get(edge.to)]).filter(([a, b]) => a !== b);
  const depths = depthsOf(nodes, links);
  const column = new Map();
  const points = nodes.map((node, place) => {
    const depth = depths[place];
    const row = column.get(depth) ?? 0;
    column.set(depth, row + 1);
    const side = row % 2 ? 1 : -1;
    return {
      x: depth * COLUMN + Math.cos(place * GOLDEN) * 12,
      y: side * Math.ceil(row / 2) * ROW + Math.sin(place * GOLDEN) * 6,
      half: Math.max(node.width, 36) / 2 + 10,
    };
  });
  for (let step = 0; step < STEPS; step += 1) moved(points, links, depths, 1 - step / STEPS);
  apart(points);
  return nodes.map((node, place) => ({ ...node, x: points[place].x, y: points[place].y }));
}

/** Hops from the topics; where there are none, from the node with the most edges. */
function depthsOf(nodes, links) {
  const beside = nodes.map(() => []);
  for (const [a, b] of links) {
    beside[a].push(b);
    beside[b].push(a);
  }
  const depths = nodes.map(() => -1);
  const topics = nodes.flatMap((node, place) => (node.role === "topic" ? [place] : []));
  const widest = beside.reduce((best, each, place) => (each.length > beside[best].length ? place : best), 0);
  let reached = topics.length ? topics : nodes.length ? [widest] : [];
  for (let start = 0; start <= nodes.length; start += 1) {
    for (let depth = 0; reached.length; depth += 1) {
      for (const place of reached) depths[place] = depth;
      reached = [...new Set(reached.flatMap((place) => beside[place]))].filter((place) => depths[place] < 0);
    }
    const next = depths.indexOf(-1);
    if (next < 0) break;
    reached = [next];
  }
  return depths;
}

function moved(points, links, depths, heat) {
  const forces = points.map(() => ({ x: 0, y: 0 }));
  points.forEach((a, i) => {
    for (let j = i + 1; j < points.length; j += 1) {
      const b = points[j];
      const [dx, dy] = [a.x - b.x, (a.y - b.y) * 1.6];
      const square = Math.max(dx * dx + dy * dy, 1);
      const push = Math.min(9000 / square, 30) / Math.sqrt(square);
      forces[i].x += dx * push * 0.6;
      forces[i].y += dy * push;
      forces[j].x -= dx * push * 0.6;
      forces[j].y -= dy * push;
    }
  });
  for (const [i, j] of links) {
    const [a, b] = [points[i], points[j]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.max(Math.hypot(dx, dy), 1);
    const pull = ((length - COLUMN * 0.8) / length) * 0.035;
    forces[i].x += dx * pull;
    forces[i].y += dy * pull;
    forces[j].x -= dx * pull;
    forces[j].y -= dy * pull;
  }
  points.forEach((point, i) => {
    const most = 26 * heat + 1;
    forces[i].x += (depths[i] * COLUMN - point.x) * 0.08;
    forces[i].y += -point.y * 0.012;
    point.x += Math.max(-most, Math.min(most, forces[i].x));
    point.y += Math.max(-most, Math.min(most, forces[i].y));
  });
}

/** Moves names that still overlap up and down. */
function apart(points) {
  for (let round = 0; round < 40; round += 1) {
    let still = true;
    points.forEach((a, i) => {
      for (let j = i + 1; j < points.length; j += 1) {
        const b = points[j];
        const [wide, high] = [a.half + b.half - Math.abs(a.x - b.x), 50 - Math.abs(a.y - b.y)];
        if (wide <= 0 || high <= 0) continue;
        const shift = (a.y <= b.y ? -high : high) / 2;
        a.y += shift;
        b.y -= shift;
        still = false;
      }
    });
    if (still) return;
  }
}
