import { Effect } from "effect";
import { isLive, type Run, type RunRow } from "../../agents/Run.ts";
import { failed } from "../../mcp/ToolCall.ts";
import { ToolCallStore } from "../../mcp/ToolCallStore.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { UsageStore } from "../../usage/UsageStore.ts";
import { RunLogStore } from "../RunLogStore.ts";

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

/** Returns the function that converts rows to runs. */
export const make = Effect.gen(function* () {
  const logs = yield* RunLogStore;
  const calls = yield* ToolCallStore;
  const usages = yield* UsageStore;
  return Effect.fnUntraced(function* (rows: ReadonlyArray<RunRow>, now: Timestamp) {
    const ids = rows.map(({ id }) => id);
    const bytes = yield* logs.bytesOf(ids);
    const counts = yield* calls.countByRun(ids, failed);
    const usage = yield* usages.ofRuns(ids);
    return rows.map((row) =>
      toRun(
        row,
        {
          calls: counts.get(row.id) ?? { total: 0, failed: 0 },
          logBytes: bytes.get(row.id) ?? 0,
          usage: usage.get(row.id) ?? null,
        },
        now,
      ),
    );
  });
});
