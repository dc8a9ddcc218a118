// Going on from a step of a run with something else than it had there.

import { get } from "./api.js";
import { element } from "./dom.js";
import { formDialog } from "./form_dialog.js";
import { items } from "./trace_parts.js";
import { shownName } from "./words.js";

const BEFORE_RETRIEVAL = ["contextualize", "link", "link_entities", "clarify"];
const LAST = "reason"; // Nothing follows it.

/** Whether one can go on from this step. That the server kept what the steps wrote is only known when it is asked to. */
export function isForkable(run, span) {
  return run.given?.kind === "question" && span.node !== LAST && !span.error;
}

/** Asks what is to be set, and calls `fork(body)` with what `POST /api/traces/ID/fork` takes. */
export async function askFork(run, span, fork) {
  const strategies = [...BEFORE_RETRIEVAL, "assess"].includes(span.node) ? strategyField(await get("/api/traces/choices")) : null;
  const entities = BEFORE_RETRIEVAL.includes(span.node) ? everLinked(run).map(entityField).filter(Boolean) : [];
  const seconds = element("input.field", { id: "fork-seconds", type: "number", min: "0.1", max: "3600", step: "any", autocomplete: "off" });
  const parts = [
    element("p.small.soft", {}, "The fork keeps the steps up to this one, and runs the rest again with the current code and graph. Settings left empty keep their values."),
    strategies?.element, entities.map((each) => each.element),
    element("label.label", { for: "fork-seconds" }, "Time limit (seconds)"), seconds,
  ];
  formDialog(`Fork after ${span.node}`, parts, "Rerun from here", () => {
    const taken = strategies?.taken() ?? [];
    const meant = Object.fromEntries(entities.map((each) => each.taken()).filter(([, id]) => id));
    return fork({
      from: stepName(run, span),
      ...(taken.length && { strategies: taken }),
      ...(Object.keys(meant).length && { entities: meant }),
      ...(seconds.value && { seconds: Number(seconds.value) }),
    });
  });
}

/** A step as forks name it: which of the runs of its node it is. */
function stepName(run, span) {
  const before = run.spans.slice(0, run.spans.indexOf(span)).filter((each) => each.node === span.node);
  return `${span.node}#${before.length + 1}`;
}

function strategyField({ strategies }) {
  const boxes = strategies.map((name) => element("input", { type: "checkbox", value: name }));
  const choices = boxes.map((box) => element("label.fork-strategy", {}, box, box.value));
  return {
    element: element("fieldset.fork-strategies", {}, element("legend.label", {}, "Only these strategies"), choices),
    taken: () => boxes.filter((box) => box.checked).map((box) => box.value),
  };
}

/** The words that were linked, each with all that it was linked with: later steps of the run may have left some out. */
function everLinked(run) {
  const found = new Map();
  const add = (text, candidates) => {
    if (!found.has(text)) found.set(text, new Map());
    for (const each of items(candidates)) found.get(text).set(each.id, each);
  };
  for (const { kind, data } of run.spans.flatMap((span) => span.events)) {
    if (kind === "candidates") items(data?.mentions).forEach((mention) => add(mention.text, mention.candidates));
    else if (kind === "choice") add(data?.mention, data?.candidates);
  }
  return [...found].map(([text, candidates]) => ({ text, candidates: [...candidates.values()].filter(({ id }) => id) }));
}

/** Which entity these words of the question mean; null where there is nothing to choose from. */
function entityField({ text, candidates }, place) {
  if (!text || candidates.length < 2) return null;
  const options = candidates.map((each) => element("option", { value: each.id }, `${shownName(each.name)} (${[each.label ?? each.labels?.join(", "), each.about ?? each.id].filter(Boolean).join("; ")})`));
  const field = element("select.field", { id: `fork-entity-${place}` }, element("option", { value: "" }, "As in the run"), options);
  return {
    element: [element("label.label", { for: field.id }, `“${text}” means`), field],
    taken: () => [text, field.value],
  };
}
