// The schema of a graph as a picture: a node for each label with its count, an edge for each pair of labels.

import { learnLabels } from "./label_colours.js";
import { inWords, picture } from "./picture.js";
import { labelWords, number, relationWords } from "./words.js";

const MANY = 12; // Pairs of labels from which an edge has the name of one relation only.

/** The picture and, for who does not see it, its words; null where there is one label at most. `counts` are the nodes by label,
 *  `relations` have `source`, `target` and `type`; `told` is called with the node of a label that is chosen, and the colours
 *  of labels are those of this schema from now on. */
export function schemaPicture(counts, relations, told) {
  const labels = new Set([...Object.keys(counts), ...relations.flatMap(({ source, target }) => [source, target])]);
  if (labels.size < 2) return null;
  learnLabels(counts);
  const nodes = [...labels].map((label) => ({
    id: label, label, role: "", facts: factsOf(relations, label),
    name: counts[label] === undefined ? labelWords(label) : `${labelWords(label)} ${number(counts[label])}`,
  }));
  const graph = { nodes, edges: merged(relations) };
  return [picture(graph, told), inWords(graph)];
}

function factsOf(relations, label) {
  return relations.filter(({ source, target }) => source === label || target === label)
    .map(({ source, target, type }) => (source === label ? `${relationWords(type)} → ${target}` : `← ${relationWords(type)} ${source}`));
}

/** One edge for each pair of labels. */
function merged(relations) {
  const pairs = new Map();
  for (const { source, target, type } of relations) {
    const key = JSON.stringify([source, target]);
    pairs.set(key, [...(pairs.get(key) ?? []), relationWords(type)]);
  }
  const shown = pairs.size > MANY ? 1 : 2;
  return [...pairs].map(([key, names]) => {
    const [from, to] = JSON.parse(key);
    const more = names.length - shown;
    return { from, to, words: names.slice(0, shown).join(", ") + (more > 0 ? ` +${more}` : ""), lit: false };
  });
}
