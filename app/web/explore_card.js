// What is known of one node: its properties, and its relations to follow.

import { element } from "./dom.js";
import { icon } from "./icons.js";
import { labelColour } from "./label_colours.js";
import { labelWords, number, relationWords, shownName, shortened } from "./words.js";

/** `on`: `expand({relation, outgoing, label, skip})` gives a promise of `{shown, more}`; `isPinned`, `pin(pinned)`, `remove()`. */
export function nodeCard(graph, node, on) {
  const name = shownName(node.name);
  const pin = element("button.button.small", { type: "button", "aria-pressed": String(on.isPinned) }, "Pin");
  pin.addEventListener("click", () => {
    const pinned = pin.getAttribute("aria-pressed") !== "true";
    pin.setAttribute("aria-pressed", String(pinned));
    on.pin(pinned);
  });
  return element("div.explore-details", {},
    element("h2", {}, name),
    element("p", {}, node.labels.map((label) => element("span.tag", {}, element(`span.dot.label-${labelColour(label)}`), labelWords(label)))),
    element("div.graph-actions", {},
      element("a.button.small.primary", { href: `/#${new URLSearchParams({ graph, ask: name })}` }, icon("question"), "Ask about this"),
      pin, element("button.button.small", { type: "button", onclick: on.remove }, "Hide")),
    element("h3", {}, "Relations"),
    node.relations.length ? element("ul.explore-relations", {}, node.relations.map((each) => relation(each, on))) : element("p.small.soft", {}, "None."),
    element("h3", {}, "Properties"),
    element("dl.properties", {}, Object.entries(node.properties).filter(([key]) => key !== "name").map(([key, value]) =>
      element("div", {}, element("dt", {}, relationWords(key)), element("dd", {}, shortened(typeof value === "string" ? value : JSON.stringify(value), 600))))),
    element("p.small.soft", {}, "Id: ", element("code", {}, node.id)));
}

function relation(each, on) {
  const words = `${each.outgoing ? "" : "← "}${relationWords(each.relation)}${each.outgoing ? " →" : ""}`;
  let skip = 0;
  const button = element("button.button.small", { type: "button", "aria-label": `Expand ${words} ${labelWords(each.label)}` }, icon("plus"), "Expand");
  button.addEventListener("click", async () => {
    button.disabled = true;
    const found = await on.expand({ relation: each.relation, outgoing: each.outgoing, label: each.label, skip });
    skip = found?.shown ?? skip;
    button.disabled = found !== null && !found.more;
  });
  return element("li", {}, element("span", {}, words, " ", element("span.tag", {}, labelWords(each.label)), " ", element("span.small.soft", {}, number(each.count))), button);
}
