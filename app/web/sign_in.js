// The dialog that asks for a token where the server wants one, and the button that forgets it.

import { token } from "./api.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";

/** Shows the dialog; the promise holds when a token was entered. It cannot be closed otherwise: without a token there is
 *  nothing to be seen. */
export function askForToken(wasWrong) {
  token.clear();
  return new Promise((entered) => {
    const field = element("input.field", {
      id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true,
      "aria-describedby": "token-note", "aria-invalid": wasWrong ? "true" : null,
    });
    const wrong = wasWrong && element("div.notice.bad", { role: "alert" },
      icon("warning"), element("p", {}, "This token was refused. It may have been revoked."));
    const form = element("form.form", { method: "dialog" },
      element("h2", { id: "sign-in-title" }, "Sign in"),
      wrong,
      element("div", {}, element("label.label", { for: "token" }, "Token"), field),
      element("p.small.soft", { id: "token-note" },
        "The administrator of this server creates one with ", element("code", {}, "clew serve token add NAME"),
        ". It is kept until this tab is closed."),
      element("div.form-actions", {}, element("button.button.primary", { type: "submit" }, "Sign in")));
    const box = element("dialog.box", { id: "sign-in", "aria-labelledby": "sign-in-title" }, form);
    box.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      token.set(field.value.trim());
      box.remove();
      entered();
    });
    document.body.append(box);
    box.showModal();
    field.focus();
  });
}
