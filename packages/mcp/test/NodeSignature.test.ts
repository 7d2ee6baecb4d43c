import { assert, describe, it } from "@effect/vitest";
import { MasterKeys } from "@quartermaster/core";
import { SeededRandom, TestCore } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Digest, Mac } from "effect/crypto";
import { TestClock } from "effect/testing";
import * as Signature from "../src/nodes/NodeSignature.ts";

/** A node with these master keys, newest first. */
const node = (...bytes: [number, ...Array<number>]) => {
  const [first, ...rest] = bytes;
  const keys = MasterKeys.MasterKeys.layer([
    TestCore.masterKey(first),
    ...rest.map(TestCore.masterKey),
  ]);
  return Effect.provide(
    Signature.make,
    keys.pipe(
      Layer.provideMerge(Layer.merge(Digest.layerWebCrypto, Mac.layerWebCrypto)),
      Layer.provideMerge(SeededRandom.layerWith({ seed: first })),
    ),
  );
};

const path = "/internal/mcp";
const body = `{"a":"ä"}`;

describe("signatures of nodes", () => {
  it.effect("[mcp.state.hmac] a request is accepted once, by each node with the master key", () =>
    Effect.gen(function* () {
      const [sender, receiver] = [yield* node(1), yield* node(2, 1)];
      const value = yield* sender.sign(path, body);
      const digest = yield* receiver.digestOf(body);
      assert.strictEqual(yield* receiver.accept(path, value), digest);
      assert.isNull(yield* receiver.accept(path, value), "replayed");
      assert.strictEqual(yield* receiver.accept(path, yield* sender.sign(path, body)), digest);
      const other = yield* sender.sign(path, `${body} `);
      assert.notStrictEqual(yield* receiver.accept(path, other), digest);
      assert.isNull(yield* (yield* node(3)).accept(path, yield* sender.sign(path, body)));
    }),
  );

  it.effect("[mcp.state.hmac] an altered, malformed or missing signature is refused", () =>
    Effect.gen(function* () {
      const { accept, sign } = yield* node(1);
      const value = yield* sign(path, body);
      const [, time = "", nonce = "", hash = "", tag = ""] =
        /^t=(.*),n=(.*),d=(.*),m=(.*)$/.exec(value) ?? [];
      const altered = (text: string) => (text.startsWith("0") ? "1" : "0") + text.slice(1);
      for (const other of [
        undefined,
        "",
        tag,
        `t=${Number(time) + 1},n=${nonce},d=${hash},m=${tag}`,
        `t=${time},n=${altered(nonce)},d=${hash},m=${tag}`,
        `t=${time},n=${nonce},d=${altered(hash)},m=${tag}`,
        `t=${time},n=${nonce},d=${hash},m=${altered(tag)}`,
        `t=${time},n=${nonce},d=${hash},m=`,
        `${value},m=${tag}`,
      ]) {
        assert.isNull(yield* accept(path, other), other);
      }
      assert.isNull(yield* accept("/internal/other", value));
      assert.isNotNull(yield* accept(path, value));
    }),
  );

  it.effect(
    "[mcp.state.hmac] a request of more than 30 seconds ago or ahead is refused, also when its nonce is forgotten",
    () =>
      Effect.gen(function* () {
        const { accept, sign } = yield* node(1);
        yield* TestClock.setTime(100_000);
        const ahead = yield* sign(path, body);
        yield* TestClock.setTime(69_999);
        assert.isNull(yield* accept(path, ahead));
        yield* TestClock.setTime(70_000);
        assert.isNotNull(yield* accept(path, ahead));
        for (const time of [100_000, 130_000, 130_001, 200_000]) {
          yield* TestClock.setTime(time);
          assert.isNull(yield* accept(path, ahead), String(time));
          yield* accept(path, yield* sign(path, body));
        }
        const old = yield* sign(path, body);
        yield* TestClock.adjust("30 seconds");
        assert.isNotNull(yield* accept(path, old));
        const older = yield* sign(path, body);
        yield* TestClock.adjust("30001 millis");
        assert.isNull(yield* accept(path, older));
      }),
  );
});
