import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { AttachmentContent, AttachmentStore, IssueStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer, Option, Stream } from "effect";
import type { Key } from "../../src/backup/Signature.ts";
import { Backup, Restore, Storage } from "../../src/index.ts";

/** Data directories that are backed up and restored. */

export const open = (dataDir: string, durability: "full" | "normal" = "normal") =>
  Layer.fresh(Layer.merge(Storage.layer({ dataDir, durability }), SeededRandom.layer));

const createdAt = "2026-03-01T12:00:00.000Z";

export const backup = (
  dataDir: string,
  file: string,
  masterKeys: (() => Promise<string>) | null = null,
  signWith: Key | null = null,
  withoutLogs = false,
) => Backup.run({ dataDir, file, version: "1.2.3", createdAt, masterKeys, signWith, withoutLogs });

export const restore = (file: string, dataDir: string, keys: ReadonlyArray<Key> = []) =>
  Restore.run({ file, dataDir, keys });

export const refusal = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message);

/** Stores an attachment as core does. Returns its id. */
export const attach = Effect.fnUntraced(function* (issueId: string, bytes: Uint8Array) {
  const content = yield* AttachmentContent.AttachmentContent;
  const attachments = yield* AttachmentStore.AttachmentStore;
  const { transact } = yield* Transactor.Transactor;
  const row = yield* Fixtures.attachmentRow(issueId);
  const received = yield* content.receive(row.id, Stream.make(bytes), 100_000_000);
  yield* transact(
    Effect.andThen(
      attachments.insert({ ...row, size: received.size, sha256: received.sha256 }),
      received.keep,
    ),
  );
  return row.id;
}, Effect.scoped);

/** Deletes an attachment as core does. Fails if its bytes stay for now. */
export const detach = Effect.fnUntraced(function* (id: string) {
  const content = yield* AttachmentContent.AttachmentContent;
  const attachments = yield* AttachmentStore.AttachmentStore;
  const { transact } = yield* Transactor.Transactor;
  yield* transact(attachments.remove(id));
  yield* content.remove(id);
  yield* transact(attachments.forget([id]));
});

/** Reads an attachment. Returns the SHA-256 of its bytes, and the one in its row. */
export const hashes = Effect.fnUntraced(function* (id: string) {
  const content = yield* AttachmentContent.AttachmentContent;
  const attachments = yield* AttachmentStore.AttachmentStore;
  const row = Option.getOrThrow(yield* attachments.get(id));
  const hash = createHash("sha256");
  yield* Stream.runForEach(content.read(id, 0, row.size), (chunk) =>
    Effect.sync(() => hash.update(chunk)),
  );
  return [hash.digest("hex"), row.sha256] as const;
});

export const hasIssue = (id: string) =>
  IssueStore.IssueStore.use((issues) => Effect.map(issues.get(id), Option.isSome));

export const namesIn = (folder: string) =>
  Effect.promise(async () => (await readdir(folder)).toSorted());
