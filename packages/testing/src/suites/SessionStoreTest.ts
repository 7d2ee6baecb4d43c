import { assert, describe } from "@effect/vitest";
import { SessionStore, type Transactor } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { transact } from "../Storage.ts";
import { block, type It } from "../Suite.ts";

type Needs = SessionStore.SessionStore | Transactor.Transactor;

const insert = (overrides?: Parameters<typeof Fixtures.sessionRow>[0]) =>
  Effect.tap(Fixtures.sessionRow(overrides), (row) =>
    SessionStore.SessionStore.use((sessions) => transact(sessions.insert(row))),
  );

const rows = (it: It<Needs>): void => {
  it.effect("insert stores every field, even of a key that does not exist", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const cookie = yield* insert({
        keyId: "key_elsewhere",
        createdAt: Fixtures.at(1.5),
        expiresAt: Fixtures.at(2.25),
        endsAt: Fixtures.at(3.125),
        secretHash: "a1b2",
      });
      const token = yield* insert({ kind: "token", parent: cookie.hash });
      assert.deepStrictEqual(yield* sessions.get(cookie.hash), Option.some(cookie));
      assert.deepStrictEqual(yield* sessions.get(token.hash), Option.some(token));
      assert.deepStrictEqual(yield* sessions.get("unknown"), Option.none());
      assert.deepStrictEqual(yield* sessions.get(cookie.hash.toLowerCase()), Option.none());
    }),
  );

  it.effect("count is the number of the key's sessions that have not expired, without tokens", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const keyId = yield* Fixtures.id("key");
      for (const expiresAt of [100, 101, 102].map(Fixtures.at)) {
        const { hash } = yield* insert({ keyId, expiresAt });
        yield* insert({ keyId, expiresAt, kind: "token", parent: hash });
      }
      yield* insert({ keyId: `${keyId}x`, expiresAt: Fixtures.at(102) });
      const count = (seconds: number) => sessions.count(keyId, Fixtures.at(seconds));
      assert.deepStrictEqual(yield* Effect.forEach([99.999, 100, 102], count), [3, 2, 0]);
    }),
  );

  it.effect("countTokens is the number of the session's tokens that have not expired", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const [session, other] = [yield* insert(), yield* insert()];
      for (const expiresAt of [100, 101].map(Fixtures.at)) {
        yield* insert({ kind: "token", parent: session.hash, expiresAt });
      }
      yield* insert({ kind: "token", parent: other.hash, expiresAt: Fixtures.at(102) });
      const count = (seconds: number) => sessions.countTokens(session.hash, Fixtures.at(seconds));
      assert.deepStrictEqual(yield* Effect.forEach([99.999, 100, 101], count), [2, 1, 0]);
    }),
  );

  it.effect(
    "list returns the sessions that have not expired, by expiry and hash, without tokens",
    () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore.SessionStore;
        const keyId = yield* Fixtures.id("key");
        const [expired, ...rest] = yield* Effect.forEach([100, 101, 102, 102, 103], (seconds) =>
          insert({ keyId, expiresAt: Fixtures.at(seconds) }),
        );
        assert.isDefined(expired);
        yield* insert({ keyId, expiresAt: Fixtures.at(102), kind: "token" });
        yield* insert({ keyId, expiresAt: Fixtures.at(102), kind: "signIn" });
        const other = yield* insert({ keyId: `${keyId}x`, expiresAt: Fixtures.at(104) });
        const now = Fixtures.at(100);
        const sorted = rest.toSorted((a, b) =>
          `${a.expiresAt} ${a.hash}` < `${b.expiresAt} ${b.hash}` ? -1 : 1,
        );
        for (const order of ["asc", "desc"] as const) {
          const expected = order === "asc" ? sorted : sorted.toReversed();
          for (const after of [null, ...expected]) {
            const slice = { limit: 2, order, after };
            const start = after === null ? 0 : expected.indexOf(after) + 1;
            const page = yield* sessions.list(keyId, now, slice);
            assert.deepStrictEqual(page, expected.slice(start, start + 2));
          }
        }
        const all = yield* sessions.list(null, now, { limit: 500, order: "desc", after: null });
        const found = all.filter((row) => row.keyId.startsWith(keyId));
        assert.deepStrictEqual(found, [other, ...sorted.toReversed()]);
      }),
  );

  it.effect("slide moves expiresAt only of that session", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const session = yield* insert();
      const other = yield* insert();
      yield* transact(sessions.slide(session.hash, Fixtures.at(50_000)));
      yield* transact(sessions.slide("unknown", Fixtures.at(50_000)));
      const slid = { ...session, expiresAt: Fixtures.at(50_000) };
      assert.deepStrictEqual(yield* sessions.get(session.hash), Option.some(slid));
      assert.deepStrictEqual(yield* sessions.get(other.hash), Option.some(other));
      assert.deepStrictEqual(yield* sessions.get("unknown"), Option.none());
    }),
  );

  it.effect("remove removes that session and its tokens", () =>
    Effect.gen(function* () {
      const sessions = yield* SessionStore.SessionStore;
      const session = yield* insert();
      const other = yield* insert();
      const tokens = [
        yield* insert({ kind: "token", parent: session.hash }),
        yield* insert({ kind: "token", parent: session.hash }),
      ];
      const others = yield* insert({ kind: "token", parent: other.hash });
      yield* transact(sessions.remove(session.hash));
      yield* transact(sessions.remove(session.hash));
      for (const { hash } of tokens) {
        assert.deepStrictEqual(yield* sessions.get(hash), Option.none());
      }
      assert.deepStrictEqual(yield* sessions.get(others.hash), Option.some(others));
      assert.deepStrictEqual(yield* sessions.get(session.hash), Option.none());
      assert.deepStrictEqual(yield* sessions.get(other.hash), Option.some(other));
    }),
  );
};

const prune = (it: It<Needs>): void => {
  it.effect(
    "prune removes at most the given number of sessions that expired before the timestamp",
    () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore.SessionStore;
        const now = Fixtures.at(100);
        const expired = yield* Effect.forEach([97, 98, 99.999], (seconds) =>
          insert({ expiresAt: Fixtures.at(seconds), endsAt: Fixtures.at(900) }),
        );
        const stay = yield* Effect.forEach([100, 101], (seconds) =>
          insert({ expiresAt: Fixtures.at(seconds), createdAt: Fixtures.at(-9) }),
        );
        assert.strictEqual(yield* transact(sessions.prune(now, 2)), 2);
        const left = yield* Effect.forEach(expired, ({ hash }) => sessions.get(hash));
        assert.lengthOf(left.filter(Option.isSome), 1);
        assert.strictEqual(yield* transact(sessions.prune(now, 2)), 1);
        assert.strictEqual(yield* transact(sessions.prune(now, 2)), 0);
        for (const session of stay) {
          assert.deepStrictEqual(yield* sessions.get(session.hash), Option.some(session));
        }
      }),
  );
};

/** The requirements of every `SessionStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Needs, E>): void => {
  describe(`SessionStore: ${name}`, () => {
    block("rows", storage, rows);
    block("prune", storage, prune);
  });
};
