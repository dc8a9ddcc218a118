// Where questions are written: Enter asks, Shift+Enter begins a line, Esc stops, "/" comes back.

import { byId } from "./dom.js";
import { remember, remembered } from "./remembered.js";

const STRICT = "clew-strict";

export class Composer {
  #form = byId("composer");
  #field = byId("question");
  #send = byId("send");
  #stop = byId("stop");
  #strict = byId("strict");

  /** `ask(question)` and `stop()`. */
  constructor(ask, stop) {
    this.busy = false;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const question = this.#field.value.trim();
      if (this.busy || !question) return;
      this.#field.value = "";
      this.#grown();
      ask(question);
    });
    this.#field.addEventListener("input", () => this.#grown());
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit();
    });
    this.#stop.addEventListener("click", () => {
      stop();
      this.focus();
    });
    document.addEventListener("keydown", (event) => this.#shortcut(event, stop));
    this.#strict.checked = remembered(STRICT) === "1";
    this.#strict.addEventListener("change", () => remember(STRICT, this.#strict.checked ? "1" : ""));
    this.#grown();
  }

  /** Whether only what is sure and explained in full is to be an answer. */
  get strict() {
    return this.#strict.checked;
  }

  focus() {
    this.#field.focus();
  }

  /** Puts a text in place of what was written, or with `atEnd` behind it. */
  write(text, { atEnd = false } = {}) {
    const before = atEnd ? this.#field.value.trimEnd() : "";
    this.#field.value = before ? `${before} ${text}` : text;
    this.#grown();
    this.focus();
  }

  says(placeholder) {
    this.#field.placeholder = placeholder;
  }

  working(busy) {
    this.busy = busy;
    const hadFocus = [this.#send, this.#stop].includes(document.activeElement);
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    if (hadFocus) this.focus();
  }

  #grown() {
    this.#field.style.blockSize = "auto";
    this.#field.style.blockSize = `${this.#field.scrollHeight}px`;
    this.#send.disabled = this.#field.value.trim() === "";
  }

  #shortcut(event, stop) {
    const over = document.querySelector("dialog:modal, :popover-open");
    if (event.key === "Escape" && this.busy && !over) {
      event.preventDefault();
      stop();
    } else if (event.key === "/" && !over && !event.ctrlKey && !event.metaKey && !isField(event.target)) {
      event.preventDefault();
      this.focus();
    }
  }
}

function isField(target) {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
