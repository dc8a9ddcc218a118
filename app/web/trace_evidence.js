// What was found around the entities: triplets, paths, patterns with their distances, texts, and what was kept of it all.

import { element } from "./dom.js";
import { decimals, facts, fold, items, leftOut, lines, part, plain, share, table, tags } from "./trace_parts.js";
import { counted, lasting, number } from "./words.js";

export function scoredTriplets(data) {
  const given = items(data.scored);
  const best = Math.max(...given.map(([, , , score]) => Math.abs(score)), 1e-9);
  return part("Triplets nearest to the question", facts([["Collected", data.collected]]),
    table("Triplets", ["Head", "Relation", "Tail", "Score"], given.map(([head, relation, tail, score]) =>
      [head, element("code", {}, relation), tail, share(score, decimals(score), best)])));
}

export function relations(data) {
  return part("Relations nearest to the question", tags(data.kept), facts([["Offered", data.offered]]));
}

/** The evidence after merging, and what had no room. */
export function selected(data) {
  const given = items(data.triplets);
  return part("Evidence kept",
    facts([["Kept", number(data.kept)], ["No room for", number(data.dropped)], ["Budget", `${number(data.budget_tokens)} tokens`]]),
    table("Evidence", ["Head", "Relation", "Tail", "Score", "Found by"], given.map(([head, relation, tail, score, by], place) =>
      [place < data.kept ? head : element("s", {}, head), element("code", {}, relation), tail, share(score), items(by).join(", ")])),
    data.kept + data.dropped > given.length && element("p.small.soft", {}, `The first ${number(given.length)}.`));
}

export function shortest(data) {
  const ways = items(data.ways).map((way) => items(way).map(([head, relation, tail]) => `${head} —${relation}→ ${tail}`).join(", "));
  return part(`Shortest paths from ${data.source} to ${data.target}`,
    data.paths ? lines(ways) : element("p.soft", {}, "None within the limit of hops."),
    data.paths > ways.length && element("p.small.soft", {}, `${counted(data.paths, "path")} in all.`));
}

export function deadEnd(data) {
  return part(`The path ${data.path} leads nowhere`, lines(data.stops));
}

export function fromDrafts(data) {
  return part(`The path ${data.path}, followed from the draft answers`, facts([["Triplets", number(data.triplets ?? 0)]]));
}

/** The question as a small graph, and the candidates of its parts. */
export function pattern(data) {
  const nodes = items(data.nodes);
  const name = (place) => nodes[place]?.text ?? `unknown ${nodes[place]?.type ?? "node"}`;
  const rows = items(data.edges).map((edge) => [name(edge.head), element("code", {}, edge.relation ?? "unknown"), edge.directed ? "→" : "–", name(edge.tail)]);
  return part(data.by_model === false ? "Pattern of a ranked query" : "Pattern of the model",
    table("Pattern", ["From", "Relation", "", "To"], rows),
    facts([["Asked for", typeof data.asked === "number" ? name(data.asked) : null]]),
    items(data.segments).length > 0 && [element("h5", {}, "Written from"), lines(data.segments)],
    items(data.notes).length > 0 && [element("h5", {}, "Notes"), lines(data.notes)],
    nearest("Nearest relations and labels", data.candidates));
}

function nearest(title, candidates) {
  const rows = Object.entries(candidates ?? {}).flatMap(([place, near]) => items(near).map((each, rank) => {
    const [name, distance] = Array.isArray(each) ? each : [each, null];
    return [rank ? "" : element("strong", {}, place), name, decimals(distance)];
  }));
  return rows.length > 0 && fold(title, table(title, ["Part", "Candidate", "#Distance"], rows));
}

/** What each part of the pattern is mapped to in the readings of smallest graph semantic distance. */
export function matches(data) {
  const readings = items(data.mapping);
  const parts = items(readings[0]).map(([wanted]) => wanted);
  const columns = ["Part", ...readings.map((_, place) => `Reading ${place + 1}`)];
  const rows = parts.map((wanted, place) => [element("strong", {}, wanted), ...readings.map((reading) => {
    const [, mapped, distance] = reading[place] ?? [];
    return element("span", {}, mapped, typeof distance === "number" ? element("span.small.soft", {}, ` ${decimals(distance)}`) : null);
  })]);
  const sums = [element("strong", {}, "Graph semantic distance"), ...items(data.gsd).map((each) => element("strong", {}, decimals(each)))];
  const ties = ["As good in the same way", ...items(data.ties).map((each) => counted(each, "subgraph"))];
  return part("Readings of smallest graph semantic distance",
    readings.length ? table("Mapping", columns, [...rows, sums, ties]) : element("p.soft", {}, "No subgraph fits."),
    facts([
      ["Bound", data.bound === null ? "none: there are no other readings" : decimals(data.bound)],
      ["Proven", data.proven ? "yes: every other reading is at least as far as the bound" : "no: the time was over"],
      ["States expanded", number(data.expanded ?? 0)], ["Time", lasting(data.ms ?? 0)],
    ]),
    nearest("Nearest nodes", data.candidates));
}

export function textHits(data) {
  const rows = items(data.found).map(([name, label, property, score, bm25, cosine, excerpt]) =>
    [name, label, property, share(score), decimals(bm25, 2), decimals(cosine), excerpt ?? ""]);
  return part("Nodes by their texts", table("Hits", ["Node", "Label", "Property", "Score", "#BM25", "#Cosine", "Text"], rows));
}

export function expansion(data) {
  return part(`Neighbours, by the policy ${data.policy}`,
    table("Added", ["Node", "Label", "Score"], items(data.added).map(([name, label, score]) => [name, label, share(score)]))
      ?? element("p.soft", {}, "None was added."));
}

export function passages(data) {
  const rows = items(data.found).map(([source, score, channels, text]) =>
    [source, share(score), Object.entries(channels ?? {}).map(([name, value]) => `${name} ${decimals(value, 2)}`).join(", "), text]);
  return part("Passages", items(data.bridge).length > 0 && element("p.small", {}, "Also searched for what the graph answers: ", tags(data.bridge)),
    table("Passages", ["Document", "Score", "Channels", "Text"], rows));
}

/** What was read in the passages: the spans that may answer, best first. */
export function answerSpans(data) {
  const rows = items(data.found).map(([text, kind, sure, source, features]) =>
    [text, kind, share(sure), source, Object.entries(features ?? {}).map(([name, value]) => `${name} ${decimals(value, 2)}`).join(", ")]);
  return part("Read in the passages",
    facts([["Asked for", data.asked], ["Noun", data.noun || "none"], ["Words", items(data.words).join(", ")]]),
    table("Spans", ["Span", "Kind", "Confidence", "Document", "Features"], rows) ?? element("p.soft", {}, "No span may be the answer."));
}

/** One hop of a model's walk. */
export function hop(data) {
  return part(`Hop ${data.number}`, element("p.small", {}, "From ", tags(data.frontier)),
    element("h5", {}, "Chosen"), items(data.selected).length ? element("p", {}, tags(data.selected, ".good")) : element("p.soft", {}, "Nothing."),
    fold(`${counted(items(data.offered).length, "relation")} offered`, tags(data.offered)), leftOut(data.offered),
    items(data.notes).length > 0 && lines(data.notes));
}

export function walkEnd(data) {
  return part("Why the walk ended", element("p", {}, data.why), facts([["Triplets", number(data.triplets ?? 0)]]));
}

/** What a statement's claim came to. */
export function claim(data) {
  return part(data.claim, facts([["Verdict", verdictTag(data.verdict)], ["Confidence", decimals(data.confidence, 2)], ["Read as", data.reading],
    ["Evidence", counted(items(data.evidence).length, "triplet")]]), element("p", {}, data.reason));
}

/** How a claim was read, or a question: the forms that fit it, with what they cost. */
export function claimReadings(data) {
  if (data.readings) return fold(data.claim ? `How “${data.claim}” was read` : "How the question was read", formTable(items(data.readings)));
  const rows = items(data.paths).map((path) => {
    const given = items(path);
    const score = given.at(-1);
    return [given.slice(0, -1).map(plain).join(" "), typeof score === "number" ? share(score) : plain(score ?? "")];
  });
  return fold(`How “${data.claim}” was read`, table("Readings", ["Path", "Score"], rows));
}

function formTable(readings) {
  return table("Readings", ["Reading", "Cost", "Not explained"], readings.map((each) => [
    each.words ?? "", typeof each.cost === "number" ? decimals(each.cost, 2) : "", items(each.unexplained).join(", ")]));
}

export function verdict(data) {
  return part("Verdict", facts([["Verdict", verdictTag(data.verdict)], ["Confidence", decimals(data.confidence, 2)],
    ["Judged by", data.by_model ? "the model, over the facts" : "the findings"]]));
}

export function verdictTag(verdict) {
  const kind = verdict === "supported" ? ".good" : verdict === "refuted" ? ".bad" : ".warn";
  return element(`span.tag${kind}`, {}, verdict);
}
