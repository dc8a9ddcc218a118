// A small graph as a picture: nodes coloured by label, relations named on their edges, the path to the answers lit.
//
// It is drawn anew for each graph, looked at by dragging, by the buttons, or by the keyboard: one node at a time has the
// focus, arrow keys go to the next one in that direction, plus and minus zoom, 0 shows all.

import { element, fill, svg } from "./dom.js";
import { arranged } from "./edge_names.js";
import { icon } from "./icons.js";
import { labelColours } from "./label_colours.js";
import { widthOf } from "./text_width.js";
import { counted, labelWords, shortened } from "./words.js";

const LINE = 20; // Letters of a name in one line; it has two at most.
const LETTER = 7;
const [NAME, ANSWER, RELATION] = ["500 12px", "700 12px", "500 10.5px"]; // As in picture.css.
const LINE_HIGH = 14;
const RADIUS = 9;
const MARGIN = 30;
const ZOOM = 1.3;

/** A figure for a graph (see `pictured`). `told` is called with a node when it is chosen. */
export function picture(graph, told = () => {}) {
  const colours = labelColours(graph.nodes);
  const given = graph.edges.map((edge) => ({ ...edge, width: widthOf(edge.words, RELATION) }));
  const { nodes, edges } = arranged(graph.nodes.map(sized), given);
  const drawing = svg("svg", {
    class: "picture-drawing", role: "group", "aria-label": summary(graph), preserveAspectRatio: "xMidYMid meet",
  });
  edges.sort((a, b) => a.lit - b.lit);
  const marks = nodes.map((node) => drawnNode(node, colours, told));
  drawing.append(svg("g", { "aria-hidden": "true" }, edges.map(drawnLine), edges.map(drawnName)), svg("g", {}, marks));
  const view = new View(drawing, nodes, edges);
  byKeyboard(drawing, nodes, marks, view);
  return element("figure.picture", {}, drawing, element("figcaption.picture-foot", {},
    legend(graph, colours), unnamed(edges), buttons(view)));
}

function summary(graph) {
  const answers = graph.nodes.filter((node) => node.role === "answer").length;
  const lit = answers ? `; ${counted(answers, "answer")} marked` : "";
  return `Picture of ${counted(graph.nodes.length, "node")} and ${counted(graph.edges.length, "relation")}${lit}. ` +
    "Arrow keys go from node to node.";
}

/** With the lines of its name, the room that it takes, and the boxes of its mark and its name. */
function sized(node) {
  const lines = inLines(node.name);
  const font = node.role === "answer" ? ANSWER : NAME;
  const width = Math.max(...lines.map((line) => widthOf(line, font)), 4 * LETTER);
  const [round, high] = [RADIUS + 5, (lines.length * LINE_HIGH) / 2 + 2];
  const boxes = [{ x: 0, y: 0, wide: round, high: round }, { x: 0, y: RADIUS + 5 + high, wide: width / 2 + 1, high }];
  return { ...node, lines, width, boxes, height: 2 * RADIUS + lines.length * LINE_HIGH + 14 };
}

function inLines(name) {
  if (name.length <= LINE) return [name];
  const space = name.lastIndexOf(" ", LINE);
  if (space < LINE / 3) return [shortened(name, LINE)];
  return [name.slice(0, space), shortened(name.slice(space + 1), LINE)];
}

function drawnNode(node, colours, told) {
  const says = `${node.name}, ${node.label}${node.role ? `, ${node.role}` : ""}`;
  const choose = () => told(node);
  const mark = svg("g", {
    class: `picture-node ${node.role}`, role: "button", tabindex: "-1", transform: `translate(${node.x} ${node.y})`,
    "aria-label": says,
    onclick: choose,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    },
  });
  mark.append(
    svg("rect", { class: "picture-reach", x: -node.width / 2, y: -RADIUS - 5, width: node.width, height: node.height }),
    ...(node.role ? [svg("circle", { class: "picture-ring", r: RADIUS + 4.5 })] : []),
    svg("circle", { class: `picture-dot label-${colours.get(node.label)}`, r: RADIUS }),
    svg("text", { class: "picture-letter", y: 3.6 }, [...node.label][0]?.toUpperCase() ?? ""),
    svg("text", { class: "picture-name" }, node.lines.map((line, row) =>
      svg("tspan", { x: 0, y: RADIUS + 18 + row * LINE_HIGH }, line))),
    svg("title", {}, says),
  );
  return mark;
}

/** The line of an edge, wide enough to be pointed at. */
function drawnLine({ line, head, words, lit }) {
  return svg("g", { class: classOf(lit) },
    svg("path", { class: "picture-line", d: line }),
    head && svg("path", { class: "picture-head", d: "M0 0-8-3.500-8 3.500Z", transform: head }),
    svg("path", { class: "picture-near", d: line }, svg("title", {}, words)));
}

/** The name of an edge; null where there is no room for it. */
function drawnName({ spot, words, lit }) {
  if (!spot) return null;
  const { x, y, angle } = spot;
  return svg("g", { class: classOf(lit) },
    svg("text", { class: "picture-relation", transform: `translate(${x} ${y}) rotate(${angle})`, y: 3 }, words));
}

function classOf(lit) {
  return lit ? "picture-edge lit" : "picture-edge";
}

/** How many names are hidden for lack of room. */
function unnamed(edges) {
  const count = edges.filter((edge) => !edge.spot).length;
  return count > 0 && element("p.picture-unnamed", {}, `${counted(count, "name of a relation is", "names of relations are")} hidden. Hover over a line to read its name.`);
}

/** Null where the nodes are the labels. */
function legend(graph, colours) {
  if (graph.nodes.every((node) => node.id === node.label)) return null;

  const items = [...colours].map(([label, colour]) =>
    element("li", {}, element(`span.dot.label-${colour}`), labelWords(label)));
  return element("ul.picture-legend", { "aria-label": "Labels" }, items);
}

function buttons(view) {
  const button = (name, mark, act) => element("button.button.quiet.icon.small",
    { type: "button", "aria-label": name, title: name, onclick: act }, icon(mark));
  return element("div.picture-buttons", {},
    button("Zoom in", "plus", () => view.zoom(1 / ZOOM)),
    button("Zoom out", "minus", () => view.zoom(ZOOM)),
    button("Show all", "fit", () => view.fit()));
}

/** The part of the picture that is seen. */
class View {
  constructor(drawing, nodes, edges) {
    this.drawing = drawing;
    const names = edges.filter((edge) => edge.spot).map(({ spot, width }) => ({ ...spot, width }));
    const xs = [...nodes, ...names].flatMap(({ x, width }) => [x - width / 2, x + width / 2]);
    const ys = [...nodes, ...names].map(({ y }) => y);
    const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
    this.all = { x: left, y: top, w: Math.max(...xs) + MARGIN - left, h: Math.max(...ys, ...nodes.map((node) => node.y + node.height)) + MARGIN - 14 - top };
    drawing.style.aspectRatio = Math.max(1.15, Math.min(2.3, this.all.w / this.all.h)).toFixed(3);
    this.fit();
    this.#byPointer();
  }

  fit() {
    const least = 380; // So that two nodes are not shown as giants.
    const { x, y, w, h } = this.all;
    const [wide, high] = [Math.max(w, least), Math.max(h, least / 2.3)];
    this.#show({ x: x - (wide - w) / 2, y: y - (high - h) / 2, w: wide, h: high });
  }

  zoom(factor, at = { x: this.seen.x + this.seen.w / 2, y: this.seen.y + this.seen.h / 2 }) {
    const w = this.seen.w * factor;
    if (w < 60 || w > this.all.w * 6 + 600) return;
    const { x, y, h } = this.seen;
    this.#show({ x: at.x - (at.x - x) * factor, y: at.y - (at.y - y) * factor, w, h: h * factor });
  }

  /** Moves what is seen so that a node is in it. */
  reveal(node) {
    const { x, y, w, h } = this.seen;
    const inside = node.x > x + 20 && node.x < x + w - 20 && node.y > y + 20 && node.y < y + h - 30;
    if (!inside) this.#show({ x: node.x - w / 2, y: node.y - h / 2, w, h });
  }

  #show(seen) {
    this.seen = seen;
    this.drawing.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
  }

  #byPointer() {
    const { drawing } = this;
    let held = null;
    drawing.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".picture-node")) return;
      held = { x: event.clientX, y: event.clientY, seen: this.seen };
      drawing.setPointerCapture(event.pointerId);
    });
    drawing.addEventListener("pointermove", (event) => {
      if (!held) return;
      const scale = this.#scale();
      const { x, y, w, h } = held.seen;
      this.#show({ x: x - (event.clientX - held.x) * scale, y: y - (event.clientY - held.y) * scale, w, h });
    });
    for (const name of ["pointerup", "pointercancel"]) drawing.addEventListener(name, () => (held = null));
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // Without a key, the wheel scrolls the page.
      event.preventDefault();
      const box = drawing.getBoundingClientRect();
      const scale = this.#scale();
      const middle = { x: this.seen.x + this.seen.w / 2, y: this.seen.y + this.seen.h / 2 };
      this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1, {
        x: middle.x + (event.clientX - box.x - box.width / 2) * scale,
        y: middle.y + (event.clientY - box.y - box.height / 2) * scale,
      });
    }, { passive: false });
  }

  /** Units of the picture for one pixel. */
  #scale() {
    const box = this.drawing.getBoundingClientRect();
    return Math.max(this.seen.w / box.width, this.seen.h / box.height);
  }
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function byKeyboard(drawing, nodes, marks, view) {
  const first = Math.max(0, nodes.findIndex((node) => node.role === "topic"));
  marks[first]?.setAttribute("tabindex", "0");
  const go = (place) => {
    for (const mark of marks) mark.setAttribute("tabindex", "-1");
    marks[place].setAttribute("tabindex", "0");
    view.reveal(nodes[place]);
    marks[place].focus();
  };
  drawing.addEventListener("keydown", (event) => {
    const here = marks.indexOf(event.target.closest(".picture-node"));
    if (event.key in DIRECTIONS && here >= 0) {
      const next = nearest(nodes, here, DIRECTIONS[event.key]);
      if (next !== null) go(next);
    } else if (event.key === "Home") go(0);
    else if (event.key === "End") go(nodes.length - 1);
    else if (event.key === "+" || event.key === "=") view.zoom(1 / ZOOM);
    else if (event.key === "-") view.zoom(ZOOM);
    else if (event.key === "0") view.fit();
    else return;
    event.preventDefault();
  });
}

function nearest(nodes, here, [ux, uy]) {
  let [best, least] = [null, Infinity];
  nodes.forEach((node, place) => {
    const [dx, dy] = [node.x - nodes[here].x, node.y - nodes[here].y];
    const along = dx * ux + dy * uy;
    const across = Math.abs(dx * uy) + Math.abs(dy * ux);
    if (place === here || along <= 0 || across > along * 3) return;
    if (along + across * 2 < least) [best, least] = [place, along + across * 2];
  });
  return best;
}

/** The nodes of a picture in words, for who does not see it. */
export function inWords(graph) {
  return element("ul.seen-by-readers", {}, graph.nodes.map((node) =>
    element("li", {}, `${node.name} (${node.label}): ${node.facts.join("; ")}`)));
}

/** What is said about the node that was chosen. */
export function nodeCard(place, node, ask) {
  return fill(place,
    element("p", {}, element("strong", {}, node.name), " ", element("span.tag", {}, labelWords(node.label))),
    element("ul.small.soft", {}, node.facts.slice(0, 6).map((fact) => element("li", {}, fact))),
    node.facts.length > 6 && element("p.small.soft", {}, `and ${counted(node.facts.length - 6, "more relation")}`),
    ask && element("button.button.small", { type: "button", onclick: () => ask(node.name) }, "Ask about it"));
}
