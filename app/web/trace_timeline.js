// A run over time: a row for every step and every call of a model, with a bar where it ran on one common axis. Steps that
// ran at the same time stand side by side in one group.

import { element } from "./dom.js";
import { dollars } from "./trace_decisions.js";
import { lasting, number } from "./words.js";

const TICKS = 3;
const ROOM_FOR_TICK = 0.8; // Beyond this part of the axis the time stands before its line, or the page would be wider.
const STEPS = [1, 2, 2.5, 5, 10];

/** The timeline; `choose(place)` is called with the number of the step that is looked at. */
export class Timeline {
  constructor(run, choose) {
    this.run = run;
    this.choose = choose;
    this.length = Math.max(run.ms, ...run.spans.map((span) => span.start_ms + span.ms), 1);
    this.buttons = [];
    this.element = element("div.timeline", {}, this.#axis(), this.#rounds());
    this.element.addEventListener("keydown", (event) => this.#byKey(event));
  }

  /** Marks the step that is looked at, and makes it the one that Tab reaches. */
  select(place, { focus = false } = {}) {
    this.buttons.forEach((button, each) => {
      button.setAttribute("aria-current", each === place ? "step" : "false");
      button.tabIndex = each === place ? 0 : -1;
    });
    if (focus) this.buttons[place]?.focus();
  }

  #axis() {
    const gap = niceGap(this.length / TICKS);
    const ticks = Array.from({ length: Math.floor(this.length / gap) + 1 }, (_, each) => each * gap);
    return element("div.lane.axis", { "aria-hidden": "true" }, element("div.lane-track", {}, ticks.map((at) =>
      placed(element(`span.tick${at / this.length > ROOM_FOR_TICK ? ".before" : ""}`, {}, at === 0 ? "0" : lasting(at)), at / this.length))));
  }

  #rounds() {
    const groups = groupsOf(this.run.spans);
    const several = new Set(this.run.spans.map((span) => span.iteration)).size > 1;
    let round = 0;
    return element("ol.lanes", { "aria-label": "Steps" }, groups.flatMap((group) => {
      const begins = several && group[0].iteration > round;
      round = Math.max(round, group[0].iteration);
      return [
        begins && element("li.round", {}, `Reading ${round}`),
        group.length > 1
          ? element("li.parallel", {}, element("p.parallel-name", {}, "at the same time"), element("ol", {}, group.map((span) => this.#row(span))))
          : this.#row(group[0]),
      ];
    }));
  }

  #row(span) {
    const place = this.run.spans.indexOf(span);
    const button = element(`button.lane${span.error || failedOf(span) ? ".wrong" : ""}`, { type: "button", onclick: () => this.choose(place, { byHand: true }) },
      element("span.lane-name", {}, span.node, span.iteration > 1 && element("span.seen-by-readers", {}, `, reading ${span.iteration}`)),
      element("span.lane-title", {}, span.outputs?.title ?? span.error ?? ""),
      element("span.lane-track", { "aria-hidden": "true" }, bar("span.bar", span.start_ms, span.ms, this.length)),
      element("span.lane-time.number", {}, isTaken(span) ? "taken over" : short(span.ms)));
    this.buttons[place] = button;
    const calls = span.events.filter((event) => event.kind === "model call");
    return element("li", {}, button, calls.length > 0 && element("ul.calls", { "aria-label": "Calls of a model" }, calls.map((call) => this.#call(call))));
  }

  #call({ at_ms: end, data }) {
    const tokens = `${number(data.input_tokens ?? 0)} + ${number(data.output_tokens ?? 0)} tokens`;
    const ms = data.ms ?? 0;
    return element(`li.lane.call${data.error ? ".wrong" : ""}`, {},
      element("span.lane-name", {}, data.role ?? "model"),
      element("span.lane-title", {}, [data.prompt, tokens, dollars(data.price)].filter(Boolean).join(" · ")),
      element("span.lane-track", { "aria-hidden": "true" }, bar("span.bar.call-bar", Math.max(0, end - ms), ms, this.length)),
      element("span.lane-time.number", {}, short(ms)));
  }

  #byKey(event) {
    const here = this.buttons.indexOf(event.target.closest("button.lane"));
    if (here < 0) return;
    const order = [...this.element.querySelectorAll("button.lane")].map((button) => this.buttons.indexOf(button));
    const at = order.indexOf(here);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
    if (next === undefined || order[next] === undefined) return;
    event.preventDefault();
    this.choose(order[next], { focus: true });
  }
}

/** Runs of spans that overlap in time and belong to one round, in order of their beginning. */
export function groupsOf(spans) {
  const groups = [];
  for (const span of [...spans].sort((a, b) => a.start_ms - b.start_ms)) {
    const last = groups.at(-1);
    const together = last && last[0].iteration === span.iteration && last.some((each) => span.start_ms < each.start_ms + each.ms);
    if (together) last.push(span);
    else groups.push([span]);
  }
  return groups;
}

/** Whether another run made the step, and a fork took it over. */
function isTaken(span) {
  return span.events.some((event) => event.kind === "taken over");
}

function short(ms) {
  return ms < 1 ? "< 1 ms" : lasting(ms);
}

function failedOf(span) {
  return span.events.some((event) => event.kind === "failed" && !event.data?.cypher);
}

function bar(what, start, ms, length) {
  const made = placed(element(what), start / length);
  made.style.setProperty("--length", Math.min(1, ms / length).toFixed(5));
  return made;
}

function placed(made, share) {
  made.style.setProperty("--from", share.toFixed(5));
  return made;
}

/** A round number of milliseconds that is not far above `least`. */
function niceGap(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return STEPS.map((step) => step * power).find((gap) => gap >= least);
}
