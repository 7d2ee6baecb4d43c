import * as NodeServices from "@effect/platform-node/NodeServices";
import { assert, it } from "@effect/vitest";
import { Keys } from "@quartermaster/core";
import { MemoryStorage, SeededRandom, TestCore } from "@quartermaster/testing";
import { Effect, FileSystem, Layer, Redacted } from "effect";
import { DataDirectory } from "../src/data/DataDirectory.ts";
import * as OwnerKey from "../src/data/OwnerKey.ts";

const directory = Layer.effect(
  DataDirectory,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    return { path: yield* fs.makeTempDirectoryScoped() };
  }),
);

const needs = Layer.merge(directory, SeededRandom.layer).pipe(
  Layer.provideMerge(NodeServices.layer),
);

it.effect("the first start saves the Owner key that storage committed, even after a rerun", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    const keys = yield* Keys.Keys;
    const { file, fresh, isThere } = yield* OwnerKey.bootstrap;
    assert.isTrue(isThere);
    const key = fresh === null ? "" : Redacted.value(fresh);
    assert.strictEqual(yield* fs.readFileString(file), key);
    const { principal } = yield* keys.authenticate(Redacted.make(key));
    assert.strictEqual(principal.role, "Owner");
    assert.deepStrictEqual(yield* OwnerKey.bootstrap, { file, isThere: true, fresh: null });
  }).pipe(
    Effect.provide(TestCore.layerWith({ storage: MemoryStorage.layerRerun })),
    Effect.provide(needs),
  ),
);

it.effect("a start that loses the race for the Owner key leaves no key behind", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    const { file, fresh, isThere } = yield* OwnerKey.bootstrap;
    assert.isFalse(isThere);
    assert.isNull(fresh);
    assert.isFalse(yield* fs.exists(file));
  }).pipe(
    Effect.provide(
      Layer.mock(Keys.Keys)({
        bootstrap: (save) => Effect.as(save(Redacted.make("qm_lost_1")), false),
      }),
    ),
    Effect.provide(needs),
  ),
);
