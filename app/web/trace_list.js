// The list of runs: filters that stand in the page's address, pages of the latest first, and two runs to compare.

import { get } from "./api.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { dollars } from "./trace_decisions.js";
import { verdictTag } from "./trace_evidence.js";
import { decimals, notice, share } from "./trace_parts.js";
import { ago, counted, lasting, moment, number } from "./words.js";

const PAGE = 50;
const FILTERS = ["search", "graph", "status", "strategy", "slower_ms", "empty"];

export class TraceList {
  #chosen = new Set();
  #last = null;

  /** `show(hash)` goes to another view of the page. */
  constructor(show) {
    this.show = show;
    this.rows = element("tbody");
    this.state = element("p.soft.list-state", { role: "status" });
    this.more = element("button.button", { type: "button", hidden: true, onclick: () => this.#load(true) }, "Show older runs");
    this.compare = element("button.button.primary", { type: "button", onclick: () => this.#compare() }, "Compare");
    this.bar = element("div.compare-bar.card", { role: "region", "aria-label": "Comparison", hidden: true }, element("p"), this.compare);
    this.form = element("form.filters", { role: "search", "aria-label": "Filter runs" });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", () => this.#filter());
    this.element = element("section.trace-list", { "aria-labelledby": "list-title" },
      element("h1", { id: "list-title", tabindex: "-1" }, "Traces"),
      element("p.soft", {}, "Steps, queries, prompts and choices of every question."),
      this.form, this.state, this.#table(), this.more, this.bar);
  }

  async open() {
    if (!this.form.childElementCount) this.#fields(await get("/api/traces/choices").catch(() => ({ graphs: [], strategies: [] })));
    await this.#load();
  }

  #fields({ graphs, strategies }) {
    const given = new URLSearchParams(location.search);
    const field = (name, label, input) => {
      input.id = `filter-${name}`;
      input.name = name;
      return element("div", {}, element("label.label", { for: input.id }, label), input);
    };
    const select = (name, label, options, any) => {
      const made = element("select.field", {}, element("option", { value: "" }, any), options.map((each) => element("option", { value: each }, each)));
      made.value = options.includes(given.get(name)) ? given.get(name) : "";
      return field(name, label, made);
    };
    const slow = element("input.field", { type: "number", min: "0", step: "any", inputmode: "decimal", placeholder: "any", value: given.get("slower_ms") ?? "" });
    const search = element("input.field", { type: "search", maxlength: "200", placeholder: "any words", value: given.get("search") ?? "" });
    let typed;
    search.addEventListener("input", () => {
      clearTimeout(typed);
      typed = setTimeout(() => this.#filter(), 250);
    });
    const empty = element("input", { type: "checkbox", id: "filter-empty", name: "empty" });
    empty.checked = given.get("empty") === "true";
    fill(this.form,
      field("search", "Search", search),
      select("graph", "Graph", graphs, "All graphs"),
      select("strategy", "Strategy that ran", strategies, "Any"),
      select("status", "Status", ["ok", "waiting", "error", "interrupted"], "Any"),
      field("slower_ms", "Slower than, in ms", slow),
      element("div.check", {}, empty, element("label", { for: "filter-empty" }, "Without an answer")),
      element("button.button.quiet", { type: "button", onclick: () => this.#clear() }, "Clear"));
  }

  #wanted() {
    const wanted = new URLSearchParams();
    for (const name of FILTERS) {
      const field = this.form.elements[name];
      if (field?.type === "checkbox" ? field.checked : field?.value.trim()) wanted.set(name, field.type === "checkbox" ? "true" : field.value.trim());
    }
    return wanted;
  }

  #filter() {
    if (!this.form.reportValidity()) return;
    const wanted = this.#wanted().toString();
    history.replaceState(null, "", `${location.pathname}${wanted ? `?${wanted}` : ""}${location.hash}`);
    this.#load();
  }

  #clear() {
    for (const field of this.form.elements) {
      if (field.type === "checkbox") field.checked = false;
      else if (field.name) field.value = "";
    }
    this.#filter();
  }

  async #load(older = false) {
    const wanted = this.#wanted();
    wanted.set("limit", PAGE);
    if (older && this.#last !== null) wanted.set("before", this.#last);
    fill(this.state, "Loading…");
    const asked = (this.asked = Symbol("asked"));
    try {
      const runs = await get(`/api/traces?${wanted}`);
      if (asked !== this.asked) return; // The filters have changed meanwhile.
      const rows = runs.map((run) => this.#row(run));
      if (older) this.rows.append(...rows);
      else fill(this.rows, rows);
      this.#last = runs.at(-1)?.started ?? this.#last;
      this.more.hidden = runs.length < PAGE;
      const shown = this.rows.childElementCount;
      fill(this.state, shown ? `${counted(shown, "run")}${this.more.hidden ? "" : ", and older ones"}` : this.#nothing());
      if (older) rows[0]?.querySelector("a").focus();
    } catch (error) {
      fill(this.state, notice("bad", error.detail ?? "The list could not be shown.", element("p", {}, error.remedy ?? String(error))));
    }
  }

  #nothing() {
    return this.#wanted().size ? "No run matches." : "There are no traces yet. Every question creates one.";
  }

  #table() {
    const columns = ["", "Question", "Graph", "When", "#Time", "#Answers", "Confidence", "Model", "Status"];
    return element("table.table.runs", {},
      element("caption.seen-by-readers", {}, "Runs, the latest first"),
      element("thead", {}, element("tr", {}, columns.map((name) => name
        ? element(name.startsWith("#") ? "th.number" : "th", { scope: "col" }, name.replace("#", ""))
        : element("td", {}, element("span.seen-by-readers", {}, "Compare"))))),
      this.rows);
  }

  #row(run) {
    const box = element("input", { type: "checkbox", "aria-label": `Compare “${run.question}”`, onchange: () => this.#choose(run.id, box) });
    box.checked = this.#chosen.has(run.id);
    const found = run.verdict ? verdictTag(run.verdict) : run.answers ? number(run.answers) : element("span.tag.warn", {}, "none");
    const model = run.model_calls ? [counted(run.model_calls, "call"), `${number(run.tokens)} tokens`, dollars(run.price)].filter(Boolean).join(" · ") : "";
    const status = run.status === "ok" ? "ok" : element(run.status === "waiting" ? "span.tag.warn" : "span.tag.bad", { title: run.error }, run.status);
    return element("tr", {},
      element("td", {}, box),
      element("td.run-question", {}, element("a", { href: `#${run.id}` }, run.question)),
      element("td", { "data-name": "Graph" }, run.graph),
      element("td", { "data-name": "When" }, element("time", { datetime: new Date(run.started * 1000).toISOString(), title: moment(run.started) }, ago(run.started))),
      element("td.number", { "data-name": "Time" }, lasting(run.ms)),
      element("td.number", { "data-name": "Answers" }, found),
      element("td", { "data-name": "Confidence" }, typeof run.confidence === "number" ? share(run.confidence, decimals(run.confidence, 2)) : ""),
      element("td", { "data-name": "Model" }, model),
      element("td", { "data-name": "Status" }, status));
  }

  /** Starts a comparison with the run that is looked at. */
  beginWith(id) {
    this.#chosen = new Set([id]);
    this.#told();
  }

  #choose(id, box) {
    if (!box.checked) this.#chosen.delete(id);
    else if (this.#chosen.size < 2) this.#chosen.add(id);
    else box.checked = false;
    this.#told();
  }

  #told() {
    const count = this.#chosen.size;
    this.bar.hidden = count === 0;
    this.compare.disabled = count < 2;
    fill(this.bar.firstChild, count < 2 ? "One run is chosen. Choose another one to compare it with." : "Two runs are chosen.");
    if (count === 2) fill(this.compare, icon("arrow"), "Compare them");
  }

  #compare() {
    const [a, b] = this.#chosen;
    this.#chosen = new Set();
    this.#told();
    this.show(`${a}..${b}`);
  }
}
