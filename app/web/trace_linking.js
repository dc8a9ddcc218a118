// How words became entities: readings, candidates, searches of names, and what a model's linker offered.

import { element } from "./dom.js";
import { decimals, facts, fold, items, leftOut, lines, notice, part, share, table, tags } from "./trace_parts.js";
import { counted, shownName } from "./words.js";

const MATCHERS = {
  exact: "the name as it is written",
  normalised: "the name but for case, accents or an alias",
  fuzzy: "a name by edit distance",
  dense: "a name by meaning (nearest vectors)",
};

/** The mentions of a question and what each may stand for. */
export function reading(data, { question }) {
  if (data.words) return aggregation(data);
  return [
    part("Names in the question", marked(question, items(data.mentions)), candidates(data.mentions, "Mentions"),
      !items(data.mentions).length && element("p.soft", {}, "No words of the question match a name in the graph.")),
    others("readings that lost", data.alternatives),
    data.claims && part("Claims", lines(data.claims)),
    data.finished && element("p.small.soft", {}, "There is nothing left to try."),
  ];
}

export function candidateChoice(data, { question }) {
  return [
    part("Linked entities", marked(question, items(data.mentions)), candidates(data.mentions, "Linked entities")),
    items(data.drafts).length > 0 && part("Draft answers of the model, looked up", candidates(data.drafts, "Draft answers")),
    others("readings of the index that gave way to the model's", data.lost),
    items(data.ambiguous).length > 0 && notice("warn", "Ambiguous",
      lines(items(data.ambiguous).map(([text, name, label]) => `“${text}” is taken for ${name} (${label}), and may be another`))),
    facts([["New entities", items(data.new).length || null], ["New queries and paths", items(data.proposed).length || null]]),
    items(data.proposed).length > 0 && fold("New queries and paths", lines(data.proposed, ".mono")),
  ];
}

/** A search of the entity index: what came, how near, and what was kept. */
export function lookedUp(data) {
  const how = data.dense ? "by spelling and by meaning (HNSW)" : "by spelling";
  const rows = items(data.found).map(([name, label, score, matcher, matched, kept]) => [
    name, label, share(score), matcher, matched === name ? "" : matched,
    kept ? element("span.tag.good", {}, "kept") : element("span.soft", {}, "too far"),
  ]);
  return part(`“${data.text}” looked up ${how}`,
    table(`Entities near “${data.text}”`, ["Entity", "Label", "Score", "Matcher", "As", ""], rows)
      ?? element("p.soft", {}, "Nothing is near it."));
}

function candidates(mentions, caption) {
  const rows = items(mentions).flatMap((mention) => items(mention.candidates).map((each, rank) => [
    rank ? "" : element("span", {}, element("strong", {}, mention.said ?? mention.text), mention.source && mention.source !== "question"
      ? [" ", element("span.tag", {}, mention.source === "draft" ? "draft" : "the model's")] : null),
    rank ? shownName(each.name) : element("strong", {}, shownName(each.name)), each.label, share(each.score),
    element("span", { title: MATCHERS[each.matcher] ?? null }, each.matcher),
    each.matched === each.name ? "" : each.matched,
  ]));
  return [table(caption, ["Words", "Entity", "Label", "Score", "Matcher", "As"], rows), leftOut(mentions),
    rows.length > 0 && element("p.small.soft", {}, "Best first: the first one of each is what queries start from. ", usedMatchers(mentions))];
}

function usedMatchers(mentions) {
  const used = new Set(items(mentions).flatMap((mention) => items(mention.candidates).map((each) => each.matcher)));
  return [...used].filter((each) => MATCHERS[each]).map((each) => `${each}: ${MATCHERS[each]}`).join("; ");
}

function others(what, mentions) {
  const given = items(mentions);
  return given.length > 0 && fold(`${counted(given.length, what.replace(/^readings/, "reading"), what)}`, candidates(mentions, what));
}

/** The question with its mentions marked; places count characters, not units of UTF-16. */
function marked(question, mentions) {
  const placed = mentions.filter((each) => each.start < each.end).sort((a, b) => a.start - b.start);
  if (!placed.length || !question) return null;
  const letters = [...question];
  const text = (start, end) => letters.slice(start, end).join("");
  const parts = [];
  let done = 0;
  for (const { start, end, candidates: known } of placed) {
    if (start < done) continue;
    const first = items(known)[0];
    parts.push(text(done, start), element("mark", { title: first ? `${shownName(first.name)} (${first.label})` : "to be looked up" }, text(start, end)));
    done = end;
  }
  return element("p.marked-question", {}, parts, text(done));
}

function aggregation(data) {
  return part("Read as", element("p", {}, data.words),
    facts([["Guesses", data.guesses], ["Not explained", items(data.unexplained).join(", ")]]));
}

const PARTS = [["entities", "Entities"], ["paths", "Relation paths"], ["cypher", "Cypher"], ["answers", "Draft answers"]];

/** What the model wrote beside what was used of it. */
export function artifacts(data) {
  const raw = items(data.raw);
  const used = { ...data, paths: items(data.paths).map(pathWords) };
  const rows = PARTS.filter(([key]) => items(used[key]).length || raw.some((reply) => items(reply[key]).length));
  return part("What the linker’s model offered",
    data.degraded && notice("bad", "Not usable", element("p", {}, data.degraded)),
    rows.length > 0 && element("div.sides", {}, rows.map(([key, title]) => [
      side(`${title}, as the model wrote them`, raw.flatMap((reply) => items(reply[key])), items(used[key])),
      side(`${title}, as they were used`, items(used[key]), raw.flatMap((reply) => items(reply[key]))),
    ])),
    facts([["Asked again", data.repaired ? "yes, to repair its reply" : null], ["Says that this is enough", data.finished ? "yes" : null]]),
    items(data.notes).length > 0 && [element("h5", {}, "What was corrected or left out"), lines(data.notes)]);
}

/** One side of a comparison; what the other side lacks is marked. */
function side(title, here, there) {
  const known = new Set(there.map(String));
  return element("div.side", {}, element("h5", {}, title),
    here.length ? element("ul.lines.mono", {}, here.map((each) =>
      element(known.has(String(each)) ? "li" : "li.only", {}, String(each)))) : element("p.soft", {}, "–"));
}

function pathWords(path) {
  if (!Array.isArray(path)) return String(path);
  return items(path).map((step) => `${step.forward === false ? "^" : ""}${step.relation}`).join(" -> ");
}

export function schemaCut(data) {
  return part("Schema shown to the model", element("p.small", {}, `Not all of it had room. Left out: ${JSON.stringify(data.left_out)}`));
}

export function followUp(data) {
  return part("Read with the conversation", element("p.marked-question", {}, data.question), facts([["Rule", data.rule]]),
    table("What the conversation gives", ["Words", "Entity", "Label", "Matcher", "#Score"],
      items(data.given).map(([text, name, label, matcher, score]) => [text, name, label, matcher, decimals(score, 2)])));
}

/** Which entity the user was asked to choose, and which it was. */
export function userChoice(data) {
  const rows = items(data.candidates).map((each) => [
    shownName(each.name), items(each.labels).join(", "), each.about, each.asks, each.id === data.chosen ? element("span.tag.good", {}, "chosen") : "",
  ]);
  return part(`Asked which “${data.mention}” is meant`, table("Choice", ["Entity", "Labels", "About", "It would ask", ""], rows),
    data.chosen === null && element("p.small", {}, "The user said: any of them."));
}

/** Which entities a strategy starts from. */
export function around(data) {
  return part("Looked around", tags(items(data.entities).map(([name, label]) => `${name} (${label})`)),
    facts([["Hops", data.hops], ["Scored at most", data.most]]));
}
