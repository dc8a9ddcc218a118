// Queries: the candidates and how likely each was, what was generated, corrected and run, with parameters, plan and rows.

import { cypherBlock } from "./cypher.js";
import { element } from "./dom.js";
import { block, decimals, facts, fold, items, leftOut, lines, notice, part, percent, plain, share, table } from "./trace_parts.js";
import { counted, lasting, number, shownName } from "./words.js";

/** The valid queries as the ranker has them, best first. */
export function rankedQueries(data, { ran }) {
  const given = items(data.candidates);
  const best = Math.max(...given.map((each) => Math.abs(each.score)), 1e-9);
  const rows = given.map((each, rank) => [
    number(rank + 1),
    element("div", {}, each.words, " ", ran.has(each.words) && element("span.tag.good", {}, "ran"),
      each.query && element("code.small.query-line", {}, each.query)),
    each.shape, share(each.score, decimals(each.score), best), reasons(each.reasons),
  ]);
  return part(`Valid queries, as the ranker orders them`,
    element("p.small.soft", {}, `The first ${number(given.length)} of ${number(data.considered ?? given.length)}.`),
    table("Ranked queries", ["#", "Query", "Shape", "Score", "Reasons"], rows) ?? element("p.soft", {}, "There is none."));
}

function reasons(given) {
  const pairs = Object.entries(given ?? {}).filter(([, value]) => value !== 0 && value !== "");
  return pairs.map(([name, value]) => `${name} ${typeof value === "number" ? decimals(value, 2) : plain(value)}`).join(", ");
}

/** What the generator held likeliest, and what the trie left it to choose from on the way. */
export function generator(data) {
  if (data.failed) return notice("bad", "The generator failed", element("p", {}, data.failed), element("p", {}, `${data.remedy ?? ""} Instead: ${data.instead}.`));
  const chosen = items(data.chosen);
  const rows = chosen.map((each, rank) => [number(rank + 1), element("code.query-line", {}, each.query), share(each.probability, percent(each.probability))]);
  return part(`Chosen by ${data.by}`,
    facts([["Candidates", number(data.considered ?? chosen.length)], ["Passes of the model", data.passes], ["Time", lasting(data.ms ?? 0)],
      ["Proven the best", data.exact ? "yes" : "no, the time was over"]]),
    table("Likeliest queries", ["#", "Query", "Probability"], rows),
    chosen.map((each, rank) => trie(each, rank)));
}

/** The branching nodes of the trie on the way to one query: each token that was taken, and what stood beside it. */
function trie(each, rank) {
  const steps = items(each.choices);
  if (!steps.length) return null;
  const list = element("ol.trie", {}, steps.map((step) => element("li.trie-step", {},
    items(step.options).map(([token, probability]) => element(token === step.taken ? "div.trie-option.taken" : "div.trie-option", {},
      element("code", {}, token === "" ? "(end)" : JSON.stringify(token)), share(probability, percent(probability)),
      token === step.taken && element("span.seen-by-readers", {}, "taken"))),
    element("p.small.soft", {}, `of ${counted(step.of ?? 0, "token")} that the trie allows`))));
  const title = `${counted(steps.length, "choice")} on the way to query ${rank + 1}`;
  return element("details.fold", { open: rank === 0 }, element("summary", {}, title), list);
}

export function nodeReasoner(data) {
  if (data.failed) return notice("bad", "The node reasoner failed", element("p", {}, data.failed), element("p", {}, `${data.remedy ?? ""} Instead: ${data.instead}.`));
  return part(`Answers in the order of ${data.by}`, facts([["Queries read", data.queries], ["Left out", items(data.left_out).map(([name]) => name).join(", ") || null]]),
    table("Nodes", ["Node", "Probability"], items(data.nodes).map(([name, probability]) => [name, share(probability, percent(probability))])));
}

/** A query that ran, or a reading that was searched, with what it gave. */
export function attempt(data, title = "Query") {
  return part(data.words ? `${title}: ${data.words}` : title,
    data.cypher && cypherBlock(data.cypher, data.parameters ?? {}),
    data.sent && data.sent !== data.cypher && fold("As it was sent, with the columns that tell which nodes the rows are", block(data.sent, "Cypher as sent")),
    facts([
      ["Rows", typeof data.rows === "number" ? number(data.rows) : null],
      ["Truncated", data.truncated ? element("span.tag.warn", {}, "yes, at the limit of rows") : null],
      ["Confidence", decimals(data.confidence, 2)],
      ["Distance", typeof data.distance === "number" ? decimals(data.distance) : null],
      ["Time", typeof data.ms === "number" ? lasting(data.ms) : null],
      ["From", items(data.anchors).map((each) => shownName(each.name)).join(", ")],
      ["Origin", data.by_model ? "the model" : null],
    ]),
    rows(data));
}

function rows(data) {
  const answers = items(data.answers);
  const [cells, columns] = [items(data.table), items(data.columns)];
  if (cells.length && columns.length) return table("Rows", columns, cells.map((row) => items(row).map((cell) => plain(cell) || "–")));
  if (!answers.length) return element("p.soft", {}, data.none ? "No rows, which is the answer." : "No rows.");
  const fits = data.fits ?? {};
  const withFit = answers.some((each) => each.id in fits);
  const more = data.rows > answers.length ? element("p.small.soft", {}, `The first ${answers.length} of ${number(data.rows)}.`) : null;
  return [table("Rows", ["Name", "Label", withFit ? "Fit" : "#Support", "Says"], answers.map((each) => [
    shownName(each.name), each.label, withFit ? share(fits[each.id]) : number(each.support ?? 1), each.detail ?? "",
  ])), more];
}

/** A model's query on its way: as it was written, corrected by the schema, and run. */
export function modelQuery({ generated, corrected, outcome }) {
  const changes = items(corrected?.changes);
  return part("The model’s query",
    element("div.sides", {},
      element("div.side", {}, element("h5", {}, "Generated"), cypherBlock(generated.cypher ?? "")),
      element("div.side", {}, element("h5", {}, "Corrected by the schema and the names of the graph"),
        corrected ? cypherBlock(corrected.cypher ?? "", corrected.parameters ?? {}) : element("p.soft", {}, "It could not be corrected."))),
    changes.length > 0 && [element("h5", {}, "Changes"), lines(changes)],
    items(corrected?.doubts).length > 0 && [element("h5", {}, "Doubts"), lines(corrected.doubts)],
    corrected && !changes.length && element("p.small.soft", {}, "Nothing had to be changed."),
    outcome && (outcome.message ? failed(outcome) : attempt({ ...outcome, ...sameAs(corrected, outcome) }, "Executed")));
}

/** What was run is not shown twice where it is what was corrected. */
function sameAs(corrected, outcome) {
  return corrected?.cypher === outcome.cypher ? { cypher: "", sent: outcome.sent === outcome.cypher ? "" : outcome.sent } : {};
}

export function failed(data) {
  return notice("bad", "Failed", element("p", {}, plain(data.message ?? data.problem ?? data)), data.cypher && fold("Query", block(data.cypher, "Cypher")));
}

export function databasePlan(data) {
  if (data.text !== undefined) return fold("How the database runs it", block(data.text, "Plan"));
  return part("The plan", lines(items(data.steps), ".mono"), facts([["Answer", plain(data.answer ?? "")]]),
    items(data.changes).length > 0 && [element("h5", {}, "Changes"), lines(data.changes)]);
}

/** A step of a plan. */
export function planStep(data) {
  const values = items(data.values);
  return part(`Step ${data.name}${data.draft ? `, of “${data.draft}”` : ""}`,
    data.note && element("p.small", {}, data.note),
    data.cypher && cypherBlock(data.cypher, data.parameters ?? {}),
    facts([["Found", number(data.found ?? 0)], ["Time", lasting(data.ms ?? 0)], ["Truncated", data.truncated ? "yes" : null]]),
    table("Nodes", ["Node", "Label", "Score"], items(data.nodes).map(([name, label, score]) => [name, label, share(score)])),
    values.length > 0 && lines(values));
}

export function drafts(data) {
  const given = items(data.candidates);
  const best = Math.max(...given.map((each) => each.score), 1e-9);
  return part("Plans of the question’s parts", table("Drafts", ["Plan", "Score"], given.map((each) => [each.words, share(each.score, decimals(each.score), best)])),
    leftOut(data.candidates));
}

export function refusedPlan(data) {
  return [notice("bad", "The plan was refused", element("p", {}, data.problem)), fold("As the model wrote it", block(data.reply ?? "", "Reply"))];
}
