// The chat page.

import { startShell } from "./shell.js";

startShell();
