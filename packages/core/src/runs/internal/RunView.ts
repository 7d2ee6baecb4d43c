import { Effect } from "effect";
import { isLive, type Run, type RunRow } from "../../agents/Run.ts";
import { type AdmittedCallRow, failed } from "../../mcp/ToolCall.ts";
import { ToolCallStore } from "../../mcp/ToolCallStore.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { UsageStore } from "../../usage/UsageStore.ts";
import { RunLogStore } from "../RunLogStore.ts";

/** The largest number of calls whose end housekeeping has not stored. */
const maxOverdue = 10_000;
const noCalls = { total: 0, failed: 0 };

/** A run at `now`: a run whose lease has expired has ended. */
const toRun = (
  row: RunRow,
  counts: Pick<Run, "calls" | "logBytes" | "usage">,
  now: Timestamp,
): Run => {
  const isExpired = row.status !== "ended" && !isLive(row, now);
  return {
    id: row.id,
    agentId: row.agentId,
    issueId: row.issueId,
    issueKey: row.issueKey,
    status: isExpired ? "ended" : row.status,
    outcome: row.outcome,
    attempt: row.attempt,
    stopReason: isExpired ? "leaseExpired" : row.stopReason,
    startedAt: row.startedAt,
    leaseExpiresAt: row.leaseExpiresAt,
    endedAt: isExpired ? row.leaseExpiresAt : row.endedAt,
    note: row.note,
    worker: row.process ?? { name: null, client: null, host: null, pid: null },
    exitCode: row.exitCode,
    commentId: row.commentId,
    ...counts,
  };
};

type Counts = Readonly<Record<"failed" | "total", number>>;

/** The counts of ended calls, with the calls whose node stopped. Housekeeping stores their end later. */
const withLost = (
  ended: ReadonlyMap<string, Counts>,
  overdue: ReadonlyArray<AdmittedCallRow>,
): ReadonlyMap<string, Counts> => {
  const counts = new Map(ended);
  for (const { runId } of overdue) {
    const { failed, total } = counts.get(runId ?? "") ?? noCalls;
    if (runId !== null) counts.set(runId, { total: total + 1, failed: failed + 1 });
  }
  return counts;
};

/** Returns the function that converts rows to runs. */
export const make = Effect.gen(function* () {
  const logs = yield* RunLogStore;
  const calls = yield* ToolCallStore;
  const usages = yield* UsageStore;
  return Effect.fnUntraced(function* (rows: ReadonlyArray<RunRow>, now: Timestamp) {
    const ids = rows.map(({ id }) => id);
    const bytes = yield* logs.bytesOf(ids);
    const ended = yield* calls.countByRun(ids, failed);
    const counts = withLost(ended, yield* calls.overdue(now, maxOverdue));
    const usage = yield* usages.ofRuns(ids);
    return rows.map((row) =>
      toRun(
        row,
        {
          calls: counts.get(row.id) ?? noCalls,
          logBytes: bytes.get(row.id) ?? 0,
          usage: usage.get(row.id) ?? null,
        },
        now,
      ),
    );
  });
});
