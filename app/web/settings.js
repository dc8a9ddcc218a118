// How the questions of a conversation are answered: by which method or strategies, time, and which language model, if any. Kept in
// the browser, by the name of the conversation.

import { get } from "./api.js";
import { byId, element } from "./dom.js";
import { formDialog } from "./form_dialog.js";
import { remember, remembered } from "./remembered.js";

const KEY = "clew-settings";
const MOST = 200; // Conversations.
const NO_MODEL = "\n"; // No name of a model.

export class Settings {
  #all = new Map(JSON.parse(remembered(KEY) ?? "[]"));

  /** The settings of a conversation, as `/api/ask` takes them. */
  of(name) {
    const found = this.#all.get(name) ?? {};
    byId("settings-state").textContent = Object.keys(found).length ? " · changed" : "";
    return found;
  }

  renamed(old, name) {
    if (this.#all.has(old)) this.#set(name, this.#all.get(old));
  }

  /** Opens a dialog in which they are changed. */
  async open(name) {
    const [{ strategies, methods }, me] = await Promise.all([get("/api/traces/choices"), get("/api/me")]);
    const now = this.of(name);
    const boxes = strategies.map((each) => element("label", {},
      element("input", { type: "checkbox", value: each, checked: now.strategies?.includes(each) }), ` ${each}`));
    const method = element("select.field", { id: "method", "aria-describedby": "method-does" }, methods.map((each) =>
      element("option", { value: each.name, selected: each.name === (now.method ?? "default") }, each.name)));
    const does = element("p.settings-method.small.soft", { id: "method-does" });
    const fields = element("fieldset.settings-strategies", {}, element("legend.label", {}, "Strategies (none chosen: Clew decides)"), boxes);
    const taken = () => {
      does.textContent = methods.find((each) => each.name === method.value)?.does ?? "";
      fields.hidden = method.value !== "default"; // A paper's method has strategies of its own.
    };
    method.addEventListener("change", taken);
    taken();
    const seconds = element("input.field", { id: "seconds", type: "number", min: "0.1", step: "any", value: now.seconds ?? "", placeholder: "The server’s" });
    const models = [["", `As set up (${me.model})`], ...me.models.map((name) => [name, name]), [NO_MODEL, "None"]];
    const used = now.without_model ? NO_MODEL : now.model ?? "";
    const model = element("select.field", { id: "model" }, models.map(([value, text]) =>
      element("option", { value, selected: value === used }, text)));
    formDialog("Settings of this conversation", [
      element("label.label", { for: "method" }, "Method"), method, does, fields,
      element("label.label", { for: "seconds" }, "Time limit (seconds)"), seconds,
      ...(me.model ? [element("label.label", { for: "model" }, "Language model"), model] : []),
    ], "Save", async () => {
      const chosen = boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value);
      this.#set(name, {
        ...(method.value !== "default" ? { method: method.value } : chosen.length && { strategies: chosen }),
        ...(seconds.value && { seconds: Number(seconds.value) }),
        ...(me.model && model.value && (model.value === NO_MODEL ? { without_model: true } : { model: model.value })),
      });
      this.of(name);
    });
  }

  #set(name, settings) {
    this.#all.delete(name);
    if (Object.keys(settings).length) this.#all.set(name, settings);
    this.#all = new Map([...this.#all].slice(-MOST));
    remember(KEY, JSON.stringify([...this.#all]));
  }
}
