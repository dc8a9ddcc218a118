// The conversation that is open: asking in it, and what was said.

import { ApiError, events, get, part } from "./api.js";
import { spoken } from "./answer_model.js";
import { byId, fill } from "./dom.js";
import { Turn } from "./turn.js";

const MOVING_MS = 1500;

export class Conversation {
  #turns = byId("turns");
  #scroll = byId("scroll");
  #announcer = byId("announcer");
  #run = null;
  #wanted = null;

  /** `on`: `evidence(turn, number, opener)`, `again(question)`, `edit(question)`, `working(busy)`, `answered(turn)`,
   *  `strict()`, `settings(name)`, `inView(turn)` when the user scrolls. */
  constructor(on) {
    this.on = on;
    this.begin(null);
    let moved = -Infinity; // When the user last moved it: scrolling goes on for a while after that.
    for (const by of ["wheel", "touchmove", "keyup"]) this.#scroll.addEventListener(by, () => (moved = performance.now()), { passive: true });
    this.#scroll.addEventListener("scroll", () => performance.now() - moved < MOVING_MS && this.on.inView(this.inView), { passive: true });
  }

  /** A new one, about `graph`. It is kept from its first answer on. */
  begin(graph) {
    this.stop();
    this.#wanted = null;
    this.graph = graph;
    this.name = newName();
    this.turns = [];
    fill(this.#turns);
  }

  /** One that was kept; null where another one was wanted meanwhile. Raises ApiError. */
  async open(name) {
    this.#wanted = name;
    const kept = await get(`/api/sessions/${part(name)}`).catch((error) => {
      if (this.#wanted === name) throw error;
    });
    if (this.#wanted !== name) return null;
    this.begin(kept.graph);
    this.name = name;
    for (const { question, result } of kept.turns) this.#add(Turn.kept(question, result, this.#actions, kept.feedback?.[result.trace_id]));
    if (kept.waiting) this.#add(new Turn(kept.waiting.question, this.#actions)).asksBack(kept.waiting);
    this.#toEnd();
    return kept;
  }

  /** Asks, and shows what happens until it ends. `reading` is one of the readings of the question, in words. */
  ask(question, reading) {
    this.#wanted = null;
    for (const turn of this.turns) turn.left();
    const turn = this.#add(new Turn(question, this.#actions));
    this.#toEnd();
    return this.#follow(turn, { question, reading, graph: this.graph });
  }

  /** Ends what is under way. */
  stop() {
    this.#run?.abort();
  }

  get isEmpty() {
    return this.turns.length === 0;
  }

  get #actions() {
    return {
      evidence: (...given) => this.on.evidence(...given),
      again: (question) => this.on.again(question),
      edit: (question) => this.on.edit(question),
      choose: (turn, { mention, entity, name }) => {
        turn.goesOn(`“${mention}”: ${name}`);
        return this.#follow(turn, { choice: { mention, entity } });
      },
      read: (turn, reading) => {
        if (this.#run) return null;
        if (turn !== this.turns.at(-1)) return this.ask(turn.question, reading);
        turn.goesOn(`Read as: ${reading}`);
        return this.#follow(turn, { question: turn.question, reading, graph: this.graph });
      },
    };
  }

  async #follow(turn, asked) {
    const run = new AbortController();
    this.#run = run;
    this.on.working(true);
    turn.settled = false;
    try {
      const body = { ...asked, session: this.name, clarify: true, strict: this.on.strict(), origin: "page", ...this.on.settings(this.name) };
      for await (const { event, data } of events("/api/ask", body, { signal: run.signal })) {
        this.#told(turn, event, data);
        if (turn.settled) this.#ended(run, turn); // The next question need not wait for the stream to close.
      }
      if (!turn.settled) throw new ApiError(0, "The answer broke off.", "Ask again.");
    } catch (error) {
      if (run.signal.aborted) turn.stopped();
      else if (!turn.settled) turn.failed(error);
    } finally {
      this.#ended(run, turn);
      this.#toEnd();
    }
  }

  #ended(run, turn) {
    if (this.#run !== run) return;
    this.#run = null;
    this.on.working(false);
    if (turn.result) this.on.answered(turn);
  }

  #told(turn, event, data) {
    turn.settled = event === "result" || event === "choice";
    if (event === "step") {
      turn.steps.add(data);
      this.#say(data.title);
    } else if (event === "result") {
      turn.answered(data);
      this.#say(spoken(data));
    } else if (event === "choice") {
      turn.asksBack(data);
      this.#say(`Which ${data.mention} do you mean?`);
      turn.focusChoice();
    } else if (event === "error") throw new ApiError(data.status, data.detail, data.remedy ?? "");
    this.#toEnd();
  }

  /** The turn that is in view: the last one at the end, the first one at the beginning, otherwise that in the middle. */
  get inView() {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroll;
    if (scrollTop + clientHeight >= scrollHeight - 8) return this.turns.at(-1) ?? null;
    if (scrollTop <= 8) return this.turns[0] ?? null;
    return this.turns.findLast((turn) => turn.element.offsetTop <= scrollTop + clientHeight / 2) ?? this.turns[0] ?? null;
  }

  #add(turn) {
    this.turns.push(turn);
    this.#turns.append(turn.element);
    return turn;
  }

  #say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    this.#announcer.append(line);
    while (this.#announcer.childElementCount > 20) this.#announcer.firstChild.remove();
  }

  #toEnd() {
    const last = this.turns.at(-1)?.element;
    if (!last) return;
    const room = this.#scroll.clientHeight;
    // The question stays in sight: a long answer is read from its beginning.
    this.#scroll.scrollTop = last.offsetHeight > room ? last.offsetTop - 16 : this.#scroll.scrollHeight;
  }
}

/** As the terminal names a conversation that nobody named. */
function newName() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `chat-${[...bytes].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}
