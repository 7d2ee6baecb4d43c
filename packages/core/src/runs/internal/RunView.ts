import { Effect } from "effect";
import { isLive, type Run, type RunRow } from "../../agents/Run.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { RunLogStore } from "../RunLogStore.ts";

/** A run at `now`: a run whose lease has expired has ended. */
const toRun = (row: RunRow, logBytes: number, now: Timestamp): Run => {
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
    logBytes,
  };
};

/** Returns the function that converts rows to runs. */
export const make = Effect.gen(function* () {
  const logs = yield* RunLogStore;
  return Effect.fnUntraced(function* (rows: ReadonlyArray<RunRow>, now: Timestamp) {
    const bytes = yield* logs.bytesOf(rows.map(({ id }) => id));
    return rows.map((row) => toRun(row, bytes.get(row.id) ?? 0, now));
  });
});
