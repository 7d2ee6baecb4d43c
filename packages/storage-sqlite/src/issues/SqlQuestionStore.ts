import { type Question, QuestionStore, Timestamp } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { always, among, beyond, clause, limit, ordered } from "../sql/Clause.ts";
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

/** Questions in the current `SqlClient`. */
export const layer: Layer.Layer<QuestionStore.QuestionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    QuestionStore.QuestionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, QuestionTable.table);
      const update = Prepared.update(sql, "questions", QuestionTable.changing);
      const select = Prepared.select(sql, QuestionTable.table);
      const get = Prepared.one(sql, QuestionTable.table, "WHERE id = ?");
      const open = QuestionTable.open(sql);
      return QuestionStore.QuestionStore.of({
        insert: (question) =>
          mapped(Effect.map(insert([question]), (seq) => ({ ...question, seq }))),
        update: (questions) => mapped(Effect.asVoid(update(questions))),
        get: (questionId) => mapped(get(questionId)),
        open: (issueId) => mapped(open(issueId)),
        due: (now, count) =>
          mapped(
            select(clause`WHERE status = 'open' AND expires_at IS NOT NULL AND expires_at <= ${now}
              ORDER BY expires_at, seq ${limit(count)}`),
          ),
        correctExpiries: (now) =>
          mapped(
            Prepared.count(
              sql,
              clause`UPDATE questions SET created_at = ${now},
                expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', ${now},
                  (unixepoch(expires_at) - unixepoch(created_at)) || ' seconds')
              WHERE status = 'open' AND expires_at IS NOT NULL
                AND created_at > ${Timestamp.addSeconds(now, 60)} RETURNING 1`,
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
