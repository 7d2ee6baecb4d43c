import { type Attachment, AttachmentStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { beyond, clause, limit, list, ordered } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

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

const remove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, attachmentId: string) {
  const removed = yield* Prepared.count(
    sql,
    clause`DELETE FROM attachments WHERE id = ${attachmentId} RETURNING 1`,
  );
  if (removed === 0) return;
  yield* Prepared.execute(
    sql,
    clause`INSERT INTO discarded_attachments (id) VALUES (${attachmentId})`,
  );
});

/** Rows of attachments in the current `SqlClient`, without the bytes. */
export const layer: Layer.Layer<AttachmentStore.AttachmentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    AttachmentStore.AttachmentStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const insert = Prepared.insert(sql, table);
      const select = Prepared.select(sql, table);
      const get = Prepared.one(sql, table, "WHERE id = ?");
      return AttachmentStore.AttachmentStore.of({
        insert: (attachment) =>
          mapped(Effect.map(insert([attachment]), (seq) => ({ ...attachment, seq }))),
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
                clause`SELECT id FROM discarded_attachments WHERE seq > 0
                  ORDER BY seq ${limit(count)}`,
              ),
              (rows) => rows.map(([id]) => id),
            ),
          ),
        forget: (attachmentIds) =>
          mapped(
            Prepared.execute(
              sql,
              clause`DELETE FROM discarded_attachments WHERE id IN ${list(attachmentIds)}`,
            ),
          ),
      });
    }),
  );
