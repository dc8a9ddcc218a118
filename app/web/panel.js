// The panel beside the conversation: the evidence of one turn.

import { Drawer } from "./drawer.js";
import { byId, fill } from "./dom.js";
import { evidenceOf } from "./evidence.js";

export class Panel {
  #body = byId("panel-body");
  #turn = null;

  /** `ask(name)` puts a name into the question. */
  constructor(ask) {
    this.ask = ask;
    this.drawer = new Drawer(byId("panel"), "(width >= 75rem)");
    this.drawer.onClose = () => this.#mark(null);
  }

  /** Shows a turn's evidence; with a number, that piece of it. The focus moves there on request. */
  show(turn, number = null, opener = null) {
    if (this.#turn !== turn) {
      fill(this.#body, evidenceOf(turn.result, turn.evidence.shown, (name) => {
        if (this.drawer.isOver) this.drawer.close();
        this.ask(name);
      }));
      this.#body.scrollTop = 0;
    }
    this.#mark(turn);
    this.drawer.open(opener);
    if (opener === null) return;
    const wanted = number === null ? byId("panel-title") : this.#body.querySelector(`#fact-${number}`);
    wanted.focus({ preventScroll: true });
    wanted.scrollIntoView({ block: "nearest" });
  }

  /** Beside the conversation, the evidence is that of the turn in view. */
  follow(turn) {
    if (this.drawer.isBeside && turn?.result?.evidence.length && turn !== this.#turn) this.show(turn);
  }

  /** Where there is room, and nobody has to close it to read on. */
  offer(turn) {
    if (this.drawer.hasRoom && turn.result.evidence.length) this.show(turn);
  }

  close() {
    this.drawer.close();
  }

  #mark(turn) {
    this.#turn?.element.classList.remove("shown");
    this.#turn = turn;
    turn?.element.classList.add("shown");
  }
}
