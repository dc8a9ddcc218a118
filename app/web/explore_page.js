// The page that shows a graph node by node: search, neighbours, properties.

import { get, part, told } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { nodeCard } from "./explore_card.js";
import { GraphCanvas } from "./graph_canvas.js";
import { graphSelect } from "./graph_select.js";
import { icon } from "./icons.js";
import { labelColour, learnLabels } from "./label_colours.js";
import { schemaPicture } from "./schema_picture.js";
import { startShell, toast } from "./shell.js";
import { counted, labelWords, number, shownName } from "./words.js";

const FOUND = 20;
const FEW = 25; // Neighbours that are shown with a node that was searched.
const TYPED_MS = 200;

startShell();
const canvas = new GraphCanvas(byId("canvas"), (node) => (node ? reported(choose(node)) : clearCard()));
const hidden = new Set();
let graph = null;
let isSchema = false;
let asked = 0;

graphSelect(byId("graph"), open).catch((error) => toast(told(error)));
fill(byId("canvas-buttons"), [
  ["Zoom in", "plus", () => canvas.zoom(1.3)], ["Zoom out", "minus", () => canvas.zoom(1 / 1.3)], ["Show all", "fit", () => canvas.fit()],
  ["Show the schema", "schema", () => reported(schema())],
].map(([words, mark, act]) => element("button.button.quiet.icon.small", {
  type: "button", "aria-label": words, title: words, onclick: act, "data-zooms": mark !== "schema",
}, icon(mark))));
let timer = null;
byId("search").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => reported(search()), TYPED_MS);
});

/** Begins with the schema of a graph, or with the node that the address names. */
async function open(name, { node, label } = {}) {
  graph = name;
  hidden.clear();
  byId("search").value = "";
  await schema();
  if (node && label) await start({ id: node, label, name: node });
  else await search();
}

async function schema() {
  const found = await get(`/api/graphs/${part(graph)}/schema`);
  learnLabels(found.labels);
  canvas.clear();
  const drawn = schemaPicture(found.labels, found.relations, ({ label }) => reported(search(label)));
  inSchema(true);
  fill(byId("schema"), drawn ?? Object.keys(found.labels).map((label) =>
    element("button.button", { type: "button", onclick: () => reported(search(label)) }, labelWords(label))));
  said(`The schema of ${graph}: ${counted(Object.keys(found.labels).length, "label")}. Find a node to begin, or choose a label.`);
  clearCard();
  listed();
}

/** Either the schema is shown, or nodes. */
function inSchema(is) {
  isSchema = is;
  byId("schema").hidden = !is;
  for (const button of byId("canvas-buttons").querySelectorAll("[data-zooms]")) button.hidden = is;
}

async function search(label = null) {
  const mine = (asked += 1);
  if (!label && !byId("search").value.trim()) {
    fill(byId("found"), element("li.small.soft", {}, "Type a name, or choose a label in the picture."));
    return;
  }
  const given = new URLSearchParams({ search: byId("search").value.trim(), limit: FOUND, ...(label && { label }) });
  const found = await get(`/api/graphs/${part(graph)}/nodes?${given}`);
  if (mine !== asked) return;
  fill(byId("found"), found.length ? found.map((node) => nodeItem(node, () => reported(start(node)))) : element("li.small.soft", {}, "No node has this name."));
}

function nodeItem(node, act) {
  return element("li", {}, element("button.explore-node", { type: "button", onclick: act },
    element(`span.dot.label-${labelColour(node.label)}`), element("span", {}, shownName(node.name)), element("span.small.soft", {}, labelWords(node.label))));
}

/** Shows a node with some of its neighbours, beside what there is. */
async function start(node) {
  inSchema(false);
  const details = await detailsOf(node);
  canvas.add([{ id: node.id, name: details.name, label: details.label }], []);
  const few = details.relations.reduce((sum, each) => sum + each.count, 0) <= FEW;
  await show(details);
  if (few) await expand(details, {});
  else said(`${shownName(details.name)} has many neighbours: expand a relation to see them.`);
}

async function choose(node) {
  return show(await detailsOf(node));
}

function detailsOf({ id, label }) {
  return get(`/api/graphs/${part(graph)}/node?${new URLSearchParams({ id, label })}`);
}

async function show(details) {
  canvas.choose(details.id);
  history.replaceState(null, "", `#${new URLSearchParams({ graph, node: details.id, label: details.label })}`);
  fill(byId("card"), nodeCard(graph, details, {
    expand: (relation) => reported(expand(details, relation)),
    isPinned: canvas.isPinned(details.id), pin: (pinned) => canvas.pin(details.id, pinned),
    remove: () => {
      canvas.remove(details.id);
      clearCard();
      listed();
    },
  }));
  listed();
}

/** Adds neighbours: of one relation, or all; `skip` leaves out those that are shown already. */
async function expand(details, { relation, outgoing, label, skip = 0 }) {
  const given = Object.entries({ id: details.id, of: details.label, relation, outgoing, label, skip }).filter(([, value]) => value !== undefined && value !== null);
  const found = await get(`/api/graphs/${part(graph)}/neighbours?${new URLSearchParams(given)}`);
  const fresh = canvas.add(found.nodes, found.edges, details.id);
  canvas.filter(hidden);
  said(`${counted(fresh, "new node")}${found.more ? "; there are more: expand again" : ""}. ${counted(canvas.nodes.length, "node")} in the picture.`);
  listed();
  return { shown: skip + found.edges.length, more: found.more };
}

/** The nodes and labels of the picture as lists. */
function listed() {
  const nodes = isSchema ? [] : canvas.nodes;
  const labels = new Map();
  for (const { label } of nodes) labels.set(label, (labels.get(label) ?? 0) + 1);
  const box = byId("labels");
  box.hidden = labels.size < 2;
  fill(box, element("legend.label", {}, "Labels"), [...labels].map(([label, count]) => {
    const shown = element("input", { type: "checkbox", checked: !hidden.has(label) });
    shown.addEventListener("change", () => {
      hidden[shown.checked ? "delete" : "add"](label);
      canvas.filter(hidden);
    });
    return element("label", {}, shown, element(`span.dot.label-${labelColour(label)}`), `${labelWords(label)} `, element("span.soft", {}, number(count)));
  }));
  byId("shown-box").hidden = nodes.length === 0;
  fill(byId("shown"), nodes.slice(0, 200).map((node) => nodeItem(node, () => reported(choose(node)))));
}

function clearCard() {
  fill(byId("card"));
}

function said(text) {
  byId("note").textContent = text;
}

async function reported(work) {
  try {
    return await work;
  } catch (error) {
    toast(told(error));
    return null;
  }
}
