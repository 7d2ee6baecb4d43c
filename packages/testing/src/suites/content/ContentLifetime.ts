import { assert } from "@effect/vitest";
import { AttachmentContent, AttachmentStore, Transactor } from "@quartermaster/core";
import { Deferred, Effect, Exit, Fiber, Option, Stream } from "effect";
import type { Storage } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { checkGone, keep, read, receive, row, upload } from "./Upload.ts";

const kilobyte = new Uint8Array(1_024).fill(7);

/** An endless stream of 1 KB chunks. `pulled` counts the chunks that were read. */
const endless = (pulled: { count: number }) =>
  Stream.fromEffectRepeat(
    Effect.sync(() => {
      pulled.count += 1;
      return kilobyte;
    }),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("accepts exactly as many bytes as the limit", () =>
    Effect.gen(function* () {
      const { id, size } = yield* upload(Stream.make(kilobyte, kilobyte), 2_048);
      assert.strictEqual(size, 2_048);
      assert.lengthOf(yield* read(id, 0, size), 2_048);
      for (const limit of [0, 1, 2_047]) {
        const attachment = yield* row;
        const refusal = yield* receive(attachment.id, Stream.make(kilobyte, kilobyte), limit).pipe(
          Effect.scoped,
          Effect.flip,
        );
        assert.strictEqual(refusal._tag, "PayloadTooLarge");
        assert.strictEqual("limitBytes" in refusal && refusal.limitBytes, limit);
        yield* checkGone(attachment.id);
      }
    }),
  );

  it.effect("stops reading from a sender beyond the limit", () =>
    Effect.gen(function* () {
      const attachment = yield* row;
      const pulled = { count: 0 };
      let released = false;
      const bytes = endless(pulled).pipe(
        Stream.ensuring(
          Effect.sync(() => {
            released = true;
          }),
        ),
      );
      const refusal = yield* Effect.flip(Effect.scoped(receive(attachment.id, bytes, 10_240)));
      assert.strictEqual(refusal._tag, "PayloadTooLarge");
      assert.isBelow(pulled.count, 100);
      assert.isTrue(released);
      yield* checkGone(attachment.id);
    }),
  );

  it.effect("an upload that fails or dies passes the failure on and leaves nothing", () =>
    Effect.gen(function* () {
      const attachment = yield* row;
      const broken = Stream.concat(Stream.make(kilobyte), Stream.fail("connection lost"));
      const failure = yield* Effect.flip(Effect.scoped(receive(attachment.id, broken)));
      assert.strictEqual(failure, "connection lost");
      yield* checkGone(attachment.id);
      const dying = Stream.concat(Stream.make(kilobyte), Stream.die("defect"));
      const exit = yield* Effect.exit(Effect.scoped(receive(attachment.id, dying)));
      assert.isTrue(Exit.hasDies(exit));
      yield* checkGone(attachment.id);
    }),
  );

  it.effect("an upload that is interrupted releases its sender and leaves nothing", () =>
    Effect.gen(function* () {
      const attachment = yield* row;
      const begun = yield* Deferred.make<void>();
      const released = yield* Deferred.make<void>();
      const hanging = Stream.make(kilobyte).pipe(
        Stream.concat(
          Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)),
        ),
        Stream.ensuring(Deferred.succeed(released, undefined)),
      );
      const fiber = yield* Effect.forkChild(Effect.scoped(receive(attachment.id, hanging)));
      yield* Deferred.await(begun);
      yield* Fiber.interrupt(fiber);
      yield* Deferred.await(released);
      yield* checkGone(attachment.id);
    }),
  );

  it.effect("bytes without `keep` are removed when the scope closes", () =>
    Effect.gen(function* () {
      const attachment = yield* row;
      const { size } = yield* Effect.scoped(receive(attachment.id, Stream.make(kilobyte)));
      assert.strictEqual(size, 1_024);
      yield* checkGone(attachment.id);
    }),
  );

  it.effect("bytes are readable after the commit, before and after the scope closes", () =>
    Effect.gen(function* () {
      const attachment = yield* row;
      yield* Effect.scoped(
        Effect.gen(function* () {
          const received = yield* receive(attachment.id, Stream.make(kilobyte));
          yield* keep(attachment, received);
          assert.deepStrictEqual(yield* read(attachment.id, 0, 1_024), kilobyte);
        }),
      );
      assert.deepStrictEqual(yield* read(attachment.id, 0, 1_024), kilobyte);
    }),
  );

  it.effect("bytes whose `keep` rolls back are removed", () =>
    Effect.gen(function* () {
      const attachments = yield* AttachmentStore.AttachmentStore;
      const transactor = yield* Transactor.Transactor;
      for (const end of [Effect.fail("no"), Effect.die("defect"), Effect.interrupt]) {
        const attachment = yield* row;
        const exit = yield* receive(attachment.id, Stream.make(kilobyte)).pipe(
          Effect.flatMap((received) =>
            transactor.transact(Effect.andThen(keep(attachment, received), end)),
          ),
          Effect.scoped,
          Effect.exit,
        );
        assert.isTrue(Exit.isFailure(exit));
        assert.deepStrictEqual(yield* attachments.get(attachment.id), Option.none());
        yield* checkGone(attachment.id);
      }
    }),
  );

  it.effect("`keep` may run again after a rollback, as its change may", () =>
    Effect.gen(function* () {
      const transactor = yield* Transactor.Transactor;
      const attachment = yield* row;
      yield* Effect.scoped(
        Effect.gen(function* () {
          const received = yield* receive(attachment.id, Stream.make(kilobyte));
          const change = keep(attachment, received);
          yield* Effect.flip(transactor.transact(Effect.andThen(change, Effect.fail("lost"))));
          yield* change;
        }),
      );
      assert.deepStrictEqual(yield* read(attachment.id, 0, 1_024), kilobyte);
    }),
  );

  it.effect("remove removes the bytes of the attachment, and accepts an unknown id", () =>
    Effect.gen(function* () {
      const content = yield* AttachmentContent.AttachmentContent;
      const gone = yield* upload(Stream.make(kilobyte));
      const stays = yield* upload(Stream.make(kilobyte));
      yield* content.remove(gone.id);
      yield* content.remove(gone.id);
      yield* content.remove("att_unknown");
      yield* checkGone(gone.id);
      yield* checkGone("att_unknown");
      assert.lengthOf(yield* read(stays.id, 0, 1_024), 1_024);
    }),
  );
};
