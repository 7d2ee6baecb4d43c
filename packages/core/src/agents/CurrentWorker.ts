import { Context } from "effect";

/**
 * The name that the process of the present call gave itself, which is known within its key only; null for none.
 * A host provides it as it provides `CurrentRun`.
 */
export const CurrentWorker = Context.Reference<string | null>(
  "@quartermaster/core/agents/CurrentWorker",
  { defaultValue: () => null },
);
