// How a question was read, and the other readings that it may have: where the answer is not sure, they are offered.

import { element } from "./dom.js";

/** What stands above an answer that is not sure, or of a graph that has lost something: what it says of itself, and its
 *  readings. `choose` is called with the words of a reading. */
export function doubtBlock(result, choose) {
  const notes = result.notes ?? [];
  const answered = result.answers.length > 0;
  const readings = (result.doubt ? result.readings ?? [] : []).filter((each) => answered || each.says !== "nothing");
  const doubt = (answered || readings.length > 0) && result.doubt;
  if (!doubt && !notes.length) return null;
  return element("section.doubt.card", { "aria-label": "Other readings" },
    [...notes, doubt].filter(Boolean).map((line) => element("p.doubt-says", {}, line)),
    readings.length > Number(answered) && list(readings, choose, answered));
}

/** What stands below an answer: how the question was read; of a sure one also the other readings. */
export function readingLine(result, choose) {
  if (!result.reading || !result.answers.length) return null;
  const line = element("p.reading.soft.small", {}, "Read as: ", element("span.reading-words", {}, result.reading),
    result.follow_up && element("span.reading-change", {}, ` (${result.follow_up.says})`));
  const others = (result.readings ?? []).slice(1);
  if (result.doubt || !others.length) return line;
  return element("div.reading-line", {}, line,
    element("details.fold.small", {}, element("summary", {}, "Other readings"), list(others, choose, false)));
}

/** `answered`: whether the first one is what the answer is of. */
function list(readings, choose, answered) {
  return element("ol.readings", {}, readings.map((each, place) => {
    const told = [element("span.reading-words", {}, each.reading), each.says && element("span.reading-says", {}, each.says)];
    if (answered && place === 0) return element("li.reading-option.current", { "aria-current": "true" }, told);
    return element("li", {}, element("button.reading-option", { type: "button", onclick: () => choose(each.reading) }, told));
  }));
}
