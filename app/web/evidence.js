// The evidence of one answer: its picture, the facts and passages by their numbers, and the query.

import { isPassage, pictured } from "./answer_model.js";
import { cypherBlock } from "./cypher.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { inWords, nodeCard, picture } from "./picture.js";
import { counted, labelWords, relationWords, shownName } from "./words.js";

const DRAWN = 24; // Facts in the picture, as long as nobody wants all of them.
const LISTED = 30;

/** What the panel shows of a result. `shown` as `numbered` gives it; `ask` puts a name into the question. */
export function evidenceOf(result, shown, ask) {
  return [
    element("p.panel-question.soft", {}, result.question),
    pictureSection(result, ask),
    factsSection(result, shown),
    querySection(result),
    readingSection(result),
  ].filter(Boolean);
}

function pictureSection(result, ask) {
  const place = element("section.panel-section", { "aria-label": "Picture" });
  const draw = (most) => {
    const graph = pictured(result, most);
    if (graph.nodes.length < 2) return null;
    const card = element("div.node-card", { role: "status" });
    const all = graph.left > 0 && element("button.button.quiet.small",
      { type: "button", onclick: () => draw(Infinity) }, `Show ${counted(graph.left, "more relation")}`);
    return fill(place, picture(graph, (node) => nodeCard(card, node, ask)), inWords(graph), all, card);
  };
  return draw(DRAWN);
}

function factsSection(result, shown) {
  if (!shown.length) return element("p.empty", {}, "There is no evidence to show.");
  const items = shown.map(({ item, number }) => fact(item, number, result));
  const list = element("ol.facts", {}, items.slice(0, LISTED));
  const rest = items.slice(LISTED);
  const more = rest.length > 0 && element("button.button.quiet.small", { type: "button" }, `Show ${counted(rest.length, "more fact")}`);
  if (more) {
    more.addEventListener("click", () => {
      list.append(...rest);
      more.remove();
      rest[0].focus();
    });
  }
  return element("section.panel-section", { "aria-label": "Facts" }, list, more);
}

function fact(item, number, result) {
  return element(`li.fact${number === null ? "" : ".cited"}`, { id: number === null ? null : `fact-${number}`, tabindex: "-1" },
    element("span.fact-number", {}, number === null ? "" : [element("span.seen-by-readers", {}, "Evidence "), number]),
    element("div.fact-body", {},
      isPassage(item) ? passage(item, result) : triplet(item),
      properties(item.properties),
      foundBy(item)));
}

function triplet(item) {
  return element("p.triplet", {},
    element("span.triplet-end", { title: item.head.label }, shownName(item.head.name)), " ",
    element("span.triplet-relation", { title: item.relation },
      element("span", { "aria-hidden": "true" }, "—"), relationWords(item.relation), element("span", { "aria-hidden": "true" }, "→")), " ",
    element("span.triplet-end", { title: item.tail.label }, shownName(item.tail.name)));
}

function passage(item, result) {
  const place = item.relation === "text" ? "" : item.relation;
  const span = result.answers.find((answer) => answer.passage?.id === item.tail.id)?.passage;
  const said = result.answers.find((answer) => item.supports.includes(answer.id ?? answer.name))?.name ?? "";
  return [
    element("p.passage-source", {}, element("strong", {}, item.head.name), place && ` · ${place}`),
    rowsOf(item) ?? element("blockquote.passage", {}, span ? markedAt(item.tail.name, span) : marked(item.tail.name, said)),
  ];
}

/** The rows of a table: each is "column: cell; column: cell", below the table's title. Null where it is none, or where its
 *  cells cannot be told apart. */
function rowsOf(item) {
  if (!/\brows? \d+(-\d+)?$/.test(item.relation)) return null;
  const lines = item.tail.name.split("\n");
  const rows = lines.map((line) => line.split("; ").map((cell) => /^([^:]+): (.*)$/.exec(cell)));
  const body = rows.filter((row, place) => place > 0 || row.every(Boolean));
  if (!body.length || !body.every((row) => row.every(Boolean))) return null;
  const columns = [...new Set(body.flatMap((row) => row.map(([, name]) => name)))];
  const cells = (row) => columns.map((name) => element("td", {}, row.find(([, each]) => each === name)?.[2] ?? ""));
  return element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Rows of the table" }, element("table.table", {},
    element("thead", {}, element("tr", {}, columns.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, body.map((row) => element("tr", {}, cells(row))))));
}

/** A text in which a span is marked. The offsets count characters, not UTF-16 units. */
function markedAt(text, { start, end }) {
  const characters = Array.from(text);
  const part = (from, to) => characters.slice(from, to).join("");
  return [part(0, start), element("mark", {}, part(start, end)), part(end)];
}

/** A text in which one part is marked. */
function marked(text, part) {
  const at = part ? text.indexOf(part) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), element("mark", {}, part), text.slice(at + part.length)];
}

function properties(values) {
  const given = Object.entries(values);
  if (!given.length) return null;
  return element("dl.properties", {}, given.map(([name, value]) =>
    element("div", {}, element("dt", {}, relationWords(name)), element("dd", {}, typeof value === "string" ? value : JSON.stringify(value)))));
}

function foundBy(item) {
  if (!item.found_by.length) return null;
  const ways = item.found_by.map((each) => each.strategy);
  return element("details.found-by", {},
    element("summary", {}, `Found by ${[...new Set(ways)].join(" and ")}`),
    item.found_by.map((each) => element("div", {},
      element("p.small.soft", {}, `${each.strategy}, round ${each.iteration}, score ${each.score.toFixed(2)}`),
      each.cypher && cypherBlock(each.cypher, each.parameters))));
}

function querySection(result) {
  if (!result.cypher) return null;
  const found = result.evidence.flatMap((item) => item.found_by).find((each) => each.cypher === result.cypher);
  return element("section.panel-section", {},
    element("h3", {}, "The query that gave the answers"), cypherBlock(result.cypher, found?.parameters));
}

function readingSection(result) {
  const mentions = result.linked.filter((mention) => mention.candidates.length);
  if (!mentions.length) return null;
  return element("section.panel-section", {}, element("h3", {}, "How the names were read"),
    element("ul.readings", {}, mentions.map((mention) => element("li", {},
      element("span", {}, `“${mention.text}”`), icon("arrow"),
      element("span", {}, shownName(mention.candidates[0].name), " ", element("span.tag", {}, labelWords(mention.candidates[0].label))),
      mention.candidates.length > 1 && element("p.small.soft", {}, "also: ",
        mention.candidates.slice(1, 4).map((each) => `${shownName(each.name)} (${labelWords(each.label)})`).join(", "))))));
}
