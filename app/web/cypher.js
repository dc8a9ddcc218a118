// A Cypher query, coloured a little, with its parameters.

import { element } from "./dom.js";
import { icon } from "./icons.js";

const TOKENS = /(`(?:[^`]|``)*`)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\$\w+)|\b(MATCH|OPTIONAL|WHERE|RETURN|WITH|DISTINCT|ORDER|BY|DESC|ASC|LIMIT|SKIP|AS|AND|OR|NOT|IN|CASE|WHEN|THEN|ELSE|END|UNWIND|UNION|ALL|CALL|YIELD|IS|NULL|count|sum|min|max|avg|labels|type|collect)\b/g;
const KINDS = ["name", "text", "parameter", "word"];

export function cypherBlock(cypher, parameters = {}) {
  const given = Object.entries(parameters);
  const copy = element("button.button.quiet.icon.small.cypher-copy",
    { type: "button", "aria-label": "Copy the query", title: "Copy the query" }, icon("copy"));
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(cypher);
    copy.replaceChildren(icon("check"));
    setTimeout(() => copy.replaceChildren(icon("copy")), 1500);
  });
  return element("div.cypher", {},
    element("pre.code.wrap", { tabindex: "0", role: "region", "aria-label": "Cypher" }, coloured(cypher)),
    copy,
    given.length > 0 && element("dl.parameters", {}, given.map(([name, value]) =>
      element("div", {}, element("dt", {}, `$${name}`), element("dd", {}, JSON.stringify(value))))));
}

function coloured(cypher) {
  const parts = [];
  let done = 0;
  for (const found of cypher.matchAll(TOKENS)) {
    const kind = KINDS[found.slice(1).findIndex((group) => group !== undefined)];
    parts.push(cypher.slice(done, found.index), element(`span.cypher-${kind}`, {}, found[0]));
    done = found.index + found[0].length;
  }
  return [...parts, cypher.slice(done)];
}
