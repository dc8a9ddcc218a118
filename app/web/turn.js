// One turn of a conversation: the question, the steps while it is worked on, and the answer, a choice or what went wrong.

import { answerBlock, confidence } from "./answer.js";
import { numbered } from "./answer_model.js";
import { choiceForm } from "./choice.js";
import { feedbackButtons } from "./feedback.js";
import { fault } from "./fault.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { doubtBlock, readingLine } from "./readings.js";
import { Steps } from "./steps.js";
import { counted, lasting } from "./words.js";

export class Turn {
  #body = element("div.turn-body");

  /** `actions`: `evidence(turn, number, opener)`, `choose(turn, choice)`, `read(turn, reading)`, `again(question)`,
   *  `edit(question)`. */
  constructor(question, actions) {
    this.question = question;
    this.actions = actions;
    this.result = null;
    this.steps = new Steps();
    this.element = element("article.turn", { "aria-label": question, tabindex: "-1" },
      element("div.turn-top", {}, element("h2.turn-question", {}, question),
        element("button.button.quiet.icon.small.turn-edit", {
          type: "button", "aria-label": "Edit", title: "Edit this and ask again", onclick: () => actions.edit(question),
        }, icon("pen"))),
      this.steps.element, this.#body);
  }

  /** As it is kept: the answer, without its steps. */
  static kept(question, result, actions, feedback) {
    const turn = new Turn(question, actions);
    turn.feedback = feedback;
    turn.steps.element.remove();
    turn.answered(result);
    return turn;
  }

  answered(result) {
    this.result = result;
    this.evidence = numbered(result);
    this.steps.end(result.ms);
    const open = (number, opener) => this.actions.evidence(this, number, opener);
    const read = (reading) => this.actions.read(this, reading);
    fill(this.#body, doubtBlock(result, read), answerBlock(result, this.evidence.cited, open), readingLine(result, read),
      this.#foot(open));
  }

  /** The question names several things equally well. */
  asksBack(choice) {
    this.steps.end(null);
    fill(this.#body, choiceForm(choice, (chosen) => this.actions.choose(this, chosen)));
  }

  /** It goes on after a choice. */
  goesOn(words) {
    fill(this.#body, element("p.soft", {}, words));
    this.steps.element.remove();
    this.steps = new Steps();
    this.#body.before(this.steps.element);
  }

  /** Another question was asked instead of an answer to the card. */
  left() {
    if (!this.#body.querySelector(".choice")) return;
    fill(this.#body, element("div.notice", {}, icon("question"), element("strong", {}, "Left open: you asked something else."), this.#again()));
  }

  stopped() {
    this.steps.end(null);
    fill(this.#body, element("div.notice", {}, icon("stop"), element("strong", {}, "You stopped this question."), this.#again()));
  }

  failed(error) {
    this.steps.end(null);
    fill(this.#body, fault(error, this.#again()));
  }

  focusChoice() {
    this.#body.querySelector("input")?.focus();
  }

  #foot(open) {
    const { result } = this;
    const facts = result.evidence.length;
    return element("div.turn-foot", {},
      result.answers.length > 0 && confidence(result),
      facts > 0 && element("button.button.quiet.small.open-evidence", {
        type: "button", "aria-label": `Evidence: ${counted(facts, "fact")}`, onclick: (event) => open(null, event.currentTarget),
      }, icon("graph"), "Evidence", element("span.count", {}, facts)),
      result.trace_id && feedbackButtons(result.trace_id, this.feedback),
      element("button.button.quiet.small.icon", {
        type: "button", "aria-label": "Ask again", title: "Ask again, with the settings of this conversation", onclick: () => this.actions.again(this.question),
      }, icon("again")),
      result.trace_id && element("a.button.quiet.small", { href: `/traces#${encodeURIComponent(result.trace_id)}` }, icon("trace"), "Trace"),
      element("span.turn-ms.soft.small", {}, lasting(result.ms), result.model && ` · ${counted(result.model.calls, "model call")}`));
  }

  #again() {
    return element("p", {}, element("button.button.small", { type: "button", onclick: () => this.actions.again(this.question) }, "Ask again"));
  }
}
