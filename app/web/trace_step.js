// The inspector: one step of a run, with everything that its trace says, in the form that fits each kind of it.

import { element, fill } from "./dom.js";
import * as decisions from "./trace_decisions.js";
import * as evidence from "./trace_evidence.js";
import * as linking from "./trace_linking.js";
import { block, fold, items, part, plain } from "./trace_parts.js";
import * as queries from "./trace_queries.js";
import { lasting } from "./words.js";

const SHOWN = {
  answers: (data) => queries.attempt(data, "What it found"),
  around: linking.around,
  artifacts: linking.artifacts,
  "asked again": decisions.askedAgain,
  candidates: linking.candidateChoice,
  choice: linking.userChoice,
  "chosen reading": decisions.chosenReading,
  claim: evidence.claim,
  conclusion: decisions.conclusion,
  "dead end": evidence.deadEnd,
  decision: decisions.decision,
  drafts: queries.drafts,
  end: evidence.walkEnd,
  executed: (data) => queries.attempt(data, "Executed"),
  expansion: evidence.expansion,
  failed: queries.failed,
  "follow-up": linking.followUp,
  followed: (data) => queries.attempt(data, "Followed"),
  "followed from drafts": evidence.fromDrafts,
  generator: queries.generator,
  hits: evidence.textHits,
  hop: evidence.hop,
  "looked up": linking.lookedUp,
  matches: evidence.matches,
  missing: decisions.missing,
  "model call": decisions.modelCall,
  "model query": queries.modelQuery,
  "no plan": queries.failed,
  "no triplets": queries.failed,
  "node reasoner": queries.nodeReasoner,
  passages: evidence.passages,
  pattern: evidence.pattern,
  plain: decisions.plainStatement,
  plan: queries.databasePlan,
  queries: queries.rankedQueries,
  query: (data) => queries.attempt(data, "Ran"),
  reading: linking.reading,
  readings: evidence.claimReadings,
  refused: queries.refusedPlan,
  relations: evidence.relations,
  schema: linking.schemaCut,
  selected: evidence.selected,
  shortest: evidence.shortest,
  spans: evidence.answerSpans,
  step: queries.planStep,
  "taken over": decisions.takenOver,
  triplets: evidence.scoredTriplets,
  verdict: evidence.verdict,
  "without a model": decisions.withoutModel,
  written: evidence.pattern,
};

/** Fills `place` with one step. `run` is the whole trace: its question is what mentions are marked in. `actions` are
 *  buttons. */
export function showStep(place, span, run, actions) {
  const context = { question: questionOf(span, run), ran: ran(span) };
  const kind = span.error ? element("span.tag.bad", {}, "error") : null;
  return fill(place,
    element("header.step-head", {},
      element("div.step-title", {},
        element("h3", { tabindex: "-1" }, span.node, span.iteration > 1 ? element("span.soft", {}, ` reading ${span.iteration}`) : null, " ", kind),
        actions),
      element("p.small.soft", {}, `began at ${lasting(span.start_ms)}, took ${lasting(span.ms)}`),
      span.outputs?.title && element("p", {}, span.outputs.title)),
    span.error && queries.failed({ message: span.error }),
    grouped(span.events).map((event) => shown(event, context)),
    details(span),
    fold("The stored record", block(JSON.stringify(span, null, 2), "Record")));
}

/** One kind of record as its own form; as JSON where there is none, or where it is not what was expected. */
function shown({ kind, data }, context) {
  const form = SHOWN[kind];
  try {
    if (form && data !== null && typeof data === "object") return form(data, context);
  } catch (error) {
    console.info(`The record “${kind}” is shown as it is: ${error}`);
  }
  return part(kind, block(plain(data), "Record"));
}

/** The events, with a model's query put together: what was written, corrected, and what came of it. */
function grouped(events) {
  const kept = [];
  for (const event of events) {
    const last = kept.at(-1);
    const open = last?.kind === "model query" && !last.data.outcome ? last.data : null;
    if (event.kind === "generated") kept.push({ kind: "model query", data: { generated: event.data } });
    else if (open && event.kind === "corrected") open.corrected = event.data;
    else if (open && (event.kind === "executed" || event.kind === "failed")) open.outcome = event.data;
    else kept.push(event);
  }
  return kept;
}

/** What was said of the step for people, where no record says it already. */
function details(span) {
  const said = items(span.outputs?.details);
  if (!said.length) return null;
  return element("details.fold", { open: !span.events.length }, element("summary", {}, "In words"), element("ul.lines", {}, said.map((each) => element("li", {}, String(each)))));
}

function ran(span) {
  return new Set(span.events.filter(({ kind }) => kind === "query").map(({ data }) => data?.words));
}

/** The text that the places of mentions count in: the question with what it takes from a conversation written out. */
function questionOf(span, run) {
  const given = [span, ...run.spans].map(({ inputs }) => inputs?.resolved ?? inputs?.text).find((each) => typeof each === "string");
  return given ?? run.question;
}
