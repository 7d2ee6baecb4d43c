import { assert, describe } from "@effect/vitest";
import {
  AttachmentContent,
  Attachments,
  CoreOptions,
  Idempotency,
  Issues,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer, Stream } from "effect";
import { type Call, check, checkWith, create, inStatus, kinds, refusal } from "../support/World.ts";

const small = Layer.succeed(CoreOptions.CoreOptions, {
  ...CoreOptions.CoreOptions.defaultValue(),
  maxAttachmentBytes: 8,
});

const bytes = (text: string) => new TextEncoder().encode(text);

const upload = (issueId: string, text = "slates", fileName = "roof.txt") =>
  Attachments.Attachments.use((attachments) =>
    attachments.upload(issueId, {
      fileName,
      contentType: "text/plain",
      bytes: Stream.make(bytes(text)),
    }),
  );

const contentOf = Effect.fnUntraced(function* (id: string, start?: number, end?: number) {
  const attachments = yield* Attachments.Attachments;
  const { read } = yield* attachments.download(id);
  return yield* Stream.mkString(Stream.decodeText(read(start, end)));
});

const bytesAreGone = (id: string) =>
  AttachmentContent.AttachmentContent.use((content) =>
    Effect.map(Effect.result(Stream.runDrain(content.read(id, 0, 1))), ({ _tag }) =>
      assert.strictEqual(_tag, "Failure"),
    ),
  );

describe("Attachments", () => {
  check(
    "[attachments.upload] an upload returns size, hash and download path, and the bytes come back, also in part",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const { id } = yield* inStatus("Closed");
      const made = yield* upload(id);
      assert.deepInclude(made, {
        issueId: id,
        fileName: "roof.txt",
        contentType: "text/plain",
        size: 6,
        downloadUrl: `/api/projects/attachments/${made.id}/download`,
        uploadedBy: { type: "User", id: "alice" },
      });
      assert.match(made.sha256, /^[0-9a-f]{64}$/);
      assert.strictEqual(yield* contentOf(made.id), "slates");
      assert.strictEqual(yield* contentOf(made.id, 1, 3), "la");
      const empty = yield* upload(id, "");
      assert.deepInclude(empty, {
        size: 0,
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      });
      assert.deepStrictEqual((yield* attachments.list(id)).items, [made, empty]);
      assert.deepStrictEqual(yield* kinds(id).pipe(Effect.map((all) => all.slice(-2))), [
        "attached",
        "attached",
      ]);
    }),
  );

  check(
    "[attachments.file-name] a file name is stored as its last segment without control characters, or refused",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (const [given, kept] of [
        ["../../etc/passwd", "passwd"],
        ["C:\\Users\\bob\\roof.txt", "roof.txt"],
        ["ro\u0000o\nf\u009f.txt ", "roof.txt"],
        ["日本 語.txt", "日本 語.txt"],
      ] as const) {
        assert.strictEqual((yield* upload(id, "x", given)).fileName, kept);
      }
      for (const given of ["", "a/", "\n", "x".repeat(256), "\ud800.txt"]) {
        assert.strictEqual((yield* Effect.flip(upload(id, "x", given)))._tag, "InvalidRequest");
        assert.strictEqual((yield* Effect.flip(upload("x", "x", given)))._tag, "InvalidRequest");
      }
    }),
  );

  checkWith(
    small,
    "[attachments.limit] an upload beyond the limit is refused and read no further",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const { id } = yield* create();
      let taken = 0;
      const endless = Stream.make(bytes("slate")).pipe(
        Stream.forever,
        Stream.tap(() => Effect.sync(() => (taken += 1))),
      );
      const file = { fileName: "a", contentType: "text/plain", bytes: endless };
      const tooLarge = yield* Effect.flip(attachments.upload(id, file));
      assert.deepInclude(tooLarge, { _tag: "PayloadTooLarge", limitBytes: 8 });
      assert.isAtMost(taken, 3);
      assert.strictEqual((yield* upload(id, "8 slates")).size, 8);
      assert.lengthOf((yield* attachments.list(id)).items, 1);
    }),
  );

  check(
    "[attachments.interrupted] an interrupted upload leaves nothing",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const { id } = yield* create();
      const broken = Stream.concat(Stream.make(bytes("x")), Stream.fail("gone" as const));
      const file = { fileName: "a", contentType: "text/plain", bytes: broken };
      assert.strictEqual(yield* Effect.flip(attachments.upload(id, file)), "gone");
      assert.deepStrictEqual((yield* attachments.list(id)).items, []);
      assert.deepStrictEqual(yield* kinds(id), ["created"]);
    }),
  );

  check(
    "[attachments.idempotent] the same upload again returns the first one, and another file is a mismatch",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const { id } = yield* create();
      const once = Effect.provideService(Idempotency.CurrentRequest, {
        keyId: "key",
        idempotencyKey: "1",
        content: `POST ${id}`,
      });
      const first = yield* once(upload(id));
      assert.deepStrictEqual(yield* once(upload(id)), first);
      assert.lengthOf((yield* attachments.list(id)).items, 1);
      for (const other of [upload(id, "tiles"), upload(id, "slates", "other.txt")]) {
        assert.strictEqual((yield* Effect.flip(once(other)))._tag, "IdempotencyMismatch");
      }
    }),
  );

  check(
    "[attachments.remove] the bytes are removed with the attachment, and with its issue",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const issues = yield* Issues.Issues;
      const { id } = yield* create();
      const [one, other] = [yield* upload(id), yield* upload(id)];
      yield* attachments.remove(one.id);
      yield* bytesAreGone(one.id);
      assert.strictEqual((yield* kinds(id)).at(-1), "detached");
      assert.strictEqual((yield* Effect.flip(attachments.remove(one.id)))._tag, "NotFound");
      yield* issues.remove(id, { confirm: true });
      yield* bytesAreGone(other.id);
      assert.strictEqual((yield* Effect.flip(attachments.download(other.id)))._tag, "NotFound");
    }),
  );

  check(
    "[attachments.bound] a caller that may not see the project finds no attachment and no issue",
    Effect.gen(function* () {
      const attachments = yield* Attachments.Attachments;
      const bob = Callers.as(Callers.user("bob", { projects: ["other"] }));
      const { id } = yield* create();
      const made = yield* upload(id);
      const calls: ReadonlyArray<readonly [Call, string]> = [
        [attachments.download(made.id), "attachment"],
        [attachments.remove(made.id), "attachment"],
        [attachments.list(id), "issue"],
        [upload(id), "issue"],
      ];
      for (const [call, resource] of calls) {
        assert.deepInclude(yield* refusal(bob(call)), { _tag: "NotFound", resource });
      }
    }),
  );
});
