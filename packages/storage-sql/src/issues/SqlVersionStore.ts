import { VersionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { beyond, clause, limit, ordered } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import { Wiping } from "../Wiping.ts";

const table = Table.make<VersionStore.VersionRow>("versions", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  issueId: cells.plain("issue_id", row.issueId),
  textId: cells.plain("text_id", row.textId),
  version: cells.plain("version", row.version),
  content: cells.plain("content", row.content),
  actor: cells.actor("actor", row.actor),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/** Versions of texts in the current `SqlClient`. */
export const layer: Layer.Layer<VersionStore.VersionStore, never, SqlClient.SqlClient | Wiping> =
  Layer.effect(
    VersionStore.VersionStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const { afterCommit: wipe } = yield* Wiping;
      const append = Prepared.append(sql, table);
      const select = Prepared.select(sql, table);
      const remove = Prepared.query(sql, "DELETE FROM versions WHERE text_id = ?");
      return VersionStore.VersionStore.of({
        append: (versions) => mapped(Effect.asVoid(append(versions))),
        list: (textId, slice) =>
          mapped(select(clause`WHERE text_id = ${textId} AND ${beyond(slice)} ${ordered(slice)}`)),
        since: (issueId, after, count) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND seq > ${after} AND NOT EXISTS (
                SELECT 1 FROM versions AS newer
                WHERE newer.text_id = versions.text_id AND newer.seq > versions.seq
              ) ORDER BY seq ${limit(count)}`),
          ),
        remove: (textId) => mapped(Effect.andThen(remove(textId), wipe)),
      });
    }),
  );
