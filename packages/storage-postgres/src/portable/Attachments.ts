import { createHash } from "node:crypto";
import { Portable } from "@quartermaster/storage-sql";
import { Effect, Stream } from "effect";
import type { SqlClient } from "effect/sql";
import { Chunks } from "../attachments/Chunks.ts";
import { Digest, sha256 } from "./Digest.ts";
import { digestOf, equal, Refused, type Source } from "./Sides.ts";

/** Moves the bytes of attachments. */

type Sql = SqlClient.SqlClient;

export const table: Portable.Table = { name: "attachment_bytes", key: ["attachment_id", "n"] };

/** Moves the bytes of one attachment in a transaction, and adds them to the digest. */
const moveBytes = Effect.fnUntraced(function* <E>(
  to: Sql,
  { bytesOf }: Source<E>,
  [id, size, sha]: readonly [id: string, size: string, sha256: string],
  digest: Digest,
) {
  const found = yield* to`SELECT 1 FROM attachment_bytes WHERE attachment_id = ${id} LIMIT 1`;
  const all = createHash("sha256");
  const chunks = new Chunks();
  let n = 0;
  let read = 0;
  const put = (chunk: Uint8Array) => {
    digest.add([id, String(n), sha256(chunk)]);
    const insert = to`INSERT INTO attachment_bytes (attachment_id, n, bytes) VALUES (${id}, ${n++}, ${chunk})`;
    return found.length > 0 ? Effect.void : Effect.asVoid(insert);
  };
  yield* Stream.runForEach(bytesOf(id), (part) => {
    all.update(part);
    read += part.length;
    return Effect.forEach(chunks.add(part), put, { discard: true });
  });
  if (!chunks.isEmpty) yield* put(chunks.take());
  if (String(read) === size && all.digest("hex") === sha) return;
  return yield* new Refused({
    message: `The bytes of attachment ${id} are damaged. Put them back from a backup, or delete the attachment.`,
  });
});

/** Moves the bytes that the database does not have yet, and compares all. */
export const move = Effect.fnUntraced(function* <E>(to: Sql, source: Source<E>) {
  const given = new Digest();
  const rows = { name: "attachments", key: ["seq"] };
  yield* Stream.runForEach(
    Portable.slices(source.sql, rows, ["id", "size", "sha256", "seq"]),
    Effect.forEach(
      ([id, size, sha]) =>
        to.withTransaction(moveBytes(to, source, [id ?? "", size ?? "", sha ?? ""], given)),
      { discard: true },
    ),
  );
  return yield* equal(
    table.name,
    given,
    yield* digestOf(to, table, ["attachment_id", "n", "sha256"]),
  );
});
