import type { Question } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";
import type { Clause } from "../sql/Clause.ts";
import * as KeyText from "../sql/KeyText.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as Table from "../sql/Table.ts";

export const table = Table.make<Question.QuestionRow>("questions", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  issueId: cells.plain("issue_id", row.issueId),
  issueKey: cells.derived(null, (alias) => KeyText.ofId(`${alias}.issue_id`), row.issueKey),
  projectId: cells.plain("project_id", row.projectId),
  runId: cells.plain("run_id", row.runId),
  askedBy: cells.actor("asked_by", row.askedBy),
  kind: cells.plain("kind", row.kind),
  prompt: cells.plain("prompt", row.prompt),
  options: cells.json("options", row.options),
  blocking: cells.boolean("blocking", row.blocking),
  status: cells.plain("status", row.status),
  answer: cells.plain("answer", row.answer),
  answeredBy: cells.json("answered_by", row.answeredBy),
  createdAt: cells.plain("created_at", row.createdAt),
  expiresAt: cells.plain("expires_at", row.expiresAt),
  answeredAt: cells.plain("answered_at", row.answeredAt),
  onExpiry: cells.plain("on_expiry", row.onExpiry),
  key: cells.plain("asker_key", row.key),
}));

export const changing = Table.part(
  table,
  table.columns.filter((column) => column !== "seq" && column !== "id"),
);

/** The questions of an issue with the stored status open, oldest first. */
export const open = (sql: SqlClient.SqlClient) => {
  const query = Prepared.query(
    sql,
    `SELECT ${table.select()} FROM questions WHERE issue_id = ? AND status = 'open' ORDER BY seq`,
  );
  return (issueId: string) =>
    Effect.map(query(issueId), (rows) => rows.map((cells) => table.toRow(cells)));
};

/** The condition that a blocking question of the issue is open at the time of the parameter. */
export const awaitedAtTime = (issueId: string): string =>
  `EXISTS (SELECT 1 FROM questions q WHERE q.issue_id = ${issueId} AND q.status = 'open'
    AND q.blocking = 1 AND (q.expires_at IS NULL OR q.expires_at > ?) /* OFFSET 0 */)`;

/** The same condition at the given time. */
export const awaitedBy = (issueId: string, now: string): Clause => ({
  text: awaitedAtTime(issueId),
  params: [now],
});
