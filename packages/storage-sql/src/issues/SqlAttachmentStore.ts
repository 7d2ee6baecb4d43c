import { type Attachment, AttachmentStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { beyond, clause, limit, list, ordered, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as SearchIndex from "./SearchIndex.ts";

const table = Table.make<Attachment.AttachmentRow>("attachments", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  issueId: cells.plain("issue_id", row.issueId),
  fileName: cells.plain("file_name", row.fileName),
  contentType: cells.plain("content_type", row.contentType),
  size: cells.plain("size", row.size),
  sha256: cells.plain("sha256", row.sha256),
  downloadUrl: cells.plain("download_url", row.downloadUrl),
  uploadedBy: cells.actor("uploaded_by", row.uploadedBy),
  createdAt: cells.plain("created_at", row.createdAt),
}));

/** Counts a file of its issue, by which lists find issues with files. */
const countFile = (sql: SqlClient.SqlClient, issueId: string, by: 1 | -1) =>
  Prepared.execute(sql, clause`UPDATE issues SET files = files + ${by} WHERE id = ${issueId}`);

const remove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, attachmentId: string) {
  const [removed] = yield* Prepared.run<readonly [issueId: string]>(
    sql,
    clause`DELETE FROM attachments WHERE id = ${attachmentId} RETURNING issue_id`,
  );
  if (removed === undefined) return;
  yield* Prepared.execute(
    sql,
    clause`INSERT INTO discarded_attachments (id) VALUES (${attachmentId})`,
  );
  yield* countFile(sql, removed[0], -1);
  yield* SearchIndex.update(sql, removed[0]);
});

/** Rows of attachments in the current `SqlClient`, without the bytes. */
export const layer: Layer.Layer<AttachmentStore.AttachmentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    AttachmentStore.AttachmentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insertRow = Prepared.insertOne(sql, table);
      const insert = Effect.fnUntraced(function* (attachment: Table.New<Attachment.AttachmentRow>) {
        const row = yield* insertRow(attachment);
        yield* countFile(sql, row.issueId, 1);
        yield* SearchIndex.update(sql, row.issueId);
        return row;
      });
      const select = Prepared.select(sql, table);
      // PostgreSQL also notes uploads in flight here, which are not discarded yet.
      const isDue = raw(Dialect.either(sql, "seq > 0", "not_before <= now()"));
      const get = Prepared.one(sql, table, "WHERE id = ?");
      return AttachmentStore.AttachmentStore.of({
        insert: (attachment) => mapped(insert(attachment)),
        remove: (attachmentId) => mapped(remove(sql, attachmentId)),
        get: (attachmentId) => mapped(get(attachmentId)),
        list: (issueId, slice) =>
          mapped(
            select(clause`WHERE issue_id = ${issueId} AND ${beyond(slice)} ${ordered(slice)}`),
          ),
        discarded: (count) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [id: string]>(
                sql,
                clause`SELECT id FROM discarded_attachments WHERE ${isDue} ORDER BY seq ${limit(count)}`,
              ),
              (rows) => rows.map(([id]) => id),
            ),
          ),
        forget: (attachmentIds) =>
          mapped(
            Prepared.execute(
              sql,
              clause`DELETE FROM discarded_attachments WHERE ${isDue} AND id IN ${list(attachmentIds)}`,
            ),
          ),
      });
    }),
  );
