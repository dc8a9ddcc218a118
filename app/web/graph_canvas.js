// A picture of a graph that may be large: drawn by cytoscape.js, which the page loads. Wheel and pinch zoom, dragging moves.

import { labelColour } from "./label_colours.js";
import { laidOut, scaled } from "./layout.js";
import { widthOf } from "./text_width.js";
import { relationWords, shortened, shownName } from "./words.js";

const ARRANGED = 250; // Nodes up to which all of them are arranged anew; beyond, new ones lie around the one that they belong to.
const CLEAR = 60; // Nodes up to which no name covers another.
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const CLOSEST = 1.6; // So that a single node is not shown as a giant.
const NAME = 28;
const FONT = "500 11px";

export class GraphCanvas {
  /** `chosen(node)` is called with `{id, name, label}` of a node that is clicked, or null. */
  constructor(place, chosen) {
    this.cy = globalThis.cytoscape({
      container: place, style: styleOf(place), minZoom: 0.05, maxZoom: 4,
      hideEdgesOnViewport: true, textureOnViewport: false, pixelRatio: 1, boxSelectionEnabled: false,
    });
    this.cy.on("tap", "node", (event) => chosen(event.target.data("node")));
    this.cy.on("tap", (event) => event.target === this.cy && chosen(null));
    new ResizeObserver(() => {
      this.cy.resize();
      if (this.cy.nodes().length) this.fit();
    }).observe(place);
    new MutationObserver(() => this.cy.style(styleOf(place))).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  get nodes() {
    return this.cy.nodes().map((each) => each.data("node"));
  }

  has(id) {
    return this.cy.getElementById(id).length > 0;
  }

  /** Adds what is not there yet; new nodes lie around the node `from`. Gives how many nodes are new. */
  add(nodes, edges, from = null) {
    const fresh = nodes.filter((node) => !this.has(node.id));
    const middle = from && this.has(from) ? this.cy.getElementById(from).position() : { x: 0, y: 0 };
    const first = this.cy.nodes().length === 0;
    this.cy.batch(() => {
      this.cy.add(fresh.map((node, place) => ({
        group: "nodes", position: spiral(middle, place + (from ? 2 : 0)),
        data: { id: node.id, node, name: shortened(shownName(node.name), NAME), colour: `label-${labelColour(node.label)}` },
      })));
      for (const edge of edges) {
        const id = JSON.stringify([edge.source, edge.relation, edge.target]);
        if (this.has(edge.source) && this.has(edge.target) && !this.has(id)) {
          this.cy.add({ group: "edges", data: { id, source: edge.source, target: edge.target, name: edge.name ?? relationWords(edge.relation) } });
        }
      }
    });
    if (fresh.length) this.#arrange(first);
    return fresh.length;
  }

  remove(id) {
    this.cy.getElementById(id).remove();
  }

  clear() {
    this.cy.elements().remove();
  }

  /** Marks a node as the one that is looked at, and brings it into view. */
  choose(id) {
    this.cy.nodes().removeClass("chosen");
    const node = this.cy.getElementById(id).addClass("chosen");
    const { x1, y1, x2, y2 } = this.cy.extent();
    const at = node.length ? node.position() : null;
    if (at && !(at.x > x1 && at.x < x2 && at.y > y1 && at.y < y2)) this.cy.center(node);
  }

  isPinned(id) {
    return this.cy.getElementById(id).locked();
  }

  /** A pinned node stays where it is when others are arranged. */
  pin(id, pinned) {
    const node = this.cy.getElementById(id);
    if (pinned) node.addClass("pinned").lock();
    else node.removeClass("pinned").unlock();
  }

  /** Shows only nodes whose label is not among `hidden`. */
  filter(hidden) {
    this.cy.batch(() => this.cy.nodes().forEach((node) => node.style("display", hidden.has(node.data("node").label) ? "none" : "element")));
  }

  zoom(factor) {
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  fit() {
    this.cy.fit(undefined, 40);
    if (this.cy.zoom() <= CLOSEST) return;
    this.cy.zoom(CLOSEST);
    this.cy.center();
  }

  /** Pictures are as wide for their height as their place, so that they can be large in it. */
  #stretch() {
    const wide = stretchOf(this.cy.nodes().boundingBox(), this.cy.width() || 1, this.cy.height() || 1);
    this.cy.nodes(":unlocked").positions((node) => ({ x: node.position("x") * wide, y: node.position("y") / wide }));
  }

  /** Few nodes lie so that all of them can be told apart. */
  #lay() {
    const edges = this.cy.edges().map((each) => ({ from: each.data("source"), to: each.data("target"), words: each.data("name") }));
    this.#placed(laidOut(this.#sized(), edges));
  }

  /** Moves nodes whose names would overlap apart. */
  #part() {
    this.#placed(scaled(this.#sized(), 1));
  }

  #sized() {
    return this.cy.nodes().map((node) => ({ id: node.id(), ...node.position(), width: widthOf(node.data("name"), FONT), height: 44 }));
  }

  /** Pinned nodes stay where they are. */
  #placed(places) {
    for (const { id, x, y } of places) this.cy.getElementById(id).position({ x, y });
  }

  #arrange(fit) {
    const count = this.cy.nodes().length;
    if (count <= ARRANGED) {
      const isOne = this.cy.elements().components().length === 1;
      if (isOne && count <= CLEAR && !this.cy.nodes(":locked").length) this.#lay();
      else this.#pull(count);
      this.#stretch();
      this.#part();
    }
    if (fit || count <= ARRANGED) this.fit();
  }

  /** Many nodes, or several parts, or with pinned ones: edges pull, nodes push. */
  #pull(count) {
    this.cy.layout({
      name: "cose", animate: false, fit: false, randomize: false, nodeDimensionsIncludeLabels: true, componentSpacing: 30,
      idealEdgeLength: () => 50, nodeRepulsion: () => 5000, nodeOverlap: 20, gravity: 1.2, numIter: count > 100 ? 150 : 500,
    }).run();
  }
}

/** How the picture is stretched to the shape of its place. */
function stretchOf(box, width, height) {
  return Math.max(0.5, Math.min(2, Math.sqrt((width / height) * (box.h / (box.w || 1)))));
}

function spiral(middle, place) {
  const far = 46 * Math.sqrt(place + 1);
  return { x: middle.x + Math.cos(place * GOLDEN) * far, y: middle.y + Math.sin(place * GOLDEN) * far };
}

/** The style of the page's theme. */
function styleOf(place) {
  const given = getComputedStyle(place);
  const colour = (name) => given.getPropertyValue(name).trim();
  const text = { color: colour("--ink"), "font-family": "sans-serif", "text-outline-color": colour("--surface"), "text-outline-width": 2 };
  return [
    { selector: "node", style: {
      ...text, label: "data(name)", width: 22, height: 22, "font-size": 11, "text-valign": "bottom", "text-margin-y": 4,
      "min-zoomed-font-size": 4, "border-width": 2, "border-color": colour("--surface"),
      "background-color": (node) => colour(`--${node.data("colour")}`),
    } },
    { selector: "edge", style: {
      ...text, label: "data(name)", width: 1.25, "line-color": colour("--line-strong"), "target-arrow-color": colour("--line-strong"),
      "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "bezier", "font-size": 9, color: colour("--ink-soft"),
      "text-rotation": "autorotate", "text-wrap": "wrap", "min-zoomed-font-size": 5,
    } },
    { selector: "node.pinned", style: { shape: "round-rectangle" } },
    { selector: "node.chosen", style: { "border-width": 4, "border-color": colour("--thread") } },
  ];
}
