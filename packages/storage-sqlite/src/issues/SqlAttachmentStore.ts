import { Effect, Layer, Option } from "effect";
import { type Attachment, AttachmentStore } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import { mapped } from "../client/StorageErrors.ts";

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly issue_id: string;
  readonly file_name: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly download_url: string;
  readonly uploaded_by_type: Attachment.AttachmentRow["uploadedBy"]["type"];
  readonly uploaded_by_id: string;
  readonly created_at: string;
}

const toRow = (columns: Columns): Attachment.AttachmentRow => ({
  seq: columns.seq,
  id: columns.id,
  issueId: columns.issue_id,
  fileName: columns.file_name,
  contentType: columns.content_type,
  size: columns.size,
  sha256: columns.sha256,
  downloadUrl: columns.download_url,
  uploadedBy: { type: columns.uploaded_by_type, id: columns.uploaded_by_id },
  createdAt: columns.created_at,
});

const insert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  attachment: Omit<Attachment.AttachmentRow, "seq">,
) {
  const rows = yield* sql<Columns>`INSERT INTO attachments ${sql.insert({
    id: attachment.id,
    issue_id: attachment.issueId,
    file_name: attachment.fileName,
    content_type: attachment.contentType,
    size: attachment.size,
    sha256: attachment.sha256,
    download_url: attachment.downloadUrl,
    uploaded_by_type: attachment.uploadedBy.type,
    uploaded_by_id: attachment.uploadedBy.id,
    created_at: attachment.createdAt,
  })} RETURNING seq`;
  return { ...attachment, seq: rows[0]?.seq ?? 0 };
});

const remove = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, attachmentId: string) {
  const removed = yield* sql`DELETE FROM attachments WHERE id = ${attachmentId} RETURNING id`;
  if (removed.length > 0) {
    yield* sql`INSERT INTO discarded_attachments (id) VALUES (${attachmentId})`;
  }
});

/** Attachments, without their bytes, in the present `SqlClient`. */
export const layer: Layer.Layer<AttachmentStore.AttachmentStore, never, SqlClient.SqlClient> =
  Layer.effect(
    AttachmentStore.AttachmentStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AttachmentStore.AttachmentStore.of({
        insert: (attachment) => mapped(insert(sql, attachment)),
        remove: (attachmentId) => mapped(remove(sql, attachmentId)),
        get: (attachmentId) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT * FROM attachments WHERE id = ${attachmentId}`,
              ([columns]) => Option.map(Option.fromNullishOr(columns), toRow),
            ),
          ),
        list: (issueId, slice) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT * FROM attachments WHERE issue_id = ${issueId}
                AND ${Keyset.beyond(sql, slice)} ${Keyset.ordered(sql, slice)}`,
              (rows) => rows.map(toRow),
            ),
          ),
        discarded: (limit) =>
          mapped(
            Effect.map(
              sql<Columns>`SELECT id FROM discarded_attachments
                WHERE seq > 0 ORDER BY seq LIMIT ${limit}`,
              (rows) => rows.map((row) => row.id),
            ),
          ),
        forget: (attachmentIds) =>
          mapped(
            Effect.asVoid(
              sql`DELETE FROM discarded_attachments WHERE id IN ${Batch.list(sql, attachmentIds)}`,
            ),
          ),
      }),
    ),
  );
