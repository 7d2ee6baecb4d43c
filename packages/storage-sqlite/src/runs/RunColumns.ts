import type { Run } from "@quartermaster/core";
import type * as Batch from "../sql/Batch.ts";

/** The columns of a run as a query answers them, in the order of `all`. */
export type RunColumns = readonly [
  seq: number,
  id: string,
  agentId: string,
  issueId: string,
  projectId: string,
  status: Run.RunStatus,
  outcome: Run.RunOutcome | null,
  stopReason: Run.StopReason | null,
  commentSeq: number,
  startedAt: string,
  leaseExpiresAt: string,
  endedAt: string | null,
  leaseSeconds: number,
];

/** All but `seq` and `id`. */
export const names = `agent_id issue_id project_id status outcome stop_reason comment_seq
  started_at lease_expires_at ended_at lease_seconds`.split(/\s+/);

/** For `SELECT`. */
export const all = ["seq", "id", ...names].join(", ");

export const toRow = (columns: RunColumns): Run.RunRow => ({
  seq: columns[0],
  id: columns[1],
  agentId: columns[2],
  issueId: columns[3],
  projectId: columns[4],
  status: columns[5],
  outcome: columns[6],
  stopReason: columns[7],
  commentSeq: columns[8],
  startedAt: columns[9],
  leaseExpiresAt: columns[10],
  endedAt: columns[11],
  leaseSeconds: columns[12],
});

export const toColumns = (run: Omit<Run.RunRow, "seq">) =>
  ({
    id: run.id,
    agent_id: run.agentId,
    issue_id: run.issueId,
    project_id: run.projectId,
    status: run.status,
    outcome: run.outcome,
    stop_reason: run.stopReason,
    comment_seq: run.commentSeq,
    started_at: run.startedAt,
    lease_expires_at: run.leaseExpiresAt,
    ended_at: run.endedAt,
    lease_seconds: run.leaseSeconds,
  }) satisfies Record<string, Batch.Cell>;
