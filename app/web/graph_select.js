// Which graph a page is about: from the address (`#graph=NAME`), else the last one, else the first.

import { get } from "./api.js";
import { element, fill } from "./dom.js";
import { remember, remembered } from "./remembered.js";

const KEY = "clew-graph";

/** Fills a select with the graphs; `open(name, given)` is called with the chosen one, and what else the address gives. */
export async function graphSelect(select, open) {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const names = (await get("/api/graphs")).map(({ name }) => name);
  fill(select, names.map((name) => element("option", { value: name }, name)));
  const chosen = [given.graph, remembered(KEY)].find((name) => names.includes(name)) ?? names[0];
  if (chosen === undefined) {
    location.href = "/data";
    return;
  }
  select.value = chosen;
  select.addEventListener("change", () => {
    remember(KEY, select.value);
    open(select.value, {});
  });
  remember(KEY, chosen);
  await open(chosen, given);
}
