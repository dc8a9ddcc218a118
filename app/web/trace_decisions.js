// Why the run went on or ended, what it concluded, and what was asked of a model.

import { cypherBlock } from "./cypher.js";
import { element } from "./dom.js";
import { block, decimals, facts, items, lines, notice, part, share, table, tags } from "./trace_parts.js";
import { counted, lasting, number, shownName } from "./words.js";

const ENDS = new Set(["reason", "conclude"]);
const NEXT = {
  retrieve: "to strategies",
  clarify: "to the user, who may say which entity is meant",
  link: "back to the linker, for another reading",
  reason: "to the answer",
  conclude: "to the end, without enough",
};

/** Where the run went next and why. */
export function decision(data) {
  const kind = ENDS.has(data.next) ? ".ends" : ".goes-on";
  return part("What next",
    element(`div.decision${kind}`, {},
      element("p", {}, element("strong", {}, ENDS.has(data.next) ? "The loop ends" : "The run goes on"), `: ${data.why || "no reason was kept"}.`),
      element("p.small", {}, NEXT[data.next] ?? data.next, items(data.strategies).length > 0 && [": ", tags(data.strategies)])),
    facts([["Reading", data.most_iterations ? `${data.iteration} of at most ${data.most_iterations}` : data.iteration],
      ["Model calls so far", data.model_calls]]),
    weighed(data.attempts, data.enough));
}

/** The attempts, the surest first; without a model `enough` of it ends the loop. */
function weighed(attempts, enough) {
  const given = items(attempts);
  if (!given.length) return null;
  return [table("Attempts", ["Strategy", "Query", "#Answers", "Confidence"], given.map((each) => [
    element("span", {}, each.strategy, each.iteration > 1 ? ` ${each.iteration}` : "", each.by_model && [" ", element("span.tag", {}, "the model’s")]),
    each.words, number(each.answers), share(each.confidence, decimals(each.confidence, 2)),
  ])), typeof enough === "number" && element("p.small.soft", {}, `A confidence of ${enough} is enough; so are readings of different origin that agree.`)];
}

export function conclusion(data) {
  const answers = items(data.answers);
  return part("Conclusion",
    table("Answers", ["Answer", "Label", "Score", "Says"], answers.map((each) => [
      shownName(each.name), each.own ? element("span.tag.warn", {}, "the model’s own") : each.label, share(each.score, decimals(each.score, 2)), each.detail ?? "",
    ])) ?? element("p.soft", {}, "No answer."),
    data.count > answers.length && element("p.small.soft", {}, `The first ${answers.length} of ${number(data.count)}.`),
    facts([["Read as", data.reading], ["Confidence", decimals(data.confidence, 2)], ["Doubt", data.doubt]]),
    readings(data.readings),
    data.explanation && element("p", {}, data.explanation),
    weighed(data.attempts),
    data.cypher && cypherBlock(data.cypher));
}

/** The readings of the question that a result lists, numbered. */
export function readings(listed) {
  return table("Readings", ["#", "Reading", "Answers", "Confidence", ""], items(listed).map((each, place) => [
    number(place + 1), each.reading, each.says, share(each.confidence, decimals(each.confidence, 2)),
    each.chosen && element("span.tag.good", {}, "chosen by the user"),
  ]));
}

/** The reading that the user chose. */
export function chosenReading(data) {
  return part("The user chose a reading", element("p", {}, data.reading));
}

export function missing(data) {
  return items(data.missing).length > 0 && notice("warn", "What would have been needed", lines(data.missing));
}

export function withoutModel(data) {
  return notice("warn", "Done without the model", element("p", {}, data.message ?? ""), data.reason && element("p.small", {}, data.reason));
}

/** In a fork: a step that another run made. */
export function takenOver(data) {
  return element("p.small.soft", {}, `Taken over from the run ${data.trace}, where it took ${lasting(data.ms ?? 0)}.`);
}

export function askedAgain(data) {
  return notice("warn", "The model was asked again", element("p", {}, data.problem));
}

/** A call of a model: what it took, what it was asked, and what it said. */
export function modelCall(data) {
  const text = [["system", "System prompt"], ["user", "Prompt"], ["reply", "Reply"]];
  return part(`Call of ${data.model || "a model"} as ${data.role}`,
    facts([
      ["Prompt", data.prompt], ["Hash", data.digest && element("code", {}, data.digest)],
      ["Tokens", `${number(data.input_tokens ?? 0)} in, ${number(data.output_tokens ?? 0)} out${data.estimated ? ", estimated" : ""}`],
      ["Price", dollars(data.price)], ["Time", lasting(data.ms ?? 0)],
      ["Attempts", data.attempts === 0 ? "none: from the cache" : data.attempts > 1 ? data.attempts : null], ["Ended by", data.finish_reason],
    ]),
    data.error && notice("bad", "It failed", element("p", {}, data.error), data.reason && element("p.small", {}, data.reason)),
    text.filter(([key]) => data[key]).map(([key, title]) => element("details.fold.said", { open: key === "reply" },
      element("summary", {}, title, " ", element("span.small.soft", {}, counted(data[key].length, "character"))), block(data[key], title))));
}

export function dollars(price) {
  return typeof price === "number" ? `$${price < 0.01 ? price.toFixed(6) : price.toFixed(4)}` : null;
}

export function plainStatement(data) {
  return part("Checked is", element("p.marked-question", {}, data.text), data.turned && element("p.small", {}, "It is said not to be so: the verdict is turned over."));
}
