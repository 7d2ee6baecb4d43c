import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { assert, it } from "@effect/vitest";
import { AttachmentContent, AttachmentStore, Transactor } from "@quartermaster/core";
import { AttachmentContentTest } from "@quartermaster/testing";
import { Context, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect";
import { SqlClient } from "effect/sql";
import { TestClock } from "effect/testing";
import * as BackupLock from "../src/attachments/BackupLock.ts";
import * as Bucket from "../src/attachments/Bucket.ts";
import * as DatabaseAttachmentContent from "../src/attachments/DatabaseAttachmentContent.ts";
import { environment, type Fault, S3Server } from "./support/S3Server.ts";
import { layerFilled, withServer } from "./support/TestStorage.ts";

const isLong = process.env["QM_LONG"] === "1";

/** The S3 server of a test, and the folder of spooled files. */
class Objects extends Context.Service<
  Objects,
  { readonly server: S3Server; readonly spool: string }
>()("test/Objects") {
  static readonly layer = Layer.effect(
    Objects,
    Effect.acquireRelease(
      Effect.promise(async () => ({
        server: await S3Server.start(),
        spool: await mkdtemp(join(tmpdir(), "quartermaster-spool-")),
      })),
      ({ server, spool }) =>
        Effect.promise(async () => {
          await server.close();
          await rm(spool, { recursive: true });
        }),
    ),
  );
}

const storage = Layer.unwrap(
  Effect.map(Objects, ({ server: { endpoint }, spool }) =>
    layerFilled([], { bucket: "files", prefix: "house/one", endpoint, spool }),
  ),
).pipe(Layer.provideMerge(Objects.layer));

const bytes = new TextEncoder().encode("orders, lines");

const receive = (id: string, from: Stream.Stream<Uint8Array> = Stream.make(bytes)) =>
  AttachmentContent.AttachmentContent.use((content) => content.receive(id, from, 2 ** 30)).pipe(
    Effect.catchTag("PayloadTooLarge", Effect.die),
  );

const read = (id: string, start = 0, end = bytes.length) =>
  AttachmentContent.AttachmentContent.use((content) =>
    Stream.mkUint8Array(content.read(id, start, end)),
  );

const keep = ({ keep }: AttachmentContent.ReceivedContent) =>
  Transactor.Transactor.use(({ transact }) => transact(keep));

const upload = (id: string) => Effect.scoped(Effect.flatMap(receive(id), keep));

/** Does as housekeeping with the attachments that are due. */
const removeDiscarded = Effect.gen(function* () {
  const store = yield* AttachmentStore.AttachmentStore;
  const content = yield* AttachmentContent.AttachmentContent;
  const { transact } = yield* Transactor.Transactor;
  const due = yield* store.discarded(9);
  yield* Effect.forEach(due, (id) => content.remove(id));
  yield* transact(store.forget(due));
  return due;
});

const notes = SqlClient.SqlClient.use(
  (sql) =>
    sql<{
      readonly id: string;
      readonly minutes: number;
    }>`SELECT id, round(extract(epoch FROM not_before - now()) / 60)::integer AS minutes FROM discarded_attachments`,
);
const anHourLater = SqlClient.SqlClient.use(
  (sql) => sql`UPDATE discarded_attachments SET not_before = not_before - interval '1 hour'`,
);

withServer(() => {
  AttachmentContentTest.suite("S3", storage);

  it.layer(storage)("attachments in S3", (it) => {
    it.effect("an upload is one PUT with its length and checksum, and leaves no other trace", () =>
      Effect.gen(function* () {
        const { server, spool } = yield* Objects;
        yield* upload("att_trace");
        assert.include(server.keys, "house/one/att_trace");
        const [put, ...others] = server.requests.filter(({ path }) => path.includes("att_trace"));
        assert.lengthOf(others, 0);
        assert.strictEqual(put?.method, "PUT");
        assert.strictEqual(
          put?.headers["x-amz-checksum-sha256"],
          createHash("sha256").update(bytes).digest("base64"),
        );
        assert.strictEqual(put?.headers["content-length"], `${bytes.length}`);
        assert.deepStrictEqual(readdirSync(spool), []);
        assert.deepStrictEqual(yield* notes, []);
      }),
    );

    it.effect("bytes of a process that died before the commit are removed after an hour", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        // Nothing closes the scope of a process that died.
        const scope = yield* Scope.make();
        const received = yield* Scope.provide(receive("att_crash"), scope);
        const [note] = yield* notes;
        assert.strictEqual(note?.id, "att_crash");
        assert.strictEqual(note?.minutes, 60);
        assert.deepStrictEqual(yield* removeDiscarded, []);
        assert.include(server.keys, "house/one/att_crash");
        yield* anHourLater;
        assert.deepStrictEqual(yield* removeDiscarded, ["att_crash"]);
        assert.notInclude(server.keys, "house/one/att_crash");
        assert.match((yield* Effect.flip(keep(received))).reason, /took longer than an hour/u);
        yield* Scope.close(scope, Exit.void);
        assert.deepStrictEqual(yield* notes, []);
      }),
    );

    it.effect("bytes of an upload whose PUT got no response are also removed after an hour", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        server.next.push("lost");
        const upload = yield* Effect.forkChild(Effect.scoped(receive("att_lost")));
        yield* Effect.promise(() =>
          server.signal.until(() => server.keys.includes("house/one/att_lost")),
        );
        yield* Fiber.interrupt(upload);
        assert.lengthOf(yield* notes, 1);
        yield* anHourLater;
        yield* removeDiscarded;
        assert.notInclude(server.keys, "house/one/att_lost");
      }),
    );

    it.effect("requests that the store has no time for are sent again, three times in all", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        const busy: Fault = { status: 503, code: "SlowDown" };
        server.next.push(busy, busy);
        yield* upload("att_busy");
        server.next.push({ status: 500, code: "InternalError" });
        assert.deepStrictEqual(yield* read("att_busy"), bytes);
        server.requests.length = 0;
        server.next.push(busy, busy, busy);
        const error = yield* Effect.flip(upload("att_never"));
        assert.strictEqual(
          error.reason,
          "The object store refused a request: The test says so (SlowDown, 503)",
        );
        assert.isTrue(error.isRetryable);
        assert.lengthOf(server.requests, 3);
        yield* anHourLater;
        yield* removeDiscarded;
      }).pipe(TestClock.withLive),
    );

    it.effect("a file that cannot be read again fails its upload", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        const options = { bucket: "files", prefix: "", endpoint: server.endpoint };
        const { put } = yield* Bucket.make(options);
        const read = () =>
          Readable.from(
            (async function* () {
              yield Buffer.alloc(10);
              throw new Error("EIO");
            })(),
          );
        const sha256 = Buffer.alloc(32);
        const { reason } = yield* Effect.flip(put("att_broken", { size: 20, sha256, read }));
        assert.match(reason, /cannot be used/u);
      }).pipe(Effect.scoped, TestClock.withLive),
    );

    it.effect("a wrong secret, a missing bucket and a missing region are named", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        const reasonOf = (bucket: string) =>
          Bucket.make({ bucket, prefix: "", endpoint: server.endpoint }).pipe(
            Effect.flatMap(({ get }) => get("att_any", 0, 1)),
            Effect.scoped,
            Effect.flip,
            Effect.map(({ reason }) => reason),
          );
        assert.match(yield* reasonOf("missing"), /NoSuchBucket, 404/u);
        process.env["AWS_SECRET_ACCESS_KEY"] = "wrong";
        assert.match(yield* reasonOf("files"), /SignatureDoesNotMatch, 403/u);
        delete process.env["AWS_REGION"];
        assert.match(yield* reasonOf("files"), /Set AWS_REGION/u);
      }).pipe(Effect.ensuring(Effect.sync(() => Object.assign(process.env, environment)))),
    );

    it.effect("a download that is interrupted closes its socket", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        yield* upload("att_aborted");
        server.requests.length = 0;
        server.next.push("silent");
        const download = yield* Effect.forkChild(read("att_aborted"));
        yield* Effect.promise(() => server.signal.until(() => server.requests.length === 1));
        yield* Fiber.interrupt(download);
        yield* Effect.promise(() =>
          server.signal.until(() => server.requests[0]?.isAborted === true),
        );
      }),
    );

    it.effect("a download reads 1 MiB at a time, and no more than its client takes", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        const mebibyte = 1024 * 1024;
        const large = Stream.fromIterable(
          Array.from({ length: 40 }, (_, n) => new Uint8Array(mebibyte / 8).fill(n)),
        );
        yield* Effect.scoped(Effect.flatMap(receive("att_large", large), keep));
        server.requests.length = 0;
        const content = yield* AttachmentContent.AttachmentContent;
        const [first] = yield* Stream.runCollect(
          Stream.take(content.read("att_large", 0, 5 * mebibyte), 1),
        );
        assert.lengthOf(first ?? [], mebibyte);
        assert.deepStrictEqual(
          server.requests.map(({ headers }) => headers.range),
          ["bytes=0-1048575"],
        );
        const [byte] = yield* read("att_large", 3 * mebibyte + 7, 3 * mebibyte + 8);
        assert.strictEqual(byte, 24);
      }),
    );

    it.effect("an object that is missing or too short fails the download", () =>
      Effect.gen(function* () {
        yield* upload("att_short");
        const short = yield* Effect.flip(read("att_short", 0, bytes.length + 1));
        assert.match(short.reason, /att_short is shorter than the attachment/u);
        const missing = yield* Effect.flip(read("att_missing"));
        assert.match(missing.reason, /NoSuchKey, 404/u);
        assert.isFalse(missing.isRetryable);
      }),
    );

    it.effect("no bytes are removed while a backup reads them", () =>
      Effect.gen(function* () {
        const { server } = yield* Objects;
        const content = yield* AttachmentContent.AttachmentContent;
        yield* upload("att_backup");
        const { reason } = yield* Effect.scoped(
          Effect.andThen(BackupLock.hold, Effect.flip(content.remove("att_backup"))),
        );
        assert.match(reason, /A backup is reading the attachments/u);
        assert.include(server.keys, "house/one/att_backup");
        yield* Effect.all(
          Array.from({ length: 8 }, () => content.remove("att_backup")),
          { concurrency: 8 },
        );
        assert.notInclude(server.keys, "house/one/att_backup");
      }),
    );

    it.effect(
      "attachments from before the bucket are read from the database and removed there",
      () =>
        Effect.gen(function* () {
          const content = yield* AttachmentContent.AttachmentContent;
          const sql = yield* SqlClient.SqlClient;
          const before = yield* DatabaseAttachmentContent.make;
          yield* Effect.scoped(
            Effect.flatMap(before.receive("att_before", Stream.make(bytes), 100), keep),
          );
          assert.deepStrictEqual(yield* read("att_before"), bytes);
          yield* content.remove("att_before");
          assert.deepStrictEqual(yield* sql`SELECT 1 FROM attachment_bytes`, []);
        }),
    );

    it.effect.runIf(isLong)(
      "[long] a request that gets no response fails within 15 seconds and closes its socket",
      () =>
        Effect.gen(function* () {
          const { server } = yield* Objects;
          yield* upload("att_silent");
          const content = yield* AttachmentContent.AttachmentContent;
          server.requests.length = 0;
          server.fault = "silent";
          const started = performance.now();
          const hanging = [
            Effect.flip(upload("att_hanging")),
            Effect.flip(read("att_silent")),
            Effect.flip(content.remove("att_silent")),
          ];
          const errors = yield* Effect.all(hanging, { concurrency: 3 });
          server.fault = null;
          assert.deepStrictEqual(
            errors.map(({ reason }) => reason),
            hanging.map(() => "The object store does not respond"),
          );
          assert.isBelow(performance.now() - started, 15_000);
          yield* Effect.promise(() =>
            server.signal.until(() => server.requests.every(({ isAborted }) => isAborted)),
          );
        }),
    );
  });
});
