// How a graph begins: files that are dropped or chosen, a database, or a sample.

import { get } from "./api.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { chosen, dropped } from "./upload.js";

/** `start(files, {url, sample})` begins an import. `me` says what the user may do. */
export function newGraph(place, me, start) {
  fill(place, element("h2", {}, "New graph"), dropZone(start),
    element("div.new-ways", {}, me.may_connect && connection(start), samples(start)));
}

function dropZone(start) {
  const files = picker(start, { multiple: true }, "Choose files");
  const folder = picker(start, { webkitdirectory: true }, "Choose a folder");
  const zone = element("div.drop", { "aria-label": "Files to import", role: "group" }, icon("upload"),
    element("p.drop-title", {}, "Drop files or a folder here"),
    element("p.soft.small", {}, "CSV, Excel, Parquet, JSON, SQLite, a .zip of them; triples, RDF (Turtle, N-Triples, RDF/XML, JSON-LD), GraphML, JSON Lines, neo4j-admin CSV, Cypher scripts"),
    element("div.drop-buttons", {}, files, folder));
  const over = (is) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", is);
  };
  zone.addEventListener("dragover", over(true));
  zone.addEventListener("dragleave", over(false));
  zone.addEventListener("drop", async (event) => {
    over(false)(event);
    const given = await dropped(event.dataTransfer);
    if (given.length) start(given, {});
  });
  return zone;
}

/** A button that opens the browser's dialog for files. */
export function picker(start, properties, words, kind = "") {
  const field = element("input", { type: "file", hidden: true, "aria-label": words, ...properties });
  field.addEventListener("change", () => {
    const given = chosen(field.files);
    field.value = "";
    if (given.length) start(given, {});
  });
  return element("span", {}, field, element(`button.button${kind}`, { type: "button", onclick: () => field.click() }, words));
}

function connection(start) {
  const url = element("input.field", {
    id: "url", required: true, autocomplete: "off", spellcheck: "false", placeholder: "postgresql://user:password@host/shop",
  });
  const form = element("form", {},
    element("div", {}, element("label.label", { for: "url" }, "Address of the database"), url),
    element("button.button", { type: "submit" }, "Connect"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start([], { url: url.value.trim() });
    url.value = "";
  });
  return element("div.new-way.card", {}, element("h3", {}, "From a database"), form,
    element("p.small.soft", {}, "PostgreSQL, MySQL or SQLite, as this server’s machine reaches it. The password is not kept."));
}

function samples(start) {
  const list = element("ul");
  const card = element("div.new-way.card", { hidden: true }, element("h3", {}, "Samples"), list);
  get("/api/samples").then((found) => {
    card.hidden = !found.length;
    fill(list, found.map(({ name, about }) => element("li", {},
      element("span", {}, element("strong", {}, name), ` · ${about}`),
      element("button.button", { type: "button", onclick: () => start([], { sample: name }) }, `Import ${name}`))));
  }).catch(() => {});
  return card;
}
