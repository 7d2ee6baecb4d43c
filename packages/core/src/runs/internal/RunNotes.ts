import { Effect, Option, Redacted } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { AgentSecrets } from "../AgentSecrets.ts";
import { RunLogStore } from "../RunLogStore.ts";
import * as LogScrubber from "./LogScrubber.ts";

/** Notes of agents on their runs. */
export const make = Effect.gen(function* () {
  const runs = yield* RunStore;
  const logs = yield* RunLogStore;
  const { valuesOf } = yield* AgentSecrets;

  /** Removes secrets from a note of the agent. */
  const scrubbed = Effect.fnUntraced(function* (agentId: string, note: string) {
    const values = (yield* valuesOf(agentId)).map((value) => Redacted.value(value));
    const entry = { stream: "host" as const, text: note };
    const { entries } = LogScrubber.scrub([entry], {}, LogScrubber.formsOf(values));
    return entries[0]?.text ?? "";
  });

  /**
   * Stores a scrubbed note inside the caller's transaction. Does not change a run of another agent,
   * a run that may no longer have notes, or a run that already has this note.
   */
  const add = Effect.fnUntraced(function* (
    agentId: string,
    runId: string,
    note: string,
    now: Timestamp,
  ) {
    const principal = yield* CurrentPrincipal;
    const stored = Option.getOrNull(yield* runs.stored(runId));
    if (stored === null || Fence.refusalOf(stored, "notes", now) !== null) return;
    const { run } = stored;
    if (run.agentId !== agentId || !sees(principal, run.projectId) || run.note === note) return;
    yield* runs.update([{ ...run, note } satisfies RunRow]);
    yield* logs.addNote({ runId, issueId: run.issueId, note, at: now });
  });

  return { add, scrubbed };
});
