import { assert, describe } from "@effect/vitest";
import { AgentSessionStore, KeyStore, type Transactor } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

type Needs = AgentSessionStore.AgentSessionStore | KeyStore.KeyStore | Transactor.Transactor;

export const tests = (it: It<Needs>): void => {
  it.effect("end records only that session of that key, even when called twice", () =>
    Effect.gen(function* () {
      const sessions = yield* AgentSessionStore.AgentSessionStore;
      const keyId = yield* Fixtures.id("key");
      assert.isFalse(yield* sessions.isEnded(keyId, "nonce-A"));
      yield* transact(sessions.end(keyId, "nonce-A"));
      yield* transact(sessions.end(keyId, "nonce-A"));
      assert.isTrue(yield* sessions.isEnded(keyId, "nonce-A"));
      assert.isFalse(yield* sessions.isEnded(keyId, "nonce-a"));
      assert.isFalse(yield* sessions.isEnded(keyId, "nonce-B"));
      assert.isFalse(yield* sessions.isEnded(`${keyId}x`, "nonce-A"));
    }),
  );

  it.effect("the removal of a key removes its ended sessions, and no other key's", () =>
    Effect.gen(function* () {
      const sessions = yield* AgentSessionStore.AgentSessionStore;
      const keys = yield* KeyStore.KeyStore;
      const [gone, stays] = [yield* Fixtures.keyRow(), yield* Fixtures.keyRow()];
      yield* transact(
        Effect.gen(function* () {
          yield* keys.insert(gone);
          yield* keys.insert(stays);
          for (const { id } of [gone, stays]) {
            yield* sessions.end(id, "one");
            yield* sessions.end(id, "two");
          }
        }),
      );
      yield* transact(keys.remove(gone.id));
      const ended = (id: string) =>
        Effect.all([sessions.isEnded(id, "one"), sessions.isEnded(id, "two")]);
      assert.deepStrictEqual(yield* ended(gone.id), [false, false]);
      assert.deepStrictEqual(yield* ended(stays.id), [true, true]);
    }),
  );
};

/** The requirements of every `AgentSessionStore`, together with the key store. */
export const suite = <E>(name: string, storage: Layer.Layer<Needs, E>): void => {
  describe(`AgentSessionStore: ${name}`, () => {
    block("rows", storage, tests);
  });
};
