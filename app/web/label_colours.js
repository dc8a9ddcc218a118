// The colours of labels: by their place in the schema of the graph, so that a label has the same one in every picture.

const COLOURS = 9;
const known = new Map();

/** From now on the colours are those of a graph whose schema has these labels with their counts. */
export function learnLabels(counts) {
  known.clear();
  const ordered = Object.entries(counts).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  ordered.forEach(([label], place) => known.set(label, Math.min(place + 1, COLOURS)));
}

/** The colour of a label, from 1: that of the schema, or one that only the label decides. */
export function labelColour(label) {
  if (known.has(label)) return known.get(label);
  let sum = 7;
  for (const letter of String(label)) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
  return (sum % (COLOURS - 1)) + 1;
}

/** A colour for each label of some nodes, the most frequent label first. */
export function labelColours(nodes) {
  const counts = new Map();
  for (const { label } of nodes) counts.set(label, (counts.get(label) ?? 0) + 1);
  const ordered = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Map(ordered.map(([label]) => [label, labelColour(label)]));
}
