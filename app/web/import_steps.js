// An import from its beginning to its end, for whoever waits for it.

import { ApiError, get, part, post } from "./api.js";
import { actions, isWorking } from "./data_job.js";

const EVERY_MS = 400;

/** Plans an import and waits for the plan. Raises ApiError where there is none. */
export async function planned(job, body = {}) {
  await actions.plan(job, body);
  await settled(job, "planned");
}

/** Imports a sample as it is, under its name. `moved()` is called when it goes on to its next step. Raises ApiError. */
export async function importSample(name, moved = () => {}) {
  const job = await post("/api/imports", { graph: name, purpose: "graph", sample: name });
  moved(job);
  await planned(job);
  await actions.run(job);
  moved(job);
  await settled(job, "done");
}

async function settled(job, state) {
  for (;;) {
    const now = await get(`/api/imports/${part(job.id)}`);
    if (now.state === state) return;
    if (!isWorking(now)) throw new ApiError(0, now.error?.detail ?? "The import ended early.", now.error?.remedy ?? "Begin it again.");
    await new Promise((then) => setTimeout(then, EVERY_MS));
  }
}
