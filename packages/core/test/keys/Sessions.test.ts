import { assert, describe } from "@effect/vitest";
import { CoreOptions, Keys, Sessions } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { check, checkWith } from "../support/World.ts";

const owner = Callers.as(Callers.user("root", { role: "Owner" }));
type Input = Parameters<(typeof Keys.Keys)["Service"]["create"]>[0];

const credential = Effect.fnUntraced(function* (input: Partial<Input> = {}) {
  const keys = yield* Keys.Keys;
  const { key } = yield* owner(keys.create({ name: "A key", role: "Editor", ...input }));
  return yield* keys.authenticate(Redacted.make(key));
});

const start = Effect.fnUntraced(function* (input: Partial<Input> = {}) {
  const sessions = yield* Sessions.Sessions;
  const one = yield* credential(input);
  return { ...(yield* sessions.create(one)), credential: one };
});

const cookie = (secret: Redacted.Redacted<string>) =>
  Sessions.Sessions.use((sessions) => sessions.authenticate("cookie", secret));

const refused = (secret: Redacted.Redacted<string>) =>
  Effect.map(Effect.flip(cookie(secret)), ({ _tag }) =>
    assert.strictEqual(_tag, "Unauthenticated"),
  );

const hours = (n: number) => new Date(n * 3_600_000).toISOString();

describe("Sessions", () => {
  check(
    "[sessions.create] a session acts as its key for 12 hours; an agent's key cannot start a session",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const session = yield* start({ userId: "bob", role: "Viewer" });
      assert.strictEqual(session.expiresAt, hours(12));
      const { principal, keyId } = yield* cookie(session.secret);
      assert.deepInclude(principal, { id: "bob", role: "Viewer" });
      assert.strictEqual(keyId, session.credential.keyId);
      const agents = yield* credential({ agentId: "bot" });
      assert.strictEqual((yield* Effect.flip(sessions.create(agents)))._tag, "Forbidden");
      yield* refused(Redacted.make("nothing"));
    }),
  );

  check(
    "[sessions.sliding] each use extends a session to 12 hours; an unused session expires",
    Effect.gen(function* () {
      const { secret } = yield* start();
      yield* TestClock.adjust("11 hours");
      assert.strictEqual((yield* cookie(secret)).expiresAt, hours(23));
      yield* TestClock.adjust("11 hours");
      yield* cookie(secret);
      yield* TestClock.adjust("12 hours");
      yield* refused(secret);
    }),
  );

  check(
    "[sessions.check] checking a session does not extend it",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const { secret } = yield* start();
      const { hash } = yield* cookie(secret);
      yield* TestClock.adjust("11 hours");
      yield* sessions.check(hash);
      yield* TestClock.adjust("1 hour");
      assert.strictEqual((yield* Effect.flip(sessions.check(hash)))._tag, "Unauthenticated");
      yield* refused(secret);
    }),
  );

  check(
    "[sessions.end] a session ends after 7 days at most",
    Effect.gen(function* () {
      const { secret } = yield* start();
      for (let n = 0; n < 16; n++) {
        yield* TestClock.adjust("10 hours");
        yield* cookie(secret);
      }
      assert.strictEqual((yield* cookie(secret)).expiresAt, hours(168));
      yield* TestClock.adjust("8 hours");
      yield* refused(secret);
    }),
  );

  check(
    "[sessions.key-deleted] a session and its token end with the key, deleted or expired",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const keys = yield* Keys.Keys;
      const session = yield* start();
      const token = yield* sessions.token((yield* cookie(session.secret)).hash);
      yield* owner(keys.remove(session.credential.keyId));
      yield* refused(session.secret);
      const tokenRefused = yield* Effect.flip(sessions.authenticate("token", token.secret));
      assert.strictEqual(tokenRefused._tag, "Unauthenticated");
      const expiring = yield* start({ expiresAt: hours(1) });
      yield* TestClock.adjust("1 hour");
      yield* refused(expiring.secret);
    }),
  );

  check(
    "[sessions.token] a bearer token lasts 15 minutes, is not extended and is not accepted as a cookie",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const session = yield* start({ userId: "bob" });
      const { secret, expiresAt } = yield* sessions.token((yield* cookie(session.secret)).hash);
      assert.match(Redacted.value(secret), /^qms_[0-9a-f]+$/);
      assert.strictEqual(expiresAt, "1970-01-01T00:15:00.000Z");
      yield* TestClock.adjust("14 minutes");
      const found = yield* sessions.authenticate("token", secret);
      assert.deepInclude(found, { expiresAt });
      assert.strictEqual(found.principal.id, "bob");
      yield* refused(secret);
      yield* TestClock.adjust("1 minute");
      const late = yield* Effect.flip(sessions.authenticate("token", secret));
      assert.strictEqual(late._tag, "Unauthenticated");
      const crossed = yield* Effect.flip(sessions.authenticate("token", session.secret));
      assert.strictEqual(crossed._tag, "Unauthenticated");
    }),
  );

  check(
    "[sessions.remove] the end of a session ends its tokens and no other session",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const one = yield* start();
      const other = yield* sessions.create(one.credential);
      const { hash } = yield* cookie(one.secret);
      const tokens = [
        yield* sessions.token(hash),
        yield* sessions.token((yield* cookie(other.secret)).hash),
      ] as const;
      yield* sessions.remove(hash);
      yield* refused(one.secret);
      yield* cookie(other.secret);
      const ended = yield* Effect.flip(sessions.authenticate("token", tokens[0].secret));
      assert.strictEqual(ended._tag, "Unauthenticated");
      yield* sessions.authenticate("token", tokens[1].secret);
      assert.strictEqual((yield* Effect.flip(sessions.token(hash)))._tag, "Unauthenticated");
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      maxSessions: 2,
    }),
    "[sessions.limit] a key has no more sessions than the limit, until one ends or expires",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const one = yield* start();
      const create = sessions.create(one.credential);
      const { hash } = yield* cookie(one.secret);
      yield* sessions.token(hash);
      yield* create;
      assert.deepInclude(yield* Effect.flip(create), { _tag: "LimitExceeded", limit: 2 });
      yield* start();
      yield* sessions.remove(hash);
      yield* create;
      assert.strictEqual((yield* Effect.flip(create))._tag, "LimitExceeded");
      yield* TestClock.adjust("12 hours");
      yield* create;
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      adminKey: Redacted.make("a key of the host's own choice"),
    }),
    "[sessions.admin-key] the host's own key can start sessions",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const sessions = yield* Sessions.Sessions;
      const one = yield* keys.authenticate(Redacted.make("a key of the host's own choice"));
      const { secret } = yield* sessions.create(one);
      assert.deepInclude((yield* cookie(secret)).principal, { role: "Owner" });
    }),
  );
});
