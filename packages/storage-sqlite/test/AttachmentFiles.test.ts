import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { AttachmentContent, AttachmentStore, type Errors, Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect";
import { fromFileError } from "../src/client/StorageErrors.ts";
import { Storage } from "../src/index.ts";
import * as Child from "./support/Child.ts";
import { tempFolder } from "./support/TestStorage.ts";

/** All files of attachments, except the locks of live processes. */
const files = (dataDir: string) =>
  Effect.map(
    Effect.promise(() =>
      readdir(join(dataDir, "attachments"), { recursive: true, withFileTypes: true }),
    ),
    (entries) =>
      entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith("owner.lock"))
        .map((entry) => entry.name),
  );

const folders = (dataDir: string) =>
  Effect.promise(() => readdir(join(dataDir, "attachments", "receiving")));

const open = (dataDir: string) =>
  Layer.fresh(Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer));

const sizeOf = (attachmentId: string) =>
  Effect.flatMap(AttachmentContent.AttachmentContent, (content) =>
    Stream.runFold(
      content.read(attachmentId, 0, 1_000_000),
      () => 0,
      (size, chunk) => size + chunk.length,
    ),
  );

describe("files of attachments", () => {
  it.live.each([
    ["receiving", false],
    ["received", false],
    ["kept", false],
    ["committed", true],
  ] as const)(
    "a process killed while an upload is %s leaves no stray file; the upload stays: %s",
    ([point, kept]) =>
      Effect.gen(function* () {
        const dataDir = yield* tempFolder;
        const child = yield* Child.start("uploader", dataDir, point);
        const attachmentId = (yield* child.line).split(" ")[1] ?? "";
        assert.isAbove((yield* files(dataDir)).length, 0);
        yield* child.kill;

        yield* Effect.gen(function* () {
          const attachments = yield* AttachmentStore.AttachmentStore;
          const row = yield* attachments.get(attachmentId);
          assert.strictEqual(Option.isSome(row), kept);
          assert.deepStrictEqual(yield* files(dataDir), kept ? [attachmentId] : []);
          assert.lengthOf(yield* folders(dataDir), 1);
          if (kept) assert.strictEqual(yield* sizeOf(attachmentId), 3 * 65_536);
        }).pipe(Effect.provide(open(dataDir)));
        assert.deepStrictEqual(yield* folders(dataDir), []);
      }).pipe(Effect.scoped),
  );

  it.live("a process that starts leaves the uploads of a live process alone", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      const child = yield* Child.start("uploader", dataDir, "receiving");
      const attachmentId = (yield* child.line).split(" ")[1] ?? "";
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* files(dataDir), [attachmentId, attachmentId]);
        assert.lengthOf(yield* folders(dataDir), 2);
      }).pipe(Effect.provide(open(dataDir)));
      assert.deepStrictEqual(yield* files(dataDir), [attachmentId, attachmentId]);
      yield* child.kill;
    }).pipe(Effect.scoped),
  );

  it.effect("an upload that fails, is too large or is interrupted leaves nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      const chunk = new Uint8Array(1_000);
      yield* Effect.gen(function* () {
        const content = yield* AttachmentContent.AttachmentContent;
        const receive = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
          Effect.flatMap(Fixtures.id("att"), (id) =>
            Effect.scoped(content.receive(id, bytes, 5_000)),
          );
        const bytes = Stream.make(chunk, chunk);
        const failed = yield* Effect.flip(
          receive(Stream.concat(bytes, Stream.fail("gone" as const))),
        );
        assert.strictEqual(failed, "gone");
        const large = yield* Effect.flip(receive(Stream.forever(bytes)));
        assert.deepInclude(large, { _tag: "PayloadTooLarge", limitBytes: 5_000 });
        const begun = yield* Deferred.make<void>();
        const stalled = yield* Effect.forkChild(
          receive(
            Stream.concat(
              bytes,
              Stream.unwrap(Effect.as(Deferred.succeed(begun, undefined), Stream.never)),
            ),
          ),
        );
        yield* Deferred.await(begun);
        assert.lengthOf(yield* files(dataDir), 2);
        yield* Fiber.interrupt(stalled);
        assert.deepStrictEqual(yield* files(dataDir), []);
      }).pipe(Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it.effect("a transaction that fails after keep leaves nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      yield* Effect.gen(function* () {
        const content = yield* AttachmentContent.AttachmentContent;
        const { transact } = yield* Transactor.Transactor;
        yield* Effect.scoped(
          Effect.gen(function* () {
            const id = yield* Fixtures.id("att");
            const received = yield* content.receive(id, Stream.make(new Uint8Array(10)), 100);
            yield* Effect.exit(transact(Effect.andThen(received.keep, Effect.fail("no"))));
          }),
        );
        assert.deepStrictEqual(yield* files(dataDir), []);
      }).pipe(Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it.live("a large upload is written chunk by chunk", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      const chunk = new Uint8Array(65_536).fill(3);
      const count = 400;
      yield* Effect.gen(function* () {
        const content = yield* AttachmentContent.AttachmentContent;
        const id = yield* Fixtures.id("att");
        const kept = join(dataDir, "attachments", "kept", id.slice(-2), id);
        // The store requests a chunk only after the earlier chunks are in the file.
        const bytes = Stream.range(0, count - 1).pipe(
          Stream.rechunk(1),
          Stream.mapEffect((n) =>
            Effect.map(
              Effect.promise(() => stat(kept)),
              ({ size }) => {
                assert.isAtLeast(size, (n - 1) * chunk.length);
                return chunk.slice();
              },
            ),
          ),
        );
        const received = yield* content.receive(id, bytes, 30_000_000);
        assert.strictEqual(received.size, count * 65_536);
        const { mode } = yield* Effect.promise(() => stat(kept));
        assert.strictEqual(mode & 0o777, 0o600);
      }).pipe(Effect.scoped, Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it.effect("ids that are not file names are refused", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      yield* Effect.gen(function* () {
        const content = yield* AttachmentContent.AttachmentContent;
        for (const id of ["../../x", "a/b", "", "..", "att\u0000x"]) {
          const error: Errors.StorageError = yield* Effect.flip(content.remove(id));
          assert.strictEqual(error.isRetryable, false);
        }
      }).pipe(Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it("a full disk is retryable, a missing file is not", () => {
    const failed = (code: string) => fromFileError(Object.assign(new Error(code), { code }));
    assert.strictEqual(failed("ENOSPC").isRetryable, true);
    assert.strictEqual(failed("EIO").isRetryable, true);
    assert.strictEqual(failed("ENOENT").isRetryable, false);
    assert.notInclude(failed("ENOENT").message, "/");
  });
});
