import { MentionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { always, clause, limit, list } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";

const table = Table.make<MentionStore.Mention>("mentions", (cells, row) => ({
  issueId: cells.plain("issue_id", row.issueId),
  name: cells.plain("name", row.name),
  textId: cells.plain("text_id", row.textId),
  since: cells.plain("since", row.since),
}));

/** Mentions in the current `SqlClient`. */
export const layer: Layer.Layer<MentionStore.MentionStore, never, SqlClient.SqlClient> =
  Layer.effect(
    MentionStore.MentionStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, table, "ON CONFLICT DO NOTHING");
      return MentionStore.MentionStore.of({
        insert: (mentions) => mapped(Effect.asVoid(insert(mentions))),
        remove: ({ issueId, names, textId }) =>
          mapped(
            Prepared.execute(
              sql,
              clause`DELETE FROM mentions WHERE issue_id = ${issueId} AND name IN ${list(names)}
                AND ${textId === undefined ? always : clause`text_id = ${textId}`}`,
            ),
          ),
        prune: (before, count) =>
          mapped(
            Prepared.count(
              sql,
              clause`DELETE FROM mentions WHERE ${Locks.batch(
                sql,
                "mentions",
                "issue_id, name, text_id",
                clause`WHERE since < ${before} ORDER BY since ${limit(count)}`,
              )} RETURNING 1`,
            ),
          ),
      });
    }),
  );
