// What is shown before anything was asked.

import { get, part, told } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { importSample } from "./import_steps.js";
import { toast } from "./shell.js";

/** `ask(question)` when an example is taken. */
export async function welcome(graph, ask) {
  const place = byId("welcome");
  if (graph === null) {
    const ways = element("div.welcome-ways", {}, element("a.button.primary", { href: "/data" }, "Import data"));
    fill(place, element("h2", {}, "There is no graph yet"),
      element("p.soft", {}, "Import your own data, or a sample, and ask."), ways,
      element("p.soft.small", {}, "Or on the server’s machine: ", element("code", {}, "clew import FILE --graph NAME")));
    ways.append(...(await sampleButtons(ways)));
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

/** A button for each sample, where the user may import: one click, and it can be asked. */
async function sampleButtons(ways) {
  const [{ may_import: may }, samples] = await Promise.all([get("/api/me"), get("/api/samples")]).catch(() => [{}, []]);
  return (may ? samples : []).map(({ name, about }) => element("button.button", {
    type: "button", title: about, onclick: () => {
      fill(ways, element("p.soft", {}, element("span.spinner"), ` Importing ${name}…`));
      importSample(name).then(() => {
        location.hash = new URLSearchParams({ graph: name });
        location.reload();
      }, (error) => {
        toast(told(error));
        welcome(null);
      });
    },
  }, `Try the sample ${name}`));
}
