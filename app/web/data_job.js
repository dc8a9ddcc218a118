// One import: its files, its progress, its plan, and how it ended.

import { part, post, remove } from "./api.js";
import { element } from "./dom.js";
import { fault } from "./fault.js";
import { icon } from "./icons.js";
import { planView } from "./data_plan.js";
import { counted, lasting, number } from "./words.js";

const STATES = {
  new: "Sending files", waiting: "Waiting for another import", planning: "Reading", planned: "Ready to import",
  importing: "Importing", done: "Imported", failed: "Failed", stopped: "Stopped",
};

/** Whether something happens without the user. */
export function isWorking(job) {
  return ["waiting", "planning", "importing"].includes(job.state);
}

/** What can be done with an import; each gives a promise. */
export const actions = {
  plan: (job, body = {}) => post(`/api/imports/${part(job.id)}/plan`, body),
  run: (job, body = {}) => post(`/api/imports/${part(job.id)}/run`, body),
  stop: (job) => post(`/api/imports/${part(job.id)}/stop`),
  remove: (job) => remove(`/api/imports/${part(job.id)}`),
};

/** The card of an import. `act(job, action, ...given)` does one of `actions` and shows what comes of it; `sending` is the
 *  share of the files that were sent, or null; `hasModel` says whether the server has a language model. */
export function jobCard(job, sending, act, hasModel) {
  const button = (words, action, kind = "") => element(`button.button.small${kind}`, { type: "button", onclick: () => act(job, action) }, words);
  return element("article.job.card", { "data-id": job.id, "aria-label": `Import into ${job.graph}` },
    element("div.job-top", {},
      element("h3", {}, job.graph),
      element(`span.tag.${tone(job.state)}`, { role: "status" }, STATES[job.state]),
      element("span.soft.small", {}, sources(job)),
      element("div.job-actions", {},
        job.state === "done" && job.purpose === "graph" && element("a.button.small.primary", { href: `/#graph=${part(job.graph)}` }, "Ask it"),
        isWorking(job) && job.is_stoppable && button("Stop", actions.stop),
        isWorking(job) && !job.is_stoppable && element("span.small.soft", {}, "Writing; it cannot be stopped now."),
        !isWorking(job) && sending === null && button(job.state === "planned" ? "Discard" : "Remove from the list", actions.remove, ".quiet"))),
    progress(job, sending),
    job.error && fault(job.error, job.state === "failed" && job.purpose === "graph" && element("p", {}, button("Read the files again", actions.plan))),
    job.plan && ["planned", "failed"].includes(job.state) && planView(job, act, hasModel),
    job.report && report(job));
}

function tone(state) {
  return { done: "good", failed: "bad", planned: "warn" }[state] ?? "plain";
}

function sources(job) {
  const names = Object.keys(job.files);
  if (job.url) return job.url;
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${number(names.length - 2)} more` : names.join(", ");
}

function progress(job, sending) {
  if (!isWorking(job) && sending === null) return null;
  const task = job.progress;
  const share = sending ?? (task?.total ? Math.min(1, task.done / task.total) : null);
  const label = sending === null ? task?.label ?? STATES[job.state] : "Sending files";
  return element("div.job-progress.small", {},
    element("p", {}, element("span.spinner"), `${label}${share === null ? "…" : ` ${Math.round(share * 100)} %`}`),
    element("progress", { "aria-label": label, max: "1", value: share ?? undefined }));
}

function report(job) {
  const { report: said } = job;
  const bad = said.bad_lines ?? [];
  return element("div", {},
    element("p.job-outcome", {}, icon("check"), said.nodes === undefined ? said.summary.at(-1)
      : `${counted(said.nodes, "node")} and ${counted(said.edges, "relation")} in ${lasting(said.seconds * 1000)}.`),
    element("details.fold.small", { open: bad.length > 0 || said.bad?.length > 0 }, element("summary", {}, "Report"),
      element("p.job-lines", {}, said.summary.join("\n"))));
}
