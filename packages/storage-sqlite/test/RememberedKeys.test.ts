import { assert, it } from "@effect/vitest";
import { type Errors, KeyStore, type Transactor } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Context, Effect, Layer, Option } from "effect";
import { DataVersion } from "../src/client/DataVersion.ts";
import { Storage } from "../src/index.ts";
import * as SqliteKeyStore from "../src/keys/SqliteKeyStore.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const within =
  (context: Context.Context<Transactor.Transactor>) =>
  (change: Effect.Effect<unknown, Errors.StorageError>) =>
    Effect.provideContext(Testing.transact(change), context);

it.live("a key is read once until another process commits, and a deleted key never again", () =>
  Effect.gen(function* () {
    const dataDir = yield* tempFolder;
    const other = yield* Layer.build(Storage.layer({ dataDir }));
    const inOther = within(other);
    const key = yield* Fixtures.keyRow();
    const otherKeys = Context.get(other, KeyStore.KeyStore);
    yield* inOther(otherKeys.insert(key));

    // Fresh: otherwise it would have the stores of `other`.
    const own = yield* Layer.build(
      Layer.fresh(
        Layer.provideMerge(Storage.layerStores, layerClient(Storage.databaseFile(dataDir))),
      ),
    );
    const inOwn = within(own);
    const store = Context.get(own, KeyStore.KeyStore);
    let reads = 0;
    const keys = yield* SqliteKeyStore.make.pipe(
      Effect.provideService(KeyStore.KeyStore, {
        ...store,
        get: (keyId) => Effect.suspend(() => (reads++, store.get(keyId))),
      }),
      Effect.provideContext(own),
    );
    const has = Effect.map(keys.recent(key.id), Option.isSome);

    assert.isTrue(yield* has);
    assert.isTrue(yield* has);
    const unreadable = yield* SqliteKeyStore.make.pipe(
      Effect.provideService(DataVersion, () => {
        throw new Error("database is locked");
      }),
      Effect.provideContext(own),
    );
    assert.isTrue(Option.isSome(yield* unreadable.recent(key.id)));
    // A commit of this process that does not remove the key.
    yield* inOwn(keys.used(key.id, key.createdAt));
    const found = Option.getOrThrow(yield* keys.recent(key.id));
    assert.deepStrictEqual([found.lastUsedAt, reads], [key.createdAt, 1]);

    yield* inOther(otherKeys.used(key.id, "2026-02-01T00:00:00.000Z"));
    assert.isTrue(yield* has);
    assert.strictEqual(reads, 2);
    yield* inOther(otherKeys.remove(key.id));
    assert.isFalse(yield* has);

    yield* inOther(otherKeys.insert(key));
    assert.isTrue(yield* has);
    yield* inOwn(keys.remove(key.id));
    assert.isFalse(yield* has);
  }).pipe(Effect.scoped, Effect.provide(SeededRandom.layer)),
);
