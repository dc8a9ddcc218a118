// The graphs that there are, with their documents: to ask, add to, and remove.

import { get, part, remove } from "./api.js";
import { picker } from "./data_new.js";
import { element, fill } from "./dom.js";
import { fault } from "./fault.js";
import { formDialog } from "./form_dialog.js";
import { counted, moment, number } from "./words.js";

/** `on`: `add(graph, purpose, files)` imports files, `changed()` is called when a graph or a document was removed. */
export function graphTable(place, graphs, me, on) {
  const heading = element("h2", {}, "Graphs");
  if (!graphs.length) {
    fill(place, heading, element("p.soft", {}, "There is no graph yet. Import your data, or a sample."));
    return;
  }
  const rows = graphs.flatMap((graph) => graphRows(graph, me, on));
  fill(place, heading, element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Table of graphs" },
    element("table.table.graph-table.stacked", {}, element("thead", {}, element("tr", {},
      ["Graph", "Nodes", "Relations", "Actions"].map((name) => element(`th${["Nodes", "Relations"].includes(name) ? ".number" : ""}`, { scope: "col" }, name)))),
    element("tbody", {}, rows))));
}

function graphRows(graph, me, on) {
  const { name } = graph;
  const more = element("tr", { hidden: true }, element("td", { colspan: "4" }));
  const opener = element("button.button.small", { type: "button", "aria-expanded": "false" }, "Documents");
  const show = () => documents(more.firstChild, name, me, on);
  opener.addEventListener("click", () => {
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
    if (!more.hidden) show();
  });
  const row = element("tr", { "data-graph": name },
    element("th", { scope: "row" }, name), element("td.number", { "data-name": "Nodes" }, number(graph.nodes)), element("td.number", { "data-name": "Relations" }, number(graph.relationships)),
    element("td", {}, element("div.graph-actions", {},
      element("a.button.small", { href: `/#graph=${part(name)}` }, "Ask"), opener,
      me.may_import && picker((files) => on.add(name, "graph", files), { multiple: true }, "Import more", ".small"),
      me.may_import && element("button.button.small.danger", { type: "button", onclick: () => drop(name, on) }, "Delete…"))));
  return [row, more];
}

async function documents(place, name, me, on) {
  fill(place, element("p.soft.small", {}, element("span.spinner"), " Reading the documents…"));
  try {
    const found = await get(`/api/graphs/${part(name)}/documents`);
    fill(place,
      found.length ? element("ul.documents-list", { "aria-label": `Documents of ${name}` }, found.map((each) => row(each))) : element("p.soft.small", {}, "No documents yet."),
      me.may_import && picker((files) => on.add(name, "documents", files), { multiple: true }, "Add documents", ".small"));
  } catch (error) {
    fill(place, fault(error));
  }

  function row(each) {
    return element("li", {}, element("strong", {}, each.title), element("span.small.soft", {},
      `${each.source} · ${counted(each.chunks, "chunk")} · ${moment(each.added)}`), chunksOf(name, each),
    me.may_import && element("button.button.quiet.small", { type: "button", "aria-label": `Remove ${each.title}`, onclick: async (event) => {
      event.currentTarget.disabled = true;
      await remove(`/api/graphs/${part(name)}/documents/${part(each.id)}`).catch((error) => fill(place, fault(error)));
      documents(place, name, me, on);
    } }, "Remove"));
  }
}

/** The chunks of a document with their edges, read when first opened. */
function chunksOf(name, { id, title }) {
  const place = element("div.small");
  const shown = element("details", {}, element("summary.small", { "aria-label": `Chunks of ${title}` }, "Chunks and their edges"), place);
  shown.addEventListener("toggle", async () => {
    if (!shown.open || place.firstChild) return;
    fill(place, element("p.soft", {}, element("span.spinner"), " Reading the chunks…"));
    try {
      const { chunks, more } = await get(`/api/graphs/${part(name)}/documents/${part(id)}`);
      const here = new Map(chunks.map((chunk) => [chunk.id, chunk.order]));
      fill(place, chunks.map((chunk) => chunkSection(chunk, here)),
      more ? element("p.soft", {}, `And ${counted(more, "more chunk")}.`) : null);
    } catch (error) {
      fill(place, fault(error));
    }
  });
  return shown;
}

/** `here` has the numbers of the chunks that are shown: edges to them lead there. */
function chunkSection(chunk, here) {
  return element("section.chunk", { id: chunk.id, tabindex: "-1", "data-chunk": chunk.id },
    element("p", {}, element("strong", {}, `${chunk.order}. `), chunk.text),
    chunk.edges.length ? element("ul.chunk-edges", { "aria-label": `Edges of chunk ${chunk.order}` }, chunk.edges.map((edge) => element("li", {},
      "→ ", here.has(edge.chunk) ? element("a", { href: `#${edge.chunk}` }, `chunk ${here.get(edge.chunk)}`)
        : element("strong", {}, [edge.title, edge.place].filter(Boolean).join(", ")),
      " ", element("span.soft", {}, edge.words))))
      : element("p.soft", {}, "No edges."));
}

function drop(name, on) {
  const words = element("p", {}, `All nodes, relations and documents of ${name} will be gone. Conversations about it stay.`);
  formDialog("Delete the graph?", [words], "Delete", async () => {
    await remove(`/api/graphs/${part(name)}`);
    on.changed();
  }, "danger");
}
