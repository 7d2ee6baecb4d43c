import { assert, it } from "@effect/vitest";
import { EventStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Deferred, Effect, Layer, Redacted, Stream } from "effect";
import { Storage } from "../src/index.ts";
import { Proxy } from "./support/Proxy.ts";
import { newSchema, options, url, withServer } from "./support/TestStorage.ts";

withServer(() => {
  it.live("only the connection that listens uses the direct URL, and survives the others", () =>
    Effect.gen(function* () {
      const pooler = yield* Effect.acquireRelease(
        Effect.promise(() => Proxy.to(Number(new URL(url).port))),
        (proxy) => Effect.promise(() => proxy.close()),
      );
      const schema = yield* newSchema;
      const throughPooler = Object.assign(new URL(url), { port: String(pooler.port) });
      const storage = Storage.layer({
        ...options(schema),
        url: Redacted.make(throughPooler.href),
        directUrl: Redacted.make(url),
      });
      yield* Effect.gen(function* () {
        const store = yield* EventStore.EventStore;
        const listens = yield* Deferred.make<void>();
        const rang = yield* Deferred.make<void>();
        yield* store.bell.pipe(
          Stream.runForEach(() =>
            Effect.flatMap(Deferred.succeed(listens, undefined), (isFirst) =>
              isFirst ? Effect.void : Deferred.succeed(rang, undefined),
            ),
          ),
          Effect.raceFirst(Deferred.await(rang)),
          Effect.forkChild,
        );
        yield* Deferred.await(listens);
        pooler.breakAll();
        yield* Effect.provide(
          Effect.gen(function* () {
            const other = yield* EventStore.EventStore;
            yield* Testing.transact(other.append([yield* Fixtures.eventRow()]));
            assert.strictEqual(yield* other.lastSeq, 1);
          }),
          Layer.merge(Storage.layer(options(schema)), SeededRandom.layer),
        );
        yield* Deferred.await(rang);
      }).pipe(Effect.provide(storage));
    }).pipe(Effect.scoped),
  );
});
