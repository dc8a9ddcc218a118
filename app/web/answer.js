// The answers of a result, each with the numbers of its evidence.

import { get, part } from "./api.js";
import { answerKey, isOfDocument, isValue, spoken } from "./answer_model.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { labelColours } from "./label_colours.js";
import { counted, labelWords, shownName } from "./words.js";

const SHOWN = 12;
const UNSURE = 0.6; // Of results that were kept before they said whether they are sure.

/** `cited` as `numbered` gives it; `open` is called with the number of a piece of evidence. */
export function answerBlock(result, cited, open) {
  if (!result.answers.length) return nothing(result);
  const marks = (answer) => citations(cited.get(answerKey(answer)) ?? [], open);
  if (result.answers.some((answer) => isOfDocument(answer.label))) return passages(result.answers, marks);
  if (result.answers.length === 1) return single(result, marks);
  return hasColumns(result.answers) ? columns(result.answers, marks) : several(result, marks);
}

/** Whether all answers have the same values beside their names, and several of them. */
function hasColumns(answers) {
  const names = new Set(answers.map(({ values }) => JSON.stringify(Object.keys(values ?? {}))));
  return names.size === 1 && Object.keys(answers[0].values ?? {}).length > 1 && !answers.some(({ near }) => near);
}

function columns(answers, marks) {
  const names = Object.keys(answers[0].values);
  const numeric = names.map((name) => answers.every(({ values }) => values[name] === null || typeof values[name] === "number"));
  const row = (answer) => element("tr", {}, element("th", { scope: "row" }, shownName(answer.name), marks(answer)),
    names.map((name, place) => element(numeric[place] ? "td.number" : "td", {}, cell(answer.values[name]))));
  const rows = answers.map(row);
  const body = element("tbody", {}, rows.slice(0, SHOWN));
  return element("div", {}, element("p.answers-count", {}, counted(answers.length, "answer")),
    element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Answers" }, element("table.table", {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, isValue(answers[0]) ? "" : labelWords(answers[0].label ?? "")),
        names.map((name, place) => element(numeric[place] ? "th.number" : "th", { scope: "col" }, name)))), body)),
    more(rows, body));
}

function cell(value) {
  if (Array.isArray(value)) return value.map(cell).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? String(Math.round(value * 10000) / 10000) : value ?? "";
}

/** How sure the answer is, as a bar and in words. */
export function confidence(result) {
  const { confidence: value, sure = value >= UNSURE } = result;
  const words = !sure ? "Low certainty" : value >= 0.8 ? "Sure" : "Fairly sure";
  const bar = element("span.confidence-bar", { "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.inlineSize = `${Math.round(value * 100)}%`;
  return element(`span.confidence${sure ? "" : ".low"}`, { title: sure ? "Confidence, from 0 to 1" : "Low certainty: the question can be read another way" },
    bar, `${words} `, element("span.number", {}, value.toFixed(2)));
}

function nothing(result) {
  const isUnlinked = !result.linked?.some(({ candidates }) => candidates.length) && !result.unmatched?.length;
  const said = spoken(result).replace(/^No answer found\.\s*/, "").replace(isUnlinked ? /I couldn't match any name in [^.]*\.( Try [^.]*\.)?\s*/ : "", "");
  return element("div.notice", {}, icon("question"), element("strong", {}, "No answer found."),
    isUnlinked && element("p", {}, "I couldn’t match any name in your question to this graph. Try a full name, or look for it on the ", element("a", { href: `/explore#${new URLSearchParams({ graph: result.graph })}` }, "Explore"), " page.", example(result.graph)),
    said && (isUnlinked ? element("details.fold.small", {}, element("summary", {}, "What was tried"), element("p", {}, said)) : element("p", {}, said)));
}

/** A question that the graph answers, once it is known; nothing where there is none. */
function example(graph) {
  const place = element("span", {});
  get(`/api/graphs/${part(graph)}/examples`).then(([first]) => first && fill(place, ` This graph answers questions such as “${first}”`)).catch(() => {});
  return place;
}

/** The sentence of the answer with its name marked; the name alone where there is none that has it. */
function single(result, marks) {
  const [answer] = result.answers;
  const said = result.sentence ?? "";
  const name = shownName(answer.name);
  const at = [name, name.charAt(0).toUpperCase() + name.slice(1)].map((each) => said.indexOf(each)).find((place) => place >= 0) ?? -1;
  const [before, inside, after] = at < 0 || said.startsWith("The answer is ") ? ["", name, ""] : [said.slice(0, at), said.slice(at, at + name.length), said.slice(at + name.length)];
  return element("p.answer-one", {}, before && element("span.answer-words", {}, before), element("span.answer-name", {}, inside), marks(answer),
    after && element("span.answer-words", {}, after), notes(answer));
}

function several({ answers, sentence = "" }, marks) {
  const colours = labelColours(answers);
  const mixed = colours.size > 1;
  const item = (answer) => element("li", {},
    mixed && element(`span.dot.label-${colours.get(answer.label)}`, { title: labelWords(answer.label) }),
    element("span.answer-name", {}, shownName(answer.name)), marks(answer), notes(answer, mixed));
  const fitting = answers.filter(({ near }) => !near);
  const items = fitting.map(item);
  const near = answers.filter((answer) => answer.near).map(item);
  const list = element(`ol.answers${answers.length > 5 ? ".many" : ""}`, {}, items.slice(0, SHOWN));
  return element("div", {},
    sentence && !/^There are [\d,]+ answers: /.test(sentence) && element("p.answer-sentence", {}, sentence),
    element("p.answers-count", {}, fitting.length ? counted(fitting.length, "answer") : "Nothing fits all of the question.",
      !mixed && answers[0].label && element("span.tag", {}, labelWords(answers[0].label))),
    list, more(items, list),
    near.length > 0 && element("details.fold.small", { open: !fitting.length }, element("summary", {}, `Near to it: ${near.length}`),
      element("ol.answers", {}, near)));
}

function passages(answers, marks) {
  return element("ol.answers.passages", {}, answers.map((answer) => element("li", {},
    isOfDocument(answer.label)
      ? element("blockquote.said", {}, answer.name, marks(answer))
      : element("p.answer-one", {}, element("span.answer-name", {}, shownName(answer.name)), marks(answer)),
    answer.detail && element("p.small.soft", {}, answer.detail))));
}

function more(items, list) {
  if (items.length <= SHOWN) return null;
  const button = element("button.button.quiet.small", { type: "button" }, `Show all ${counted(items.length, "answer")}`);
  button.addEventListener("click", () => {
    list.append(...items.slice(SHOWN));
    button.remove();
    list.tabIndex = -1;
    list.focus({ preventScroll: true });
  });
  return button;
}

function citations(numbers, open) {
  return numbers.map((number) => element("button.citation", {
    type: "button", "aria-label": `Evidence ${number}`, "data-number": number, onclick: (event) => open(number, event.currentTarget),
  }, number));
}

/** What stands beside an answer: what was asked for, or else the numbers that decide that it is one. */
function beside({ detail, values }) {
  return detail || Object.entries(values ?? {}).map(([name, value]) => `${name} ${cell(value)}`).join(", ");
}

function notes(answer, labelled = true) {
  return [
    labelled && answer.label && !isValue(answer) && element("span.tag", {}, labelWords(answer.label)),
    beside(answer) && element("span.soft.small", {}, beside(answer)),
    answer.own && element("span.tag.warn", { title: "It is not in the evidence." }, "the model’s own"),
  ].filter(Boolean).map((note) => [" ", note]);
}
