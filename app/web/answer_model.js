// What a result says: its answers, the evidence by its numbers, and the small graph that it is drawn from.

import { relationWords, shownName } from "./words.js";

const CITED = 3; // Pieces of evidence for one answer, as in answers that are given as text.
const DOCUMENT_LABELS = new Set(["document", "passage"]);

/** The evidence of a result in the order in which it is shown: `{item, number, place}`; what is cited comes first and has a
 *  number. `cited` gives the numbers of each answer, by its key. */
export function numbered(result) {
  const supporting = new Map();
  result.evidence.forEach((item, place) => {
    for (const key of item.supports) supporting.set(key, [...(supporting.get(key) ?? []), place]);
  });
  const given = new Map();
  const cited = new Map();
  for (const answer of result.answers) {
    const places = (supporting.get(answerKey(answer)) ?? []).slice(0, CITED);
    for (const place of places) if (!given.has(place)) given.set(place, given.size + 1);
    cited.set(answerKey(answer), places.map((place) => given.get(place)));
  }
  const shown = [...given].map(([place, number]) => ({ item: result.evidence[place], number, place }));
  const others = result.evidence.map((item, place) => ({ item, number: null, place })).filter((each) => !given.has(each.place));
  return { shown: [...shown, ...others], cited };
}

export function answerKey(answer) {
  return answer.id ?? answer.name;
}

export function isPassage(item) {
  return item.tail.label === "passage";
}

/** Whether an answer is a value, and no node of the graph or piece of a document. */
export function isValue(answer) {
  return answer.id === null;
}

/** What a result says, in a sentence or two. */
export function spoken(result) {
  const names = result.answers.map((answer) => answer.name);
  if (!names.length) return result.explanation || "No answer found.";
  const doubt = [...(result.notes ?? []), (result.doubt ?? "").replace(/ ?Did you mean:$/, "")]
    .filter(Boolean).map((line) => `${line} `).join("");
  if (result.sentence) return `${doubt}${result.sentence}`;
  if (names.length === 1) return `${doubt}The answer is ${names[0]}.`;
  const said = names.slice(0, 5).join(", ");
  return `${doubt}${names.length} answers: ${said}${names.length > 5 ? ", and more" : ""}.`;
}

/** Nodes and edges of a result's evidence, what supports an answer first: `nodes` {id, name, label, role, facts}, `edges`
 *  {from, to, words, lit}. Role is "topic", "answer" or "". At most `most` facts; `left` says how many are not in it.
 *  Passages are in it only beside facts of the graph. */
export function pictured(result, most) {
  const topics = new Set(result.linked.flatMap((mention) => mention.candidates.slice(0, 1).map((each) => each.id)));
  const answers = new Set(result.answers.map((answer) => answer.id).filter((id) => id !== null));
  const some = result.evidence.some((item) => !isPassage(item));
  const facts = result.evidence.filter((item) => some && (!isPassage(item) || item.supports.length > 0));
  const chosen = facts.slice(0, most);
  const nodes = new Map();
  const edges = new Map();
  const node = (end) => {
    const id = end.id ?? `value:${end.name}`;
    if (!nodes.has(id)) {
      const role = answers.has(id) ? "answer" : topics.has(id) ? "topic" : "";
      nodes.set(id, { id, name: shownName(end.name), label: end.label || "value", role, facts: [] });
    }
    return nodes.get(id);
  };
  for (const item of chosen) {
    const [from, to] = [node(item.head), node(item.tail)];
    const words = isPassage(item) ? "says" : relationWords(item.relation);
    from.facts.push(`${words} → ${shownName(to.name)}`);
    to.facts.push(`← ${words} ${shownName(from.name)}`);
    const key = JSON.stringify([from.id, to.id]);
    const known = edges.get(key) ?? { from: from.id, to: to.id, words: [], lit: false };
    if (!known.words.includes(words)) known.words.push(words);
    known.lit ||= item.supports.length > 0;
    edges.set(key, known);
  }
  const drawn = [...edges.values()].map((edge) => ({ ...edge, words: edge.words.join(", ") }));
  return { nodes: [...nodes.values()], edges: drawn, left: facts.length - chosen.length };
}

export function isOfDocument(label) {
  return DOCUMENT_LABELS.has(label);
}
