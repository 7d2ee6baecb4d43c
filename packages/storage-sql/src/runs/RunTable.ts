import type { Run } from "@quartermaster/core";
import * as KeyText from "../sql/KeyText.ts";
import * as Table from "../sql/Table.ts";

export const table = Table.make<Run.RunRow>("runs", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  agentId: cells.plain("agent_id", row.agentId),
  issueId: cells.plain("issue_id", row.issueId),
  issueKey: cells.derived(null, (alias) => KeyText.ofId(`${alias}.issue_id`), row.issueKey),
  projectId: cells.plain("project_id", row.projectId),
  status: cells.plain("status", row.status),
  outcome: cells.plain("outcome", row.outcome),
  stopReason: cells.plain("stop_reason", row.stopReason),
  attempt: cells.plain("attempt", row.attempt),
  commentSeq: cells.plain("comment_seq", row.commentSeq),
  versionSeq: cells.plain("version_seq", row.versionSeq),
  worker: cells.plain("worker", row.worker),
  acknowledgedAt: cells.plain("acknowledged_at", row.acknowledgedAt),
  resumedAt: cells.plain("resumed_at", row.resumedAt),
  isFenceLifted: cells.boolean("fence_lifted", row.isFenceLifted),
  releaseAt: cells.plain("release_at", row.releaseAt),
  keyId: cells.plain("key_id", row.keyId),
  process: cells.json("process", row.process),
  note: cells.plain("note", row.note),
  exitCode: cells.plain("exit_code", row.exitCode),
  commentId: cells.plain("comment_id", row.commentId),
  startedAt: cells.plain("started_at", row.startedAt),
  leaseExpiresAt: cells.plain("lease_expires_at", row.leaseExpiresAt),
  endedAt: cells.plain("ended_at", row.endedAt),
  leaseSeconds: cells.plain("lease_seconds", row.leaseSeconds),
}));

export const changing = Table.part(
  table,
  table.columns.filter((column) => column !== "seq" && column !== "id"),
);
