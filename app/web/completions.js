// Completion of Cypher in a text field: labels and relationship types behind ":", properties behind ".", and keywords.

import { element, fill } from "./dom.js";

const KEYWORDS = ["MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "WITH", "ORDER BY", "LIMIT", "SKIP", "DISTINCT", "UNWIND", "AND", "OR", "NOT", "IN",
  "CONTAINS", "STARTS WITH", "ENDS WITH", "IS NULL", "IS NOT NULL", "AS", "DESC", "count", "collect", "toLower"];
const MOST = 12;

export class Completions {
  #labels = [];
  #types = [];
  #properties = [];
  #found = [];
  #at = 0;

  constructor(field, list) {
    this.field = field;
    this.list = list;
    field.addEventListener("input", () => this.#offer(false));
    field.addEventListener("keydown", (event) => this.#key(event));
    field.addEventListener("blur", () => setTimeout(() => this.#close(), 150));
  }

  /** From now on the names are those of this schema. */
  learn(schema) {
    this.#labels = Object.keys(schema.labels);
    this.#types = [...new Set(schema.relations.map(({ type }) => type))];
    this.#properties = [...new Set(schema.properties.map(({ name }) => name))];
  }

  #offer(isAsked) {
    const before = this.field.value.slice(0, this.field.selectionStart);
    const [, sign, word] = /(^|[:.|\s(,[])([\w]*)$/.exec(before) ?? ["", "", ""];
    const names = this.#names(before.slice(0, before.length - word.length), sign);
    const folded = word.toLowerCase();
    const fits = names.filter((name) => name.toLowerCase().startsWith(folded) && name !== word);
    const isOpen = isAsked || sign === ":" || sign === "." || word.length > 1;
    this.#found = isOpen ? fits.slice(0, MOST).map((name) => ({ name, from: before.length - word.length })) : [];
    this.#at = 0;
    this.#draw();
  }

  #names(before, sign) {
    if (sign === ".") return this.#properties;
    if (sign === ":" || sign === "|") return before.lastIndexOf("[") > Math.max(before.lastIndexOf("("), before.lastIndexOf("]")) ? this.#types : this.#labels;
    return KEYWORDS;
  }

  #key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.#offer(true);
      return;
    }
    if (this.list.hidden || event.ctrlKey || event.metaKey) return;
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) this.#at = (this.#at + moves[event.key] + this.#found.length) % this.#found.length;
    else if (event.key === "Enter" || event.key === "Tab") this.#take(this.#found[this.#at]);
    else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault();
    if (!this.list.hidden) this.#draw();
  }

  #take({ name, from }) {
    const { field } = this;
    const isPlain = KEYWORDS.includes(name) || /^[A-Za-z_]\w*$/.test(name);
    field.setRangeText(isPlain ? name : `\`${name.replaceAll("`", "``")}\``, from, field.selectionStart, "end");
    this.#close();
  }

  #draw() {
    const { field, list } = this;
    list.hidden = this.#found.length === 0;
    field.setAttribute("aria-expanded", String(!list.hidden));
    fill(list, this.#found.map((each, place) => element("li", {
      role: "option", id: `completion-${place}`, "aria-selected": String(place === this.#at),
      onmousedown: (event) => {
        event.preventDefault();
        this.#take(each);
      },
    }, each.name)));
    if (list.hidden) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `completion-${this.#at}`);
  }

  #close() {
    this.#found = [];
    this.#draw();
  }
}
