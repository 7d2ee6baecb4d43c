import type { Run } from "@quartermaster/core";
import type * as Batch from "./Batch.ts";

/** The columns of a run, and how they become its row. */
export interface RunColumns {
  readonly seq: number;
  readonly id: string;
  readonly agent_id: string;
  readonly issue_id: string;
  readonly project_id: string;
  readonly status: Run.RunStatus;
  readonly outcome: Run.RunOutcome | null;
  readonly stop_reason: Run.StopReason | null;
  readonly comment_seq: number;
  readonly started_at: string;
  readonly lease_expires_at: string;
  readonly ended_at: string | null;
  readonly lease_seconds: number;
}

export const toRow = (columns: RunColumns): Run.RunRow => ({
  seq: columns.seq,
  id: columns.id,
  agentId: columns.agent_id,
  issueId: columns.issue_id,
  projectId: columns.project_id,
  status: columns.status,
  outcome: columns.outcome,
  stopReason: columns.stop_reason,
  commentSeq: columns.comment_seq,
  startedAt: columns.started_at,
  leaseExpiresAt: columns.lease_expires_at,
  endedAt: columns.ended_at,
  leaseSeconds: columns.lease_seconds,
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
