// One run: what was asked and what came out, its timeline, the step that is looked at, and the evidence as a picture.

import { pictured } from "./answer_model.js";
import { cypherBlock } from "./cypher.js";
import { element, fill, whenPainted } from "./dom.js";
import { inWords, nodeCard, picture } from "./picture.js";
import { dollars, readings } from "./trace_decisions.js";
import { verdictTag } from "./trace_evidence.js";
import { block, decimals, facts, fold, isCut, items, leftOut, lines, part, share, table } from "./trace_parts.js";
import { showStep } from "./trace_step.js";
import { Timeline } from "./trace_timeline.js";
import { counted, lasting, moment, number, shortened, shownName } from "./words.js";

const DRAWN = 40; // Relations in the picture.
const LONGEST_NAME = 60;

/** A run as `/api/traces/ID` has it. `above` and `actions` (buttons) are for its head, what `stepActions(span)` gives for
 *  that of a step; `at` is the step to begin with. */
export function runView(run, { above = null, actions = [], stepActions = () => null, at = null, moved = () => {} } = {}) {
  const panel = element("section.card.step-panel", { "aria-label": "Step", tabindex: "-1" });
  const choose = (place, how = {}) => {
    timeline.select(place, how);
    showStep(panel, run.spans[place], run, stepActions(run.spans[place]));
    panel.scrollTop = 0;
    moved(place);
    if (how.byHand && panel.offsetTop > timeline.element.offsetTop + timeline.element.offsetHeight) panel.scrollIntoView();
  };
  const timeline = new Timeline(run, choose);
  const first = run.spans[at] ? at : startingStep(run);
  if (run.spans.length) choose(first);
  else fill(panel, element("p.empty", {}, "This run has no steps."));
  const result = element("section.run-outcome", { "aria-label": "Result" }, element("h2", {}, "Result"));
  whenPainted(() => result.append(outcome(run))); // A picture takes time to lay out: the steps are seen before.
  return element("article.run", {},
    head(run, above, actions),
    element("div.run-body", {},
      element("section.run-steps", { "aria-label": "Timeline" }, element("h2", {}, "Steps"), timeline.element),
      panel),
    result);
}

/** The step to begin with: the one that failed, else the one whose query gave the answers, else the longest. */
function startingStep(run) {
  const { spans } = run;
  const { cypher } = resultOf(run);
  const wrong = spans.findIndex((span) => span.error);
  if (wrong >= 0) return wrong;
  const gave = cypher ? spans.findIndex((span) => span.events.some((event) => event.kind !== "conclusion" && event.data?.cypher === cypher)) : -1;
  if (gave >= 0) return gave;
  return spans.reduce((best, span, place) => (span.ms > spans[best].ms ? place : best), 0);
}

function head(run, above, actions) {
  const result = resultOf(run);
  const model = result.model;
  const answers = items(result.answers);
  return element("header.run-head", {},
    above,
    element("div.run-title", {}, element("h1", { tabindex: "-1" }, run.question), element("div.run-actions", {}, actions)),
    facts([
      ["Status", element(`span.tag.${{ ok: "good", waiting: "warn" }[run.status] ?? "bad"}`, {}, run.status)],
      ["Graph", run.graph], ["When", moment(run.started)], ["Time", lasting(run.ms)],
      ["Verdict", result.verdict && verdictTag(result.verdict)],
      ["Answers", result.answers && `${answers.slice(0, 3).map((each) => shortened(shownName(each.name), LONGEST_NAME)).join(", ") || "none"}${answers.length > 3 ? " …" : ""}`],
      ["Confidence", typeof result.confidence === "number" ? share(result.confidence, decimals(result.confidence, 2)) : null],
      ["Readings", number(Math.max(1, ...run.spans.map((span) => span.iteration)))],
      ["Model", model && counted(model.calls, "call")],
      ["Tokens", model && `${number(model.input_tokens)} in, ${number(model.output_tokens)} out`],
      ["Price", model && dollars(model.price)],
      ["Trace", element("code", {}, run.id)],
      ["Replay of", run.replay_of && element(actions.length ? "a" : "code", { href: actions.length ? `#${run.replay_of}` : null }, run.replay_of)],
    ]),
    run.error && element("div.notice.bad", {}, element("div", {}, element("strong", {}, "It broke off: "), run.error)));
}

function outcome(run) {
  const result = resultOf(run);
  if (isCut(run.outcome)) return element("p.soft", {}, "What the run gave was too long to keep.");
  const words = result.explanation ?? result.reason;
  return element("div.outcome-parts", {},
    element("div.card.outcome-answers", {},
      answersPart(result), result.reading && part("Read as", element("p", {}, result.reading), readings(result.readings)), items(result.claims).length > 0 && claims(result), words && part("In words", element("p", {}, words)),
      items(result.notes).length > 0 && part("Notes", lines(result.notes)),
      result.cypher && part("The query that gave the answers", cypherBlock(result.cypher, parametersOf(result))),
      run.given && fold("What it was asked with", block(JSON.stringify(run.given, null, 2), "What it was asked with"))),
    evidencePart(run, result));
}

function answersPart(result) {
  if (!Array.isArray(result.answers)) return result.verdict ? part("Verdict", element("p", {}, verdictTag(result.verdict))) : null;
  const rows = items(result.answers).map((each) => [
    shownName(each.name), each.own ? element("span.tag.warn", {}, "the model’s own") : each.label, share(each.score, decimals(each.score, 2)), each.detail ?? "",
  ]);
  return part("Answers", table("Answers", ["Answer", "Label", "Score", "Says"], rows) ?? element("p.soft", {}, "None."), leftOut(result.answers));
}

function claims(result) {
  return part("Claims", table("Claims", ["Claim", "Verdict", "Confidence", "Why"], items(result.claims).map((each) => [
    each.claim, verdictTag(each.verdict), share(each.confidence, decimals(each.confidence, 2)), each.reason,
  ])));
}

function parametersOf(result) {
  return items(result.evidence).flatMap((item) => items(item.found_by)).find((each) => each.cypher === result.cypher)?.parameters ?? {};
}

/** The evidence as a picture, and as a list for who wants the words. */
function evidencePart(run, result) {
  const evidence = items(result.evidence).filter((item) => item?.head && item?.tail);
  if (!evidence.length) return element("div.card.outcome-evidence", {}, part("Evidence", element("p.soft", {}, "None was kept.")));
  const answers = items(result.answers);
  const graph = pictured({ answers, evidence: evidence.map((item) => ({ ...item, supports: items(item.supports) })), linked: linkedIn(run) }, DRAWN);
  const card = element("div.node-card", { role: "status" });
  const rows = evidence.map((item) => [
    shownName(item.head.name), element("code", {}, item.relation), shownName(item.tail.name), share(item.score),
    [...new Set(items(item.found_by).map((each) => each.strategy))].join(", "), items(item.supports).length ? "yes" : "",
  ]);
  return element("div.card.outcome-evidence", {},
    part("Evidence", graph.nodes.length > 1 && [picture(graph, (node) => nodeCard(card, node, null)), inWords(graph), card],
      element("details.fold", { open: graph.nodes.length < 2 }, element("summary", {}, counted(evidence.length, "triplet")),
        table("Evidence", ["Head", "Relation", "Tail", "Score", "Found by", "Supports"], rows)),
      leftOut(result.evidence)));
}

/** The mentions as the last reading linked them. */
function linkedIn(run) {
  const grounded = run.spans.flatMap((span) => span.events).findLast((event) => event.kind === "candidates");
  return items(grounded?.data?.mentions).map((mention) => ({ ...mention, candidates: items(mention.candidates) }));
}

function resultOf(run) {
  return run.outcome !== null && typeof run.outcome === "object" ? run.outcome : {};
}
