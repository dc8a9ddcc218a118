// The steps of a run: a thread that grows a knot with each, and folds away when the answer is there.

import { element, fill } from "./dom.js";
import { counted, lasting } from "./words.js";

export class Steps {
  #list = element("ol.steps");
  #summary = element("summary.steps-summary");
  #count = 0;

  constructor() {
    this.element = element("details.steps-box", { open: true }, this.#summary, this.#list);
    this.#working("Reading the question");
  }

  add(step) {
    this.#count += 1;
    this.#pending.remove();
    this.#list.append(drawn(step));
    this.#working("Working");
  }

  /** No more will come. `ms` is what all of it took; null where that is not known. */
  end(ms) {
    this.#pending.remove();
    fill(this.#summary, counted(this.#count, "step"), ms !== null && ` in ${lasting(ms)}`);
    this.element.open = false;
    this.element.hidden = this.#count === 0;
  }

  #pending = element("li.step.pending", {}, element("span.step-title"));

  #working(words) {
    fill(this.#summary, words, "…");
    fill(this.#pending.firstChild, words, "…");
    this.#list.append(this.#pending);
  }
}

function drawn(step) {
  const round = step.iteration > 1 ? `, round ${step.iteration}` : "";
  return element("li.step", { "data-node": step.node },
    element("p", {}, element("span.step-title", {}, step.title), " ",
      element("span.step-note", {}, `${step.node}${round} · ${lasting(step.ms)}`)),
    step.details.length > 0 && element("ul.step-details", {}, step.details.map((each) => element("li", {}, each))));
}
