import { Context } from "effect";
import type { RunWorker } from "./Run.ts";

/** The process that makes the current call. A host provides the facts that it knows. */
export const CurrentProcess = Context.Reference<RunWorker>(
  "@quartermaster/core/agents/CurrentProcess",
  { defaultValue: () => ({ name: null, client: null, host: null, pid: null }) },
);
