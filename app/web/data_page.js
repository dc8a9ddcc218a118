// The page of data: begins imports, follows those under way, and shows what graphs there are.

import { get, part, post, told } from "./api.js";
import { graphTable } from "./data_graphs.js";
import { actions, isWorking, jobCard } from "./data_job.js";
import { newGraph } from "./data_new.js";
import { byId, element, fill } from "./dom.js";
import { fault } from "./fault.js";
import { formDialog } from "./form_dialog.js";
import { importSample, planned } from "./import_steps.js";
import { startShell, toast } from "./shell.js";
import { graphName, upload } from "./upload.js";

const EVERY_MS = 400;
const sending = new Map(); // By the id of an import, the share of its files that was sent.
const shown = new Map(); // By the id, the import as it was drawn, and its card.
let me = {};
let timer = null;

startShell();
start();

async function start() {
  try {
    me = await get("/api/me");
    if (me.may_import) newGraph(byId("new"), me, begin);
    else fill(byId("new"), element("h2", {}, "New graph"), element("p.soft", {}, "Your token may not import. The administrator of this server makes one that may: ",
      element("code", {}, "clew serve token add NAME --import")));
    await Promise.all([me.may_import && follow(), loadGraphs()]);
  } catch (error) {
    fill(byId("graphs"), fault(error));
  }
}

async function loadGraphs() {
  graphTable(byId("graphs"), await get("/api/graphs"), me, { add: sendTo, changed: loadGraphs });
}

/** A new graph of these files, or of a database or sample: asks how it is to be called. */
function begin(files, given) {
  if (given.sample) return importSample(given.sample, shownFirst).catch((error) => toast(told(error)));
  const suggested = given.url ? given.url.split(/[/?]/).filter(Boolean).at(-1).split(".")[0] : graphName(files);
  const field = element("input.field", { id: "graph-name", required: true, maxlength: "60", value: suggested, autocomplete: "off" });
  return formDialog("Name the graph", [element("label.label", { for: "graph-name" }, "Name"), field], "Go on", () => created(field.value.trim(), "graph", files, given));
}

function sendTo(graph, purpose, files) {
  return created(graph, purpose, files, {}).catch((error) => toast(told(error)));
}

async function created(graph, purpose, files, given) {
  const job = await post("/api/imports", { graph, purpose, ...given });
  sent(job, files);
  await shownFirst(job);
}

async function shownFirst(job) {
  await follow();
  byId("imports").querySelector(`[data-id="${job.id}"]`)?.scrollIntoView({ block: "nearest" });
}

/** Sends the files, then has them read, or the documents added. */
async function sent(job, files) {
  const all = files.reduce((sum, { file }) => sum + file.size, 0) || 1;
  try {
    if (files.length) {
      sending.set(job.id, 0);
      await upload(part(job.id), files, (done) => {
        sending.set(job.id, done / all);
        drawn(job);
      });
    }
    await (job.purpose === "documents" ? actions.run(job) : actions.plan(job));
  } catch (error) {
    toast(told(error));
    await actions.remove(job).catch(() => {});
  }
  sending.delete(job.id);
  await follow();
}

/** Shows the imports, again and again as long as one works. */
async function follow() {
  clearTimeout(timer);
  const jobs = await get("/api/imports");
  const heading = element("h2", {}, "Imports");
  const before = new Map(shown);
  shown.clear();
  for (const job of jobs) shown.set(job.id, kept(before.get(job.id), job) ?? { job, card: card(job) });
  const cards = jobs.map((job) => shown.get(job.id).card);
  const place = byId("imports");
  if (cards.some((each, at) => each !== place.children[at + 1]) || place.children.length !== cards.length + 1) {
    place.hidden = jobs.length === 0;
    fill(place, jobs.length > 0 && [heading, cards]);
  }
  if (jobs.some((job) => ["done", "stopped"].includes(job.state) && isWorking(before.get(job.id)?.job ?? job))) await loadGraphs();
  if (jobs.some(isWorking)) timer = setTimeout(() => follow().catch((error) => toast(told(error))), EVERY_MS);
}

/** A card with an unchanged import stays as it is, with what the user edits in it. */
function kept(before, job) {
  const same = before && JSON.stringify(before.job) === JSON.stringify(job) && !sending.has(job.id);
  return same ? before : null;
}

function card(job) {
  return jobCard(job, sending.get(job.id) ?? null, act, Boolean(me.model));
}

function drawn(job) {
  const known = shown.get(job.id);
  if (!known) return;
  const fresh = card(job);
  known.card.replaceWith(fresh);
  known.card = fresh;
}

/** Does something with an import: one of `actions`, "plan" with a model, or "import", planned anew where that was edited,
 *  and `how` it is run. */
async function act(job, action, body = null, how = {}) {
  try {
    if (typeof action === "function") await action(job);
    else if (action === "plan") await actions.plan(job, body);
    else {
      if (body !== null) await planned(job, body);
      await actions.run(job, how);
    }
  } catch (error) {
    toast(told(error));
  }
  await follow();
}
