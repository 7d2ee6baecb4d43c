// Uploads one attachment, and stops at the step that its argument names.
import { AttachmentContent, AttachmentStore, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Effect, Layer, Stream } from "effect";
import { Storage } from "../../src/index.ts";

const [dataDir = "", point = ""] = process.argv.slice(2);

const reach = (name: string, ...words: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    if (name !== point) return Effect.void;
    process.stdout.write(`${[name, ...words].join(" ")}\n`);
    // Without a timer the process would exit.
    setInterval(() => undefined, 60_000);
    return Effect.never;
  });

const upload = Effect.gen(function* () {
  const content = yield* AttachmentContent.AttachmentContent;
  const attachments = yield* AttachmentStore.AttachmentStore;
  const { transact } = yield* Transactor.Transactor;
  const issue = yield* transact(Fixtures.issue());
  const row = yield* Fixtures.attachmentRow(issue.id);
  const chunk = new Uint8Array(65_536).fill(7);
  const bytes = Stream.concat(
    Stream.make(chunk, chunk),
    Stream.unwrap(Effect.as(reach("receiving", row.id), Stream.make(chunk))),
  );
  const received = yield* content.receive(row.id, bytes, 1_000_000);
  yield* reach("received", row.id);
  yield* transact(
    Effect.gen(function* () {
      yield* attachments.insert({ ...row, size: received.size, sha256: received.sha256 });
      yield* received.keep;
      yield* reach("kept", row.id);
    }),
  );
  yield* reach("committed", row.id);
}).pipe(Effect.scoped);

await Effect.runPromise(
  Effect.provide(upload, Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer)),
);
