// A trace as one file that needs no server: the run is in the file.

import { byId, fill } from "./dom.js";
import { runView } from "./trace_run.js";

const run = JSON.parse(byId("trace").textContent);
fill(byId("view"), runView(run));
