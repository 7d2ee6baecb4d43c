import { Effect, Option, Redacted } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { AgentSecrets } from "../AgentSecrets.ts";
import { RunLogStore } from "../RunLogStore.ts";
import * as LogScrubber from "./LogScrubber.ts";
import { LogTail } from "./LogTail.ts";

/** Notes of agents on their runs. */
export const make = Effect.gen(function* () {
  const runs = yield* RunStore;
  const logs = yield* RunLogStore;
  const tail = yield* LogTail;
  const { valuesOf } = yield* AgentSecrets;
  const { afterCommit } = yield* Transactor;

  /** Removes secrets from a note of the agent. */
  const scrubbed = Effect.fnUntraced(function* (agentId: string, note: string) {
    const values = (yield* valuesOf(agentId)).map((value) => Redacted.value(value));
    const entry = { stream: "host" as const, text: note };
    const { entries } = LogScrubber.scrub([entry], {}, LogScrubber.formsOf(values));
    return entries[0]?.text ?? "";
  });

  /**
   * Returns whether the agent's run may have notes at `now`. False for a run of another agent.
   */
  const mayHave = Effect.fnUntraced(function* (agentId: string, runId: string, now: Timestamp) {
    const principal = yield* CurrentPrincipal;
    const stored = Option.getOrNull(yield* runs.stored(runId));
    if (stored === null || Fence.refusalOf(stored, "notes", now) !== null) return false;
    const { run } = stored;
    return run.agentId === agentId && sees(principal, run.projectId);
  });

  /**
   * Stores a scrubbed note inside the caller's transaction, unless the run already has it. Returns
   * whether it did.
   */
  const put = Effect.fnUntraced(function* (runId: string, note: string, now: Timestamp) {
    const run = Option.getOrNull(yield* runs.get(runId));
    if (run === null || run.note === note) return false;
    yield* runs.update([{ ...run, note } satisfies RunRow]);
    yield* logs.addNote({ runId, issueId: run.issueId, note, at: now });
    yield* afterCommit(tail.wrote(runId));
    return true;
  });

  /** Stores a turn whose note was stored, or that returns comments. */
  const turned = (
    { id: runId, issueId }: RunRow,
    isNoted: boolean,
    comments: ReadonlyArray<{ readonly id: string }>,
    now: Timestamp,
  ) =>
    isNoted || comments.length > 0
      ? logs.addTurn({ runId, issueId, commentIds: comments.map(({ id }) => id), at: now })
      : Effect.void;

  return { mayHave, put, scrubbed, turned };
});
