import { Errors } from "@quartermaster/core";
import { Clause, Prepared, StorageErrors } from "@quartermaster/storage-sql";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";

/**
 * Notes of attachments in `discarded_attachments`.
 *
 * An upload counts as discarded until `keep`: its note is stored before its bytes, for an hour from
 * then, and `keep` removes the note in the transaction of the attachment's row. A process that dies
 * leaves the note, and `Attachments.removeDiscarded` of any node removes the bytes after the hour.
 */

const { clause } = Clause;
const { mapped } = StorageErrors;

const uploadMinutes = 60;
/** `keep` leaves its change this much of the hour to commit. */
const commitMinutes = 1;

export const gone = new Errors.StorageError({
  reason: "The upload took longer than an hour. Upload the file again",
  isRetryable: true,
});

export const make = (sql: SqlClient.SqlClient) => {
  /** Runs a statement that is a transaction of its own. */
  const alone = (statement: Clause.Clause) => mapped(Prepared.alone(sql, statement));
  return {
    alone,
    note: (attachmentId: string) =>
      alone(clause`INSERT INTO discarded_attachments (id, not_before)
        VALUES (${attachmentId}, now() + make_interval(mins => ${uploadMinutes}))`),
    /** `AttachmentContent.ReceivedContent.keep`. */
    keep: (attachmentId: string) =>
      Effect.flatMap(
        mapped(
          Prepared.count(
            sql,
            clause`DELETE FROM discarded_attachments WHERE id = ${attachmentId}
              AND not_before > now() + make_interval(mins => ${commitMinutes}) RETURNING 1`,
          ),
        ),
        (notes) => (notes === 0 ? Effect.fail(gone) : Effect.void),
      ),
  };
};
