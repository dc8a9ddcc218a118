// The chat page: puts its parts together.

import { told } from "./api.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId, element, fill } from "./dom.js";
import { Drawer } from "./drawer.js";
import { fault } from "./fault.js";
import { Graphs } from "./graphs.js";
import { Panel } from "./panel.js";
import { showSchema } from "./schema.js";
import { Sessions } from "./sessions.js";
import { Settings } from "./settings.js";
import { startShell, toast } from "./shell.js";
import { welcome } from "./welcome.js";

startShell();

const rail = new Drawer(byId("rail"), "(width >= 52rem)");
const composer = new Composer(ask, () => conversation.stop());
const panel = new Panel((name) => composer.write(name, { atEnd: true }));
const graphs = new Graphs((graph) => begin(graph));
const settings = new Settings();
const sessions = new Sessions({ open: openSession, renamed, deleted });
const conversation = new Conversation({
  evidence: (...given) => panel.show(...given),
  again: (question) => ask(question),
  edit: (question) => composer.write(question),
  inView: (turn) => panel.follow(turn),
  settings: (name) => settings.of(name),
  working: (busy) => composer.working(busy),
  answered,
  strict: () => composer.strict,
});

byId("open-rail").addEventListener("click", (event) => rail.open(event.currentTarget));
byId("new-conversation").addEventListener("click", () => {
  rail.isOver && rail.close();
  begin(graphs.current);
});
byId("open-settings").addEventListener("click", () => settings.open(conversation.name).catch((error) => toast(told(error))));
byId("open-schema").addEventListener("click", () => showSchema(graphs.current));
addEventListener("hashchange", () => {
  const name = sessionInAddress();
  if (name !== null && name !== conversation.name) openSession(name);
});
if (rail.hasRoom) rail.open();
rail.room.addEventListener("change", () => rail.hasRoom && rail.open());
start();

async function start() {
  const name = sessionInAddress(); // A question that is asked meanwhile writes its own there.
  const [graph, question] = ["graph", "ask"].map(inAddress);
  try {
    await graphs.load();
    if (graph !== null) graphs.take(graph);
    if (name !== null) await openSession(name);
    else begin(graphs.current);
    if (question !== null) composer.write(question);
  } catch (error) {
    return refused(error);
  }
  sessions.load().catch((error) => toast(told(error)));
}

function begin(graph) {
  conversation.begin(graph?.name ?? null);
  panel.close();
  placed(null);
  welcome(graph, ask);
  composer.says(graph ? `Ask ${graph.name}` : "There is no graph to ask");
  composer.focus();
}

function ask(question) {
  if (graphs.current === null) return;
  byId("welcome").hidden = true;
  placed(conversation.name);
  conversation.ask(question);
}

function answered(turn) {
  panel.offer(turn);
  composer.says("Ask a follow-up");
  sessions.mark(conversation.name);
  sessions.load().catch(() => {});
  if (!graphs.current?.open) graphs.load().catch(() => {});
}

async function openSession(name) {
  try {
    const kept = await conversation.open(name);
    if (kept === null) return;
    graphs.take(kept.graph);
    placed(name);
    rail.isOver && rail.close();
    byId("welcome").hidden = !conversation.isEmpty;
    const last = conversation.turns.at(-1);
    if (last?.result) panel.offer(last);
    else panel.close();
    composer.says("Ask a follow-up");
    composer.focus();
  } catch (error) {
    if (error.status !== 404) return refused(error);
    begin(graphs.current);
    toast("There is no such conversation any more.");
  }
}

function renamed(old, name) {
  settings.renamed(old, name);
  if (conversation.name !== old) return;
  conversation.name = name;
  placed(name);
}

function deleted(name) {
  if (conversation.name === name) begin(graphs.current);
}

/** Writes into the address which conversation is open, so that a page that is loaded anew has it again. */
function placed(name) {
  sessions.mark(name);
  settings.of(conversation.name);
  byId("welcome").hidden = name !== null;
  const hash = name === null ? "" : `#${new URLSearchParams({ session: name })}`;
  history.replaceState(null, "", `${location.pathname}${hash}`);
}

function sessionInAddress() {
  return inAddress("session");
}

/** `#session=NAME` opens a conversation, `#graph=NAME` begins one, and `&ask=WORDS` writes into its question. */
function inAddress(name) {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}

function refused(error) {
  conversation.begin(graphs.current?.name ?? null);
  placed(null);
  const again = element("button.button.small", { type: "button", onclick: () => location.reload() }, "Try again");
  fill(byId("welcome"), fault(error, element("p", {}, again)));
}
