// What two runs differ in: answers, query, steps, model calls and time.

import { cypherBlock } from "./cypher.js";
import { element } from "./dom.js";
import { block, facts, fold, items, lines, part, plain, table } from "./trace_parts.js";
import { counted, lasting, moment, number } from "./words.js";

/** `diff` as `/api/traces/A/diff/B` has it, with both runs. */
export function compareView(diff, a, b, above = null) {
  const differing = diff.steps.filter((step) => step.differs && step.a && step.b);
  return element("article.run.compare", {},
    element("header.run-head", {},
      above,
      element("h1", { tabindex: "-1" }, diff.same ? "The same answers, by the same query" : "Two runs that differ"),
      element("div.sides", {}, runCard("A", a), runCard("B", b))),
    answersPart(diff),
    changedPart(diff),
    part("Steps",
      table("Steps of both runs", ["Step", "A", "B", "#A", "#B", ""], diff.steps.map((step) => [
        element("strong", {}, step.step), title(step.a), title(step.b), time(step.a), time(step.b),
        step.differs ? element("span.tag.warn", {}, step.a && step.b ? "differs" : step.a ? "only in A" : "only in B") : element("span.soft", {}, "same"),
      ]))),
    differing.length > 0 && part("Where they differ", differing.map(stepPart)));
}

function runCard(name, run) {
  return element("div.card.side", {}, element("h2", {}, `${name}: `, element("a", { href: `#${run.id}` }, run.question)),
    facts([["Graph", run.graph], ["When", moment(run.started)], ["Replay of", run.replay_of], ["Time", lasting(run.ms)], ["Status", run.status],
      ["Model calls", number(run.spans.reduce((sum, span) => sum + span.events.filter((event) => event.kind === "model call").length, 0))]]));
}

function answersPart({ answers }) {
  const { only_a: onlyA, only_b: onlyB, unclear, kept, total } = answers;
  const cut = kept.map((count, place) => count < total[place] && element("p.small.soft", {},
    `The trace of ${"AB"[place]} keeps the first ${number(count)} of ${number(total[place])} answers.`)).filter(Boolean);
  if (!onlyA.length && !onlyB.length && !unclear.some(Boolean) && total[0] === total[1]) return part("Answers", element("p", {}, answers.order_changed ? "The same, in another order." : "The same."), cut);
  return part("Answers", element("div.sides", {},
    onlyIn("A", onlyA, ".gone", unclear[0], kept[0] < total[0]), onlyIn("B", onlyB, ".come", unclear[1], kept[1] < total[1])), cut);
}

/** What only one run answered, as far as the traces tell: both may have been cut. */
function onlyIn(name, names, mark, unclear, isCut) {
  if (unclear) return element("div.side", {}, element("h5", {}, `Only in ${name}: not known`), element("p.soft", {}, `${counted(unclear, "answer")} of ${name} may be among those that the other trace does not keep.`));
  return element("div.side", {}, element("h5", {}, `Only in ${name}: ${isCut ? "at least " : ""}${number(names.length)}`), lines(names, mark) ?? element("p.soft", {}, "–"));
}

function changedPart({ changed }) {
  const given = Object.entries(changed);
  if (!given.length) return null;
  return part("What changed", given.map(([key, [before, after]]) => [
    element("h5", {}, key), element("div.sides", {}, side(key, before), side(key, after)),
  ]));
}

function side(key, value) {
  if (value === null || value === undefined) return element("div.side", {}, element("p.soft", {}, "–"));
  return element("div.side", {}, key === "cypher" ? cypherBlock(String(value)) : element("p", {}, plain(value)));
}

function stepPart(step) {
  const queries = [step.a, step.b].map((each) => items(each?.queries));
  const most = Math.max(queries[0].length, queries[1].length);
  return fold(element("span", {}, element("strong", {}, step.step), most > 0 && ` · ${counted(most, "query", "queries")}`),
    element("div.sides", {}, [step.a, step.b].map((each, place) => element("div.side", {}, element("h5", {}, place ? "B" : "A"),
      each ? [
        element("p", {}, title(each)), each.error && element("p.tag.bad", {}, each.error), lines(each.outputs?.details),
        queries[place].map((query) => element("div", {}, query.cypher ? cypherBlock(query.cypher, query.parameters ?? {}) : block(plain(query), "Query"),
          facts([["Rows", query.rows]]))),
      ] : element("p.soft", {}, "It did not run.")))));
}

function title(step) {
  return step ? String(step.error ?? step.outputs?.title ?? "") : element("span.soft", {}, "–");
}

function time(step) {
  return step ? lasting(step.ms) : "";
}
