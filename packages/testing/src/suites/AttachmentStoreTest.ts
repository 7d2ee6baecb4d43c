import { assert, describe } from "@effect/vitest";
import { AttachmentStore, IssueStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It, texts } from "../Suite.ts";

const insert = (issueId: string) =>
  Effect.flatMap(Fixtures.attachmentRow(issueId), (row) =>
    AttachmentStore.AttachmentStore.use((attachments) => transact(attachments.insert(row))),
  );

const rows = (it: It<Storage>): void => {
  it.effect("insert stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const attachments = yield* AttachmentStore.AttachmentStore;
      const issue = yield* Fixtures.issue();
      const row = yield* Fixtures.attachmentRow(issue.id, {
        fileName: "Plan 日本.pdf",
        contentType: 'application/pdf; x="1"',
        size: 26_214_400,
        sha256: "ab".repeat(32),
        downloadUrl: "/elsewhere",
        uploadedBy: { type: "Agent", id: "agent" },
        createdAt: Fixtures.at(1.5),
      });
      const kept = yield* transact(attachments.insert(row));
      assert.deepStrictEqual(kept, { ...row, seq: kept.seq });
      assert.deepStrictEqual(yield* attachments.get(kept.id), Option.some(kept));
      const next = yield* insert(issue.id);
      assert.isAbove(next.seq, kept.seq);
      assert.deepStrictEqual(yield* attachments.list(issue.id, everything), [kept, next]);
      assert.deepStrictEqual(yield* attachments.get("att_unknown"), Option.none());
    }),
  );

  it.effect.each(texts)("keeps the file name %j", (fileName) =>
    Effect.gen(function* () {
      const attachments = yield* AttachmentStore.AttachmentStore;
      const issue = yield* Fixtures.issue();
      const kept = yield* transact(
        attachments.insert(yield* Fixtures.attachmentRow(issue.id, { fileName })),
      );
      assert.deepStrictEqual(yield* attachments.get(kept.id), Option.some({ ...kept, fileName }));
    }),
  );

  it.effect("list returns only the issue's attachments, page by page, in both orders", () =>
    Effect.gen(function* () {
      const attachments = yield* AttachmentStore.AttachmentStore;
      const issue = yield* Fixtures.issue();
      const other = yield* Fixtures.issue();
      yield* checkPaging(
        (slice) => attachments.list(issue.id, slice),
        Effect.gen(function* () {
          const { id } = yield* insert(issue.id);
          yield* insert(other.id);
          return id;
        }),
      );
    }),
  );
};

const discarded = (it: It<Storage>): void => {
  it.effect("a removed attachment is discarded until it is forgotten", () =>
    Effect.gen(function* () {
      const attachments = yield* AttachmentStore.AttachmentStore;
      const issues = yield* IssueStore.IssueStore;
      const waiting = (limit = 500) =>
        Effect.map(attachments.discarded(limit), (found) => found.toSorted());
      const issue = yield* Fixtures.issue();
      const doomed = yield* Fixtures.issue();
      const stays = yield* insert(issue.id);
      const removed = yield* insert(issue.id);
      const lost = [yield* insert(doomed.id), yield* insert(doomed.id)];
      assert.deepStrictEqual(yield* waiting(), []);

      yield* transact(attachments.remove(removed.id));
      assert.deepStrictEqual(yield* attachments.get(removed.id), Option.none());
      assert.deepStrictEqual(ids(yield* attachments.list(issue.id, everything)), [stays.id]);
      assert.deepStrictEqual(yield* waiting(), [removed.id]);

      yield* transact(issues.remove(doomed.id));
      const all = [removed.id, ...ids(lost)];
      assert.deepStrictEqual(yield* waiting(), all);
      assert.lengthOf(yield* waiting(2), 2);

      yield* transact(attachments.forget([removed.id, "att_unknown"]));
      assert.deepStrictEqual(yield* waiting(), ids(lost));
      yield* transact(attachments.forget([]));
      assert.deepStrictEqual(yield* waiting(), ids(lost));
      yield* transact(attachments.forget(ids(lost)));
      assert.deepStrictEqual(yield* waiting(), []);
      assert.deepStrictEqual(yield* attachments.get(stays.id), Option.some(stays));
    }),
  );
};

/** The requirements of every `AttachmentStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`AttachmentStore: ${name}`, () => {
    block("rows", storage, rows);
    block("discarded", storage, discarded);
  });
};
