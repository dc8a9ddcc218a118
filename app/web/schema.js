// What is in a graph: its labels, relations and properties, as lists and as a small picture.

import { get, part } from "./api.js";
import { labelColour, learnLabels } from "./label_colours.js";
import { element, fill } from "./dom.js";
import { fault } from "./fault.js";
import { icon } from "./icons.js";
import { schemaPicture } from "./schema_picture.js";
import { counted, number, relationWords } from "./words.js";

const DRAWN = 24;

/** Opens a dialog that shows the schema of a graph. */
export async function showSchema(graph) {
  const body = element("div.schema", {}, element("p.empty", {}, element("span.spinner"), " Reading the schema…"));
  const close = element("button.button.quiet.icon", { type: "button", "aria-label": "Close", title: "Close" }, icon("close"));
  const box = element("dialog.box.wide", { id: "schema", "aria-labelledby": "schema-title" },
    element("div.box-top", {}, element("h2", { id: "schema-title", tabindex: "-1" }, `What is in ${graph.name}`), close), body);
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  box.querySelector("h2").focus();
  try {
    fill(body, ...parts(await get(`/api/graphs/${part(graph.name)}/schema`)));
  } catch (error) {
    fill(body, fault(error));
  }
}

function parts(schema) {
  const labels = Object.entries(schema.labels).sort(([, a], [, b]) => b - a);
  if (!labels.length) return [element("p.empty", {}, "This graph is empty.")];
  learnLabels(schema.labels);
  const drawn = schemaPicture(schema.labels, schema.relations.slice(0, DRAWN));
  return [
    element("p.soft", {}, [counted(labels.length, "label"), counted(new Set(schema.relations.map((each) => each.type)).size, "kind") + " of relation",
      counted(schema.properties.length, "property", "properties")].join(" · ")),
    drawn && element("section", { "aria-label": "Picture" }, drawn,
      schema.relations.length > DRAWN && element("p.small.soft", {}, `Showing the ${DRAWN} most common relationships.`)),
    element("section", {}, element("h3", {}, "Labels"), labelTable(labels, schema.properties)),
    element("section", {}, element("h3", {}, "Relations"), relationTable(schema.relations)),
  ].filter(Boolean);
}

function labelTable(labels, properties) {
  const most = labels[0][1];
  const rows = labels.map(([label, count]) => {
    const own = properties.filter((each) => each.label === label);
    const bar = element("span.schema-bar");
    bar.style.inlineSize = `${Math.max(1, (count / most) * 100)}%`;
    return element("tr", {},
      element("th", { scope: "row" }, element(`span.dot.label-${labelColour(label)}`), label),
      element("td.number", {}, number(count), bar),
      element("td", {}, element("ul.schema-properties", {}, own.map(property))));
  });
  return table(["Label", "Nodes", "Properties"], rows);
}

function property({ name, type, examples }) {
  const shown = examples.slice(0, 2).map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join(", ");
  return element("li", {}, element("code", {}, name), " ", element("span.soft.small", {}, type.toLowerCase(), shown && `: ${shown}`));
}

function relationTable(relations) {
  return table(["From", "Relation", "To", "Count"], relations.map((each) => element("tr", {},
    element("td", {}, each.source), element("td", {}, element("code", {}, each.type)), element("td", {}, each.target),
    element("td.number", {}, number(each.count)))));
}

function table(names, rows) {
  return element("div.scroll", { tabindex: "0", role: "region", "aria-label": `Table of ${names[0] === "Label" ? "labels" : "relations"}` },
    element("table.table", {}, element("thead", {}, element("tr", {}, names.map((name) =>
      element(`th${["Nodes", "Count"].includes(name) ? ".number" : ""}`, { scope: "col" }, name)))), element("tbody", {}, rows)));
}
