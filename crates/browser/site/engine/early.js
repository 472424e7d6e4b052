// @ts-check
// Starts the engine while the page is still on its way: its first question comes soon.

import { warmUp } from "./workers.js";

warmUp();
