// A small dialog that does one thing.

import { told } from "./api.js";
import { element, fill } from "./dom.js";

/** Shows `parts` under `title`; `act` is done when the button with `verb` is pressed, and the dialog stays open where that
 *  fails. */
export function formDialog(title, parts, verb, act, kind = "primary") {
  const wrong = element("p.wrong.small", { role: "alert" });
  const button = element(`button.button.${kind}`, { type: "submit" }, verb);
  const form = element("form.form", {},
    element("h2", { id: "asked-title" }, title), element("div", {}, parts), wrong,
    element("div.form-actions", {},
      element("button.button", { type: "button", onclick: () => box.close() }, "Cancel"), button));
  const box = element("dialog.box", { "aria-labelledby": "asked-title" }, form);
  box.addEventListener("close", () => box.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    try {
      await act();
      box.close();
    } catch (error) {
      fill(wrong, told(error));
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
  document.body.append(box);
  box.showModal();
}
