// The plain parts that a step's record is shown with: sections, tables, shares, folds, texts to copy.

import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { number } from "./words.js";

const CUT = /^… \(cut: /;

/** Whether a value stands for what the trace left out. */
export function isCut(value) {
  return typeof value === "string" && CUT.test(value);
}

/** The items of a list, without the mark at its end where it was cut. */
export function items(value) {
  return Array.isArray(value) ? value.filter((each) => !isCut(each)) : [];
}

/** A line that says what was left out of a list, a map or a text; null where nothing was. */
export function leftOut(value) {
  const mark = Array.isArray(value) ? value.at(-1) : value?.["…"] ?? value;
  const count = typeof mark === "string" && /\(cut: ([\d,]+) (\w+)\)$/.exec(mark);
  return count ? element("p.small.soft", {}, `The trace keeps the first of ${number(Number(count[1]))} ${count[2]}.`) : null;
}

/** A part of a step, under its heading. */
export function part(title, ...children) {
  return element("section.trace-part", {}, element("h4", {}, title), children);
}

/** What opens on demand. */
export function fold(title, ...children) {
  return element("details.fold", {}, element("summary", {}, title), children);
}

/** Facts side by side: `[["Confidence", "0.87"], …]`; those without a value are left out. */
export function facts(pairs) {
  const given = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  if (!given.length) return null;
  return element("dl.facts-line", {}, given.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/** A table that scrolls by itself. A column is its name, with "#" before it where its cells are numbers; a cell is a text
 *  or an element. Columns that hold nothing are left out. */
export function table(caption, names, every) {
  const full = names.map((_, place) => every.some((row) => holdsSomething(row[place])));
  const columns = names.filter((_, place) => full[place]);
  const rows = every.map((row) => row.filter((_, place) => full[place]));
  if (!rows.length) return null;
  const numeric = columns.map((name) => name.startsWith("#"));
  const cell = (value, place) => element(numeric[place] ? "td.number" : "td", {}, value ?? "");
  return element("div.scroll", { role: "region", tabindex: "0", "aria-label": caption },
    element("table.table", {},
      element("thead", {}, element("tr", {}, columns.map((name, place) =>
        element(numeric[place] ? "th.number" : "th", { scope: "col" }, name.replace(/^#/, ""))))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.map(cell))))));
}

function holdsSomething(value) {
  return value !== null && value !== undefined && value !== false && value !== "";
}

/** A number with a bar as long as its share of `most`. */
export function share(value, shown = decimals(value), most = 1) {
  if (typeof value !== "number") return element("span.soft", {}, value === null || value === undefined ? "–" : String(value));
  const bar = element("span.share-bar", { "aria-hidden": "true" });
  bar.style.setProperty("--share", Math.max(0, Math.min(1, value / most)).toFixed(4));
  return element("span.share", {}, bar, element("span.share-number", {}, shown));
}

export function decimals(value, digits = 3) {
  return typeof value === "number" ? value.toFixed(digits) : "–";
}

export function percent(value) {
  if (typeof value !== "number") return "–";
  const digits = value >= 0.9995 || value < 0.0005 ? 3 : 1;
  return `${(value * 100).toFixed(digits)} %`;
}

/** A text in fixed-width letters, with a button that copies it. */
export function block(text, name, more = "") {
  return element(`div.block${more}`, {},
    element("pre.code.wrap", { tabindex: "0", role: "region", "aria-label": name }, text),
    copyButton(text, `Copy ${name.toLowerCase()}`));
}

export function copyButton(text, name) {
  const button = element("button.button.quiet.icon.small.copy", { type: "button", "aria-label": name, title: name }, icon("copy"));
  button.addEventListener("click", async () => {
    await copied(text);
    fill(button, icon("check"));
    setTimeout(() => fill(button, icon("copy")), 1500);
  });
  return button;
}

/** Pages that came by an address without encryption have no clipboard of their own. */
async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = element("textarea.seen-by-readers", { value: text });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** A value of any kind: texts as they are, all else as JSON. */
export function plain(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

/** Short texts as tags. */
export function tags(texts, kind = "") {
  return element("span.tags", {}, items(texts).map((text) => element(`span.tag${kind}`, {}, String(text))));
}

/** A list of texts; null where there are none. */
export function lines(texts, kind = "") {
  const given = items(texts);
  return given.length ? element(`ul.lines${kind}`, {}, given.map((text) => element("li", {}, plain(text)))) : null;
}

/** Something that went wrong, or that was done without. */
export function notice(kind, title, ...children) {
  return element(`div.notice.${kind}`, {}, icon("warning"), element("div", {}, element("strong", {}, title), children));
}
