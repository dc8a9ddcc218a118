// The conversations that are kept: those of this page and of the terminal.

import { download, get, part, patch, remove, told } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { formDialog } from "./form_dialog.js";
import { icon } from "./icons.js";
import { remember, remembered } from "./remembered.js";
import { toast } from "./shell.js";
import { ago, counted, moment } from "./words.js";

const OWN = "clew-own-sessions";
const TYPED_MS = 200;
const ORIGINS = { api: "API", terminal: "terminal" };

export class Sessions {
  #list = byId("sessions");
  #search = byId("sessions-search");
  #own = byId("sessions-own");
  #kept = [];

  /** `on`: `open(name)`, `renamed(old, name)`, `deleted(name)`. */
  constructor(on) {
    this.on = on;
    this.current = null;
    let timer = null;
    this.#search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => reported(this.load()), TYPED_MS);
    });
    this.#own.checked = remembered(OWN) === "1";
    this.#own.addEventListener("change", () => {
      remember(OWN, this.#own.checked ? "1" : "");
      this.#draw();
    });
  }

  async load() {
    const search = this.#search.value.trim();
    const kept = await get(`/api/sessions${search ? `?${new URLSearchParams({ search })}` : ""}`);
    if (search !== this.#search.value.trim()) return; // Something else is searched meanwhile.
    this.#kept = kept;
    this.#draw();
  }

  /** Marks the one that is open. */
  mark(name) {
    this.current = name;
    this.#draw();
  }

  #draw() {
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.name : null;
    const rows = this.#kept.filter(({ origin }) => !this.#own.checked || origin === "page").map((each) => this.#row(each));
    fill(this.#list, rows.length ? rows : element("li.small.soft.sessions-none", {}, this.#none()));
    if (focused) this.#list.querySelector(`[data-name="${CSS.escape(focused)}"] .session-open`)?.focus();
  }

  #none() {
    if (this.#search.value.trim()) return "No conversation has this text.";
    return ["What you ask is kept here, and in ", element("code", {}, "clew chat"), "."];
  }

  #row(session) {
    const { name, title, graph, turns, updated, origin } = session;
    const isOpen = name === this.current;
    const menu = this.#menu(session);
    return element("li.session", { "data-name": name },
      element("button.session-open", { type: "button", "aria-current": isOpen ? "true" : null, onclick: () => this.on.open(name) },
        element("span.session-title", { title }, isGiven(name) ? name : title || name),
        element("span.session-note", { title: moment(updated) },
          [ORIGINS[origin], graph, turns ? counted(turns, "question") : "asks back", ago(updated)].filter(Boolean).join(" · "))),
      element("button.button.quiet.icon.small.session-more", {
        type: "button", "aria-label": `More for ${title || name}`, "aria-haspopup": "menu", onclick: (event) => opened(menu, event.currentTarget),
      }, icon("more")),
      menu);
  }

  #menu(session) {
    const { name } = session;
    const item = (mark, words, act) => element("button.menu-item", {
      type: "button", role: "menuitem", onclick: (event) => {
        event.currentTarget.closest("[popover]").hidePopover();
        act();
      },
    }, icon(mark), words);
    const save = (format, ending) => () => reported(download(`/api/sessions/${part(name)}/export?format=${format}`, `${name}.${ending}`));
    return element("div.menu", { popover: "auto", role: "menu", "aria-label": "Conversation", onkeydown: byArrows },
      item("pen", "Rename…", () => this.#rename(name)),
      item("download", "Export as Markdown", save("markdown", "md")),
      item("download", "Export as JSON", save("json", "json")),
      item("trash", "Delete…", () => this.#delete(session)));
  }

  #rename(name) {
    const field = element("input.field", { id: "new-name", maxlength: "100", required: true, value: name, autocomplete: "off" });
    formDialog("Rename the conversation", [element("label.label", { for: "new-name" }, "Name"), field], "Rename", async () => {
      const { name: given } = await patch(`/api/sessions/${part(name)}`, { name: field.value.trim() });
      this.on.renamed(name, given);
      await this.load();
    });
    field.select();
  }

  #delete({ name, title }) {
    const words = element("p", {}, `“${title || name}” and the traces of its questions will be gone.`);
    formDialog("Delete the conversation?", [words], "Delete", async () => {
      await remove(`/api/sessions/${part(name)}`);
      this.on.deleted(name);
      await this.load();
    }, "danger");
  }
}

function isGiven(name) {
  return !/^chat-[0-9a-f]{12}$/.test(name);
}

function opened(menu, opener) {
  menu.showPopover();
  const at = opener.getBoundingClientRect();
  const [wide, high] = [menu.offsetWidth, menu.offsetHeight];
  menu.style.left = `${Math.max(8, Math.min(at.right - wide, innerWidth - wide - 8))}px`;
  menu.style.top = `${at.bottom + 4 + high > innerHeight ? at.top - high - 4 : at.bottom + 4}px`;
  menu.querySelector(".menu-item").focus();
}

function byArrows(event) {
  const items = [...event.currentTarget.querySelectorAll(".menu-item")];
  const here = items.indexOf(document.activeElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items[(next + items.length) % items.length].focus();
}

async function reported(work) {
  try {
    await work;
  } catch (error) {
    toast(told(error));
  }
}
