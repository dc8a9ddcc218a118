// The proposed model of tables: a picture, and a table in which it is edited.

import { element } from "./dom.js";
import { icon } from "./icons.js";
import { schemaPicture } from "./schema_picture.js";
import { counted, number } from "./words.js";

const TYPES = ["text", "integer", "number", "boolean", "date", "datetime"];

/** The plan of a job; `act` and `hasModel` as in `jobCard`. */
export function planView(job, act, hasModel) {
  const { plan } = job;
  if (!plan.model) return graphFiles(job, act);
  const edit = new Edit(plan.model);
  edit.isChanged = job.state === "failed"; // It has to be planned again.
  const update = element("button.button", { type: "button", disabled: true, onclick: () => act(job, "plan", edit.body()) }, "Show the changes");
  edit.onChange = () => (update.disabled = false);
  const naming = hasModel && !plan.keeps_names && element("button.button", {
    type: "button", title: "The language model replaces names that say little. It sees them with three values of each column.",
    onclick: () => act(job, "plan", { ...edit.body(), suggest_names: true }),
  }, "Suggest names");
  const nodes = Object.values(plan.tables).reduce((sum, each) => sum + each.nodes, 0);
  const links = Object.values(plan.tables).reduce((sum, each) => sum + each.relationships, 0);
  return element("div.plan", {},
    element("p", {}, element("strong", {}, `${counted(Object.keys(plan.tables).length, "table becomes", "tables become")} ${counted(nodes, "node")} and ${counted(links, "relation")}.`)),
    modelPicture(plan),
    tables(plan, edit),
    suggestions(plan, edit),
    renames(plan),
    remarks(plan),
    element("div.job-actions", {},
      element("button.button.primary", { type: "button", onclick: () => act(job, "import", edit.isChanged ? edit.body() : null) }, "Import"),
      withoutBad(job, () => edit.body(), act),
      update, naming));
}

function graphFiles(job, act) {
  return element("div.plan", {},
    element("ul.small", {}, job.plan.files.map(({ file, why }) => element("li", {}, element("code", {}, file), ` · ${why}`))),
    notes(job.plan.notes),
    element("div.job-actions", {}, element("button.button.primary", { type: "button", onclick: () => act(job, "import", job.state === "failed" ? {} : null) }, "Import"),
      withoutBad(job, () => ({}), act)));
}

/** Where an import was refused for its bad lines: it can go on without them. */
function withoutBad(job, body, act) {
  const { bad, lines } = job.error ?? {};
  if (!bad) return null;
  const share = Math.round((100 * bad) / lines);
  return element("button.button.danger", { type: "button", onclick: () => act(job, "import", body(), { skip_bad: true }) },
    `Import without ${counted(bad, "bad line")}${share > 0 ? ` (${share} % is lost)` : ""}`);
}

/** The model as it is edited. */
class Edit {
  isChanged = false;
  onChange = () => {};
  #values = new Map();

  constructor(model) {
    this.model = structuredClone(model);
    this.out = new Set();
  }

  change(apply) {
    apply();
    this.isChanged = true;
    this.onChange();
  }

  valueNode(table, column, isNode) {
    this.#values.set(`${table}\n${column}`, isNode);
  }

  /** What the server plans by. A table that is left out takes the references to it along. */
  body() {
    const tables = Object.fromEntries(Object.entries(this.model.tables).filter(([name]) => !this.out.has(name)));
    for (const table of Object.values(tables)) {
      if (table.references) table.references = table.references.filter((each) => !this.out.has(each.table));
    }
    const kept = Object.entries(tables).filter(([, { relationship: join }]) => !join || ![join.source.table, join.target.table].some((each) => this.out.has(each)));
    const wanted = [...this.#values].filter(([, isNode]) => isNode).map(([key]) => key.split("\n")).filter(([name]) => !this.out.has(name));
    return { model: { ...this.model, tables: Object.fromEntries(kept) }, value_nodes: wanted };
  }
}

function modelPicture(plan) {
  const drawn = schemaPicture(plan.labels, plan.edges);
  return drawn && element("section", { "aria-label": "Picture of the model" }, drawn);
}

function tables(plan, edit) {
  const rows = Object.entries(plan.tables).filter(([name]) => name in plan.model.tables).flatMap(([name, count]) => tableRows(name, count, plan, edit));
  const heads = ["Table", "Rows", "Becomes", "Label or relation", "Key", "Named by", ""];
  return element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Model of the tables" },
    element("table.table.plan-table.stacked", {}, element("thead", {}, element("tr", {}, heads.map((head) =>
      element(`th${head === "Rows" ? ".number" : ""}`, { scope: "col" }, head || element("span.seen-by-readers", {}, "Columns"))))),
    element("tbody", {}, rows)));
}

function tableRows(name, count, plan, edit) {
  const table = edit.model.tables[name];
  const join = table.relationship;
  const kind = element("select.field", { "aria-label": `What ${name} becomes` },
    [join ? "relations" : "nodes", "left out"].map((each) => element("option", {}, each)));
  const label = element("input.field", { "aria-label": join ? `Relation of ${name}` : `Label of ${name}`, value: join ? join.type : table.node });
  label.addEventListener("input", () => edit.change(() => (join ? (join.type = label.value.trim()) : (table.node = label.value.trim()))));
  const named = names(table, name, edit);
  const more = element("tr", { hidden: true }, element("td", { colspan: "7" }, columns(table, name, edit)));
  const opener = element("button.button.quiet.small", { type: "button", "aria-expanded": "false" }, counted(Object.keys(table.columns ?? {}).length, "column"), icon("chevron"));
  opener.addEventListener("click", () => {
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
  });
  const row = element("tr", {},
    element("th", { scope: "row" }, name, count.skipped > 0 && element("span.tag.warn", {}, `${number(count.skipped)} skipped`)),
    element("td.number", { "data-name": "Rows" }, number(count.rows)), element("td", { "data-name": "Becomes" }, kind),
    element("td", { "data-name": "Label or relation" }, label),
    element("td", { "data-name": "Key", title: table.why }, join ? ends(join) : (table.key ?? []).join(" + ") || "all columns"),
    element("td", { "data-name": "Named by" }, join ? "" : named), element("td", {}, opener));
  kind.addEventListener("change", () => edit.change(() => {
    const isOut = kind.value === "left out";
    edit.out[isOut ? "add" : "delete"](name);
    row.classList.toggle("left-out", isOut);
  }));
  return [row, more];
}

function ends(join) {
  return `${join.source.table} → ${join.target.table}`;
}

function names(table, name, edit) {
  const current = (table.name ?? []).join(" + ");
  const choices = [...new Set([current, ...Object.keys(table.columns ?? {})])].filter(Boolean);
  const select = element("select.field", { "aria-label": `What names a row of ${name}` },
    !current && element("option", { value: "" }, "its key"), choices.map((each) => element("option", {}, each)));
  select.addEventListener("change", () => edit.change(() => (table.name = select.value === "" ? [] : select.value.split(" + "))));
  return select;
}

function columns(table, name, edit) {
  const bound = new Set([...(table.key ?? []), ...(table.name ?? []), ...(table.references ?? []).flatMap((each) => each.columns),
    ...[table.relationship?.source, table.relationship?.target].flatMap((each) => each?.columns ?? [])]);
  return element("div.plan-more", {},
    (table.references ?? []).map((each) => reference(each, name, edit)),
    element("div.plan-columns", {}, Object.keys(table.columns ?? {}).map((column) => columnRow(table, column, name, bound, edit))),
    table.left_out && element("p.small.soft", {}, "Left out: ", Object.entries(table.left_out).map(([column, why]) => `${column} (${why})`).join(", ")));
}

function reference(each, name, edit) {
  const type = element("input.field", { "aria-label": `Relation of ${name}.${each.columns.join("+")}`, value: each.type });
  type.addEventListener("input", () => edit.change(() => (each.type = type.value.trim())));
  return element("p.plan-reference", { title: each.why }, element("span", {}, element("code", {}, each.columns.join(" + ")), ` → ${each.table}`), type,
    element("span.small.soft", {}, each.why));
}

function columnRow(table, column, name, bound, edit) {
  const given = () => (typeof table.columns[column] === "string" ? { type: table.columns[column] } : table.columns[column]);
  const { type = "text", property = column } = given();
  const keep = element("input", { type: "checkbox", checked: true, disabled: bound.has(column), "aria-label": `Import ${name}.${column}` });
  const kept = table.columns[column];
  keep.addEventListener("change", () => edit.change(() => {
    if (keep.checked) table.columns[column] = kept;
    else delete table.columns[column];
    table.left_out = { ...table.left_out };
    if (keep.checked) delete table.left_out[column];
    else table.left_out[column] = "not wanted";
  }));
  const property_ = element("input.field", { "aria-label": `Property of ${name}.${column}`, value: property });
  property_.addEventListener("input", () => edit.change(() => {
    const wanted = property_.value.trim();
    const { property: _, ...rest } = given();
    table.columns[column] = wanted === column || !wanted ? rest : { ...rest, property: wanted };
  }));
  const types = element("select.field", { "aria-label": `Type of ${name}.${column}` },
    TYPES.map((each) => element("option", { selected: each === type }, each)));
  types.addEventListener("change", () => edit.change(() => (table.columns[column] = { ...given(), type: types.value })));
  return element("div.plan-column", {}, element("label", {}, keep, element("code", {}, column)), property_, types);
}

function suggestions(plan, edit) {
  if (!plan.suggestions.length) return null;
  return element("fieldset", {}, element("legend.label", {}, "Values that could be nodes of their own"),
    element("div.plan-suggestions.small", {}, plan.suggestions.map(({ table, column, values }) => {
      const box = element("input", { type: "checkbox" });
      box.addEventListener("change", () => edit.change(() => edit.valueNode(table, column, box.checked)));
      return element("label", {}, box, ` ${table}.${column} `, element("span.soft", {}, `(${counted(values, "value")})`));
    })));
}

/** What the language model called otherwise. */
function renames(plan) {
  if (!plan.renames.length) return null;
  return element("details.fold.small", { open: true }, element("summary", {}, `${counted(plan.renames.length, "name")} by the language model`),
    element("ul", {}, plan.renames.map((line) => element("li", {}, line))));
}

function remarks(plan) {
  return notes([...Object.values(plan.tables).flatMap((each) => each.faults), ...plan.notes]);
}

function notes(lines) {
  if (!lines.length) return null;
  return element("div.notice.warn", {}, icon("warning"), element("ul.small", {}, lines.map((line) => element("li", {}, line))));
}
