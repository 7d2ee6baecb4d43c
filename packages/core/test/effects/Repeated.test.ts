import { assert, describe, it } from "@effect/vitest";
import { EffectStore, Errors, Id, SecretBox, Transactor } from "@quartermaster/core";
import { Fixtures, TestCore } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Aead, Digest, Mac } from "effect/crypto";
import { CallInFlight } from "../../src/mcp/gateway/internal/CallInFlight.ts";
import { EffectCalls } from "../../src/mcp/gateway/internal/EffectCalls.ts";
import { EffectInFlight } from "../../src/mcp/gateway/internal/EffectInFlight.ts";
import * as TestStorage from "../support/Storage.ts";

const lost = new Errors.StorageError({ reason: "The connection was lost", isRetryable: true });

/** Storage that loses the connection at the commit of relaxed changes. */
const losing = Layer.effect(
  Transactor.Transactor,
  Effect.map(Transactor.Transactor, (transactor) => ({
    ...transactor,
    transactRelaxed: (change) =>
      transactor.transactRelaxed(Effect.andThen(change, Effect.fail(lost))),
  })),
);

const effectCalls = EffectCalls.layer.pipe(
  Layer.provide(Layer.merge(Id.Ids.layer, SecretBox.SecretBox.layer)),
  Layer.provide(
    Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto, Mac.layerWebCrypto, losing),
  ),
  Layer.provideMerge(TestCore.layerWith({ storage: TestStorage.storage })),
);

/** A call of `pay` that happens once, and its run. */
const paying = Effect.gen(function* () {
  const run = { ...(yield* Fixtures.runRow({ id: "iss_1", projectId: "shop" })), seq: 1 };
  const request = { agentId: "bot", name: "bank__pay", args: {}, options: {} };
  const call = new CallInFlight("call_1", 0, request, 0);
  const key = { identity: "identity", arguments: "digest", name: null };
  const effect = new EffectInFlight(call.id, run.id, key);
  call.effect = effect;
  return { call, effect, run };
});

describe("A change of an effect that is not committed", () => {
  it.effect("leaves no place to the effect of an admission", () =>
    Effect.gen(function* () {
      const effects = yield* EffectCalls;
      const { transact } = yield* Transactor.Transactor;
      const { call, effect, run } = yield* paying;
      const admission = effects.admit(call, run, Fixtures.at(30));
      const placeAfter = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.map(Effect.exit(transact(change)), () => effect.place);
      assert.isNull(yield* placeAfter(Effect.andThen(admission, Effect.fail(lost))));
      assert.strictEqual((yield* placeAfter(admission))?.n, 1);
    }).pipe(Effect.provide(effectCalls)),
  );

  it.effect("leaves no replay to the effect of a judgment", () =>
    Effect.gen(function* () {
      const effects = yield* EffectCalls;
      const store = yield* EffectStore.EffectStore;
      const { transact } = yield* Transactor.Transactor;
      const { call, effect, run } = yield* paying;
      const { key } = effect;
      const slot = yield* Fixtures.effectSlot({ ...key, issueId: run.issueId, state: "done" });
      yield* transact(store.insert(slot));
      const judgment = effects.judge(call, effect, run, Effect.succeed(run));
      assert.strictEqual(yield* Effect.flip(judgment), lost);
      assert.isNull(effect.replays);
    }).pipe(Effect.provide(effectCalls)),
  );
});
