// What the user says of an answer: a thumb, a note, and the right answers where they know them.

import { part, put, told } from "./api.js";
import { element } from "./dom.js";
import { formDialog } from "./form_dialog.js";
import { icon } from "./icons.js";
import { toast } from "./shell.js";

/** The two buttons below an answer. `kept` is what was said before. */
export function feedbackButtons(trace, kept = {}) {
  let said = { rating: null, note: "", answers: null, ...kept };
  const button = (rating, words, act) => element("button.button.quiet.small.icon.thumb", {
    type: "button", "aria-label": words, title: words, "aria-pressed": String(said.rating === rating), onclick: act,
  }, icon(rating === "up" ? "thumbup" : "thumbdown"));
  const send = async (given) => {
    await put(`/api/traces/${part(trace)}/feedback`, given);
    said = given;
    for (const [each, rating] of [[up, "up"], [down, "down"]]) each.setAttribute("aria-pressed", String(said.rating === rating));
  };
  const up = button("up", "This answer is right", () =>
    send(said.rating === "up" ? { rating: null } : { rating: "up" }).catch((error) => toast(told(error))));
  const down = button("down", "This answer is wrong", () => wrong(said, send));
  return element("span.thumbs", { role: "group", "aria-label": "Rate the answer" }, up, down);
}

function wrong(said, send) {
  const note = element("textarea.field", { id: "note", rows: "3", maxlength: "2000" });
  note.value = said.note ?? "";
  const answers = element("textarea.field", { id: "right-answers", rows: "3", "aria-describedby": "right-answers-hint" });
  answers.value = (said.answers ?? []).join("\n");
  formDialog("What is wrong?", [
    element("label.label", { for: "note" }, "Note"), note,
    element("label.label", { for: "right-answers" }, "Right answers, if you know them"), answers,
    element("p.small.soft", { id: "right-answers-hint" }, "One name a line. Clew can learn from them: ", element("code", {}, "clew trace feedback"), "."),
  ], "Save", () => {
    const names = answers.value.split("\n").map((name) => name.trim()).filter(Boolean);
    return send({ rating: "down", note: note.value.trim(), answers: names.length ? names : null });
  });
}
