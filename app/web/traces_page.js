// The page of traces: the list, one run (`#ID`, `#ID/3` with its fourth step), or two runs compared (`#A..B`).

import { download, get, part, post, told } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { learnLabels } from "./label_colours.js";
import { startShell, toast } from "./shell.js";
import { compareView } from "./trace_compare.js";
import { askFork, isForkable } from "./trace_fork.js";
import { TraceList } from "./trace_list.js";
import { notice } from "./trace_parts.js";
import { runView } from "./trace_run.js";

const OUTCOMES = {
  same: "the same answers, by the same query.",
  "same answers": "the same answers, though not all is as it was.",
  changed: "the answers have changed.",
};
const TITLE = "Traces · Clew";
const place = byId("view");
const list = new TraceList((hash) => (location.hash = hash));
let shown = "";
let asked = 0;
let learnt = null; // The graph whose colours are known.

startShell();
addEventListener("hashchange", route);
route();

async function route() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const [run, step] = wanted.split("/");
  if (run && run === shown) return;
  const mine = (asked += 1);
  shown = run;
  document.title = TITLE;
  if (!run) {
    fill(place, list.element);
    await list.open();
    return;
  }
  const view = await (run.includes("..") ? compared(run) : one(run, step)).catch(failure);
  if (mine !== asked) return; // Another view was wanted meanwhile.
  fill(place, view);
  scrollTo(0, 0);
  view.querySelector("h1")?.focus({ preventScroll: true });
}

async function one(id, step) {
  const run = await get(`/api/traces/${part(id)}`);
  await learnColours(run.graph);
  document.title = `${run.question} · ${TITLE}`;
  return runView(run, {
    above: back(), actions: actionsOf(run), stepActions: (span) => forkButton(run, span), at: step === undefined ? null : Number(step),
    moved: (place) => history.replaceState(null, "", `#${id}/${place}`),
  });
}

/** The colours of labels are those of the graph's schema, as on every page; a graph may be gone. */
async function learnColours(graph) {
  if (graph === learnt) return;
  learnt = graph;
  try {
    const isThere = (await get("/api/graphs")).some(({ name }) => name === graph);
    learnLabels(isThere ? (await get(`/api/graphs/${part(graph)}/schema`)).labels : {});
  } catch {
    learnLabels({});
  }
}

async function compared(pair) {
  const [a, b] = pair.split("..").map(part);
  const [diff, one, other] = await Promise.all([get(`/api/traces/${a}/diff/${b}`), get(`/api/traces/${a}`), get(`/api/traces/${b}`)]);
  return compareView(diff, one, other, back());
}

function actionsOf(run) {
  const save = (format) => download(`/api/traces/${part(run.id)}/export?format=${format}`, `trace-${run.id}.${format}`);
  const button = (name, mark, act, title) => element("button.button.small", { type: "button", onclick: act, title }, icon(mark), name);
  const again = button("Replay", "again", () => replay(run, again), "Run it again now, and show what changed");
  return [
    again,
    run.thread && element("a.button.small", { href: sessionAddress(run.thread) }, icon("send"), "Conversation"),
    button("Compare", "trace", () => {
      list.beginWith(run.id);
      location.hash = "";
    }, "Choose another run to compare it with"),
    button("JSON", "download", () => save("json"), "The stored record"),
    button("HTML", "download", () => save("html"), "This page as one file, which needs no server"),
  ];
}

/** Asks again what the run asked, and compares the two. */
async function replay(run, button) {
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    const found = await post(`/api/traces/${part(run.id)}/replay`, {});
    besides(run, found, "Replayed");
  } catch (error) {
    toast(told(error));
  } finally {
    button.disabled = false;
    button.removeAttribute("aria-busy");
  }
}

/** Shows a run that was made of another one beside it. */
function besides(run, found, how) {
  toast([`${how}: ${OUTCOMES[found.outcome] ?? found.outcome}`, ...found.notes].join(" "));
  if (shown === run.id) location.hash = `${run.id}..${found.trace_id}`;
}

function forkButton(run, span) {
  if (!isForkable(run, span)) return null;
  const fork = async (body) => besides(run, await post(`/api/traces/${part(run.id)}/fork`, body), "Forked");
  return element("button.button.small", {
    type: "button", "aria-haspopup": "dialog", title: "Continue from here with changes",
    onclick: () => askFork(run, span, fork).catch((error) => toast(told(error))),
  }, icon("fork"), "Fork…");
}

function back() {
  return element("a.back", { href: "#" }, "All traces");
}

/** Threads of a server with tokens are called USER/NAME; sessions are shown by their NAME. */
function sessionAddress(thread) {
  return `/#session=${part(thread.slice(thread.indexOf("/") + 1))}`;
}

function failure(error) {
  return element("div.run", {}, element("h1", { tabindex: "-1" }, "This cannot be shown"),
    notice("bad", error.detail ?? "Something went wrong in this page.", element("p", {}, error.remedy || String(error.message ?? ""))), back());
}
