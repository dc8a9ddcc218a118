// What is shown before anything was asked.

import { get, part } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { icon } from "./icons.js";

/** `ask(question)` when an example is taken. */
export async function welcome(graph, ask) {
  const place = byId("welcome");
  if (graph === null) {
    fill(place, element("h2", {}, "There is no graph yet"),
      element("p.soft", {}, "Import your own data, or a sample, and ask."),
      element("p", {}, element("a.button.primary", { href: "/data" }, "Import data")),
      element("p.soft.small", {}, "Or on the server’s machine: ", element("code", {}, "clew import FILE --graph NAME")));
    return;
  }
  const examples = element("div.examples", { "aria-live": "off" });
  fill(place,
    element("h2", {}, "What would you like to know?"),
    element("p.soft", {}, "Answers come from ", element("strong", {}, graph.name), ", with the facts they rest on and the way that led there."),
    examples);
  const found = await get(`/api/graphs/${part(graph.name)}/examples`).catch(() => []);
  if (!found.length) return;
  fill(examples, element("h3.label", {}, "For example"),
    element("ul", {}, found.map((question) => element("li", {},
      element("button.example", { type: "button", onclick: () => ask(question) }, question, icon("arrow"))))));
}
