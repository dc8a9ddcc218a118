// Which graph is asked, and how far it is.

import { get, part } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { learnLabels } from "./label_colours.js";
import { counted } from "./words.js";

const AGAIN_MS = 1000; // While it is opened.
const LATER_MS = 5000;

export class Graphs {
  #select = byId("graph");
  #state = byId("graph-state");
  #timer = null;
  #learnt = null;

  /** `chosen(graph)` is called when the user takes another one. */
  constructor(chosen) {
    this.all = [];
    this.#select.addEventListener("change", () => {
      this.#show();
      chosen(this.current);
    });
  }

  get current() {
    return this.all.find((graph) => graph.name === this.#select.value) ?? null;
  }

  async load() {
    const chosen = this.#select.value;
    this.all = await get("/api/graphs");
    fill(this.#select, this.all.map(({ name }) => element("option", { value: name }, name)));
    if (this.all.some(({ name }) => name === chosen)) this.#select.value = chosen;
    this.#show();
  }

  take(name) {
    if (this.all.some((graph) => graph.name === name)) this.#select.value = name;
    this.#show();
  }

  /** The colours of labels, which come from the schema. */
  #learn(name) {
    if (this.#learnt === name) return;
    this.#learnt = name;
    get(`/api/graphs/${part(name)}/schema`).then(({ labels }) => learnLabels(labels)).catch(() => (this.#learnt = null));
  }

  #show() {
    const graph = this.current;
    byId("open-schema").disabled = graph === null;
    if (graph === null) {
      fill(this.#state);
      return;
    }
    if (graph.open) this.#learn(graph.name);
    fill(this.#state, element("p", {}, `${counted(graph.nodes, "node")} · ${counted(graph.relationships, "relation")}`), opening(graph));
    clearTimeout(this.#timer);
    if (!graph.open) this.#timer = setTimeout(() => this.load().catch(() => this.#show()), graph.opening ? AGAIN_MS : LATER_MS);
  }
}

/** What is being done before the graph can be asked. */
function opening(graph) {
  if (graph.open) return null;
  if (graph.failed) return element("p.wrong", { role: "alert" }, graph.failed);
  const task = graph.opening;
  if (!task) return element("p", {}, "It opens with the first question.");
  const share = task.total ? Math.min(1, task.done / task.total) : null;
  return element("div.opening", {},
    element("p", {}, element("span.spinner"), `${task.label}${task.total ? ` ${Math.round(share * 100)} %` : "…"}`),
    element("progress", { "aria-label": task.label, max: "1", value: share ?? undefined }));
}
