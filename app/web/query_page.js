// The page of queries: Cypher that only reads, with completion; rows as a table or a picture.

import { get, part, post, told } from "./api.js";
import { Completions } from "./completions.js";
import { byId, element, fill } from "./dom.js";
import { fault } from "./fault.js";
import { GraphCanvas } from "./graph_canvas.js";
import { graphSelect } from "./graph_select.js";
import { icon } from "./icons.js";
import { learnLabels } from "./label_colours.js";
import { startShell, toast } from "./shell.js";
import { counted, lasting, relationWords, shownName } from "./words.js";

startShell();
const field = byId("cypher");
const completions = new Completions(field, byId("completions"));
const place = byId("result");
const inWords = byId("question");
let graph = null;

graphSelect(byId("graph"), open).catch((error) => toast(told(error)));
byId("query-form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
byId("as-question").addEventListener("click", putInWords);
field.addEventListener("input", () => fill(inWords));
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    byId("query-form").requestSubmit();
  }
});

async function open(name, given = {}) {
  graph = name;
  fill(place);
  fill(inWords);
  try {
    const schema = await get(`/api/graphs/${part(name)}/schema`);
    learnLabels(schema.labels);
    completions.learn(schema);
    const [label] = Object.keys(schema.labels);
    field.value = given.cypher ?? (label ? `MATCH (n:${quoted(label)}) RETURN n LIMIT 25` : "");
  } catch (error) {
    fill(place, fault(error));
  }
}

async function run() {
  const cypher = field.value.trim();
  if (!cypher || graph === null) return;
  fill(place, element("p.soft", {}, element("span.spinner"), " Running…"));
  try {
    fill(place, shown(await post(`/api/graphs/${part(graph)}/query`, { cypher })));
  } catch (error) {
    fill(place, fault(error));
  }
}

async function putInWords() {
  const cypher = field.value.trim();
  if (!cypher || graph === null) return;
  fill(inWords, element("p.soft", {}, element("span.spinner"), " Finding words…"));
  try {
    const said = await post(`/api/graphs/${part(graph)}/question`, { cypher });
    if (field.value.trim() === cypher) fill(inWords, asked(said));
  } catch (error) {
    fill(inWords, fault(error));
  }
}

/** The query as a question, or why it has no words. */
function asked({ question, why, same, reading }) {
  if (question === null) return element("div.notice.warn", {}, icon("warning"), element("p", {}, "This query cannot be put in words. ", element("span.soft", {}, why)));
  return element("div.query-words.card", {}, element("p", {}, question),
    !same && element("p.small.soft", {}, reading ? `Asked in these words, Clew answers another query: ${reading}.` : "Clew does not understand these words itself."),
    element("a.button.small.primary", { href: `/#${new URLSearchParams({ graph, ask: question })}` }, icon("question"), "Ask in the chat"));
}

function shown(result) {
  if (!result.rows.length) return element("p.empty", {}, "The query gives no row.");
  const ids = [...new Set(result.rows.flatMap((row) => Object.values(row).flatMap(nodeIds)))];
  const body = element("div");
  const table = element("button.button.small", { type: "button", "aria-pressed": "true" }, "Table");
  const picture = element("button.button.small", { type: "button", "aria-pressed": "false", disabled: ids.length === 0, title: ids.length ? null : "Return nodes to see them as a picture" }, "Picture");
  const take = (isPicture) => {
    table.setAttribute("aria-pressed", String(!isPicture));
    picture.setAttribute("aria-pressed", String(isPicture));
    if (isPicture) drawn(body, ids).catch((error) => fill(body, fault(error)));
    else fill(body, rows(result));
  };
  table.addEventListener("click", () => take(false));
  picture.addEventListener("click", () => take(true));
  take(false);
  return [element("div.query-top", {}, table, picture,
    element("span.small.soft", {}, `${result.truncated ? "The first " : ""}${counted(result.rows.length, "row")} in ${lasting(result.ms)}`)), body];
}

function rows({ columns, rows: found }) {
  return element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Rows" }, element("table.table", {},
    element("thead", {}, element("tr", {}, columns.map((name) => element(`th${found.every((row) => typeof row[name] === "number") ? ".number" : ""}`, { scope: "col" }, name)))),
    element("tbody", {}, found.map((row) => element("tr", {}, columns.map((name) => element(`td${typeof row[name] === "number" ? ".number" : ""}`, {}, cell(row[name]))))))));
}

function cell(value) {
  if (value === null || value === undefined) return element("span.soft", {}, "–");
  if (isNode(value)) {
    const { nodeId: _id, name: _name, ...others } = value;
    return element("details", {}, element("summary", {}, spoken(value)), element("code.small", {}, JSON.stringify(others)));
  }
  if (isRelation(value)) return [spoken(value[0]), element("span.soft", {}, ` —${relationWords(value[1])}→ `), spoken(value[2])];
  return typeof value === "object" ? element("code.small", {}, JSON.stringify(value)) : String(value);
}

/** The nodes of the rows, and the relations among them. */
async function drawn(body, ids) {
  const found = await post(`/api/graphs/${part(graph)}/subgraph`, { ids: ids.slice(0, 500) });
  const box = element("div.canvas");
  fill(body, element("div.query-picture", {}, box),
    element("p.small.soft", {}, `${counted(found.nodes.length, "node")} and ${counted(found.edges.length, "relation")} among them. Click a node to explore it.`));
  const canvas = new GraphCanvas(box, (node) => node && (location.href = `/explore#${new URLSearchParams({ graph, node: node.id, label: node.label })}`));
  canvas.add(found.nodes, found.edges);
}

function isNode(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.nodeId === "string";
}

/** A relationship: its start, its type, its end. */
function isRelation(value) {
  return Array.isArray(value) && value.length === 3 && typeof value[1] === "string" && [value[0], value[2]].every((end) => isNode(end));
}

function spoken(node) {
  return shownName(node.name ?? node.nodeId);
}

function nodeIds(value) {
  if (isNode(value)) return [value.nodeId];
  return Array.isArray(value) ? value.flatMap(nodeIds) : [];
}

function quoted(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;
}
