import { type Question, QuestionStore, Timestamp } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, among, beyond, clause, ordered } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as QuestionTable from "./QuestionTable.ts";

const statusAt = (status: Question.QuestionStatus | undefined, now: string) => {
  if (status === undefined) return always;
  if (status === "open") {
    return clause`status = 'open' AND (expires_at IS NULL OR expires_at > ${now})`;
  }
  return status === "expired"
    ? clause`(status = 'expired' OR status = 'open' AND expires_at <= ${now})`
    : clause`status = ${status}`;
};

/** `expires_at`, as long after `now` as it is after `created_at`. */
const movedExpiry = (sql: SqlClient.SqlClient, now: string) =>
  Dialect.either(
    sql,
    clause`strftime('%Y-%m-%dT%H:%M:%fZ', ${now},
      (unixepoch(expires_at) - unixepoch(created_at)) || ' seconds')`,
    clause`to_char((CAST(${now} AS TEXT)::timestamptz + (date_trunc('second', expires_at::timestamptz)
      - date_trunc('second', created_at::timestamptz))) AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  );

/** Open questions with an expiry that were created more than a minute after `now`. */
const late = (sql: SqlClient.SqlClient, now: string) => {
  const isLate = clause`status = 'open' AND expires_at IS NOT NULL
    AND created_at > ${Timestamp.addSeconds(now, 60)}`;
  // An answer would make an update of all of them run again.
  return Dialect.either(
    sql,
    isLate,
    Locks.batch(sql, "questions", "seq", clause`WHERE ${isLate} LIMIT 50`),
  );
};

/** Questions in the current `SqlClient`. */
export const layer: Layer.Layer<QuestionStore.QuestionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    QuestionStore.QuestionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insertOne(sql, QuestionTable.table);
      const update = Prepared.update(sql, "questions", QuestionTable.changing);
      const select = Prepared.select(sql, QuestionTable.table);
      const get = Prepared.one(sql, QuestionTable.table, "WHERE id = ?");
      const open = QuestionTable.open(sql);
      return QuestionStore.QuestionStore.of({
        insert: (question) => mapped(insert(question)),
        update: (questions) => mapped(Effect.asVoid(update(questions))),
        get: (questionId) => mapped(get(questionId)),
        open: (issueId) => mapped(open(issueId)),
        due: (now, count) =>
          mapped(
            Locks.due(
              sql,
              "questions",
              clause`status = 'open' AND expires_at IS NOT NULL AND expires_at <= ${now}`,
              clause`ORDER BY expires_at, seq`,
              count,
              select,
            ),
          ),
        correctExpiries: (now) =>
          mapped(
            Prepared.count(
              sql,
              clause`UPDATE questions SET created_at = ${now}, expires_at = ${movedExpiry(sql, now)}
                WHERE ${late(sql, now)} RETURNING 1`,
            ),
          ),
        list: ({ issueId, now, status }, slice) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND ${beyond(slice)}
              AND ${statusAt(status, now)} ${ordered(slice)}`),
          ),
        countOpen: (projects, now) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [count: number]>(
                sql,
                clause`SELECT count(*) FROM questions
                  WHERE ${statusAt("open", now)} AND ${among("project_id", projects)}`,
              ),
              ([row]) => row?.[0] ?? 0,
            ),
          ),
      });
    }),
  );
