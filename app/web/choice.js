// Which one is meant, where a name of the question is that of several things.

import { element } from "./dom.js";
import { relationWords, shownName } from "./words.js";

let made = 0;

/** `choose` is called with `{mention, entity, name}`; the entity is null for any of them. */
export function choiceForm(choice, choose) {
  const group = `choice-${(made += 1)}`;
  const named = new Map(choice.candidates.map((each) => [each.id, shownName(each.name)]));
  const options = choice.candidates.map((each, place) => option(group, each.id, place === 0,
    shownName(each.name), (each.labels ?? []).map((label) => [" ", element("span.tag", {}, label)]), each.about));
  const form = element("form.choice.card", {},
    element("fieldset", {},
      element("legend", {}, `Which “${choice.mention}” do you mean?`),
      options, option(group, "", false, "Any of them", [], "")),
    element("div.form-actions", {}, element("button.button.primary", { type: "submit" }, "Go on")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const entity = new FormData(form).get(group) || null;
    choose({ mention: choice.mention, entity, name: entity === null ? "any of them" : named.get(entity) });
  });
  return form;
}

function option(group, value, checked, name, tags, about) {
  return element("label.option", {},
    element("input", { type: "radio", name: group, value, checked }),
    element("span", {}, element("span.option-name", {}, name), tags, about && element("span.option-about", {}, inWords(about))));
}

/** "Al Pacino —acted in→ Heat" of "Al Pacino → ACTED_IN → Heat". */
function inWords(about) {
  return about.replace(/ → (\S+) → /g, (_, relation) => ` —${relationWords(relation)}→ `);
}
