import { Context } from "effect";
import type { RunRow } from "./Run.ts";

/**
 * The run that a request acts for, with its whole row if the request read it. Its state may have changed since: the
 * transaction reads it again.
 */
export type ActingRun = Pick<RunRow, "id" | "agentId"> | RunRow;

/**
 * The run that the current call acts for: the run that the caller named, or the live run of its
 * worker. Null for a call that acts for none. A host provides it in the same way as
 * `CurrentPrincipal`.
 */
export const CurrentRun = Context.Reference<ActingRun | null>(
  "@quartermaster/core/agents/CurrentRun",
  { defaultValue: () => null },
);
