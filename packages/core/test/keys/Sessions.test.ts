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
      const session = yield* cookie(one.secret);
      const { hash } = session;
      const tokens = [
        yield* sessions.token(hash),
        yield* sessions.token((yield* cookie(other.secret)).hash),
      ] as const;
      yield* sessions.remove(session);
      yield* refused(one.secret);
      yield* cookie(other.secret);
      const ended = yield* Effect.flip(sessions.authenticate("token", tokens[0].secret));
      assert.strictEqual(ended._tag, "Unauthenticated");
      yield* sessions.authenticate("token", tokens[1].secret);
      assert.strictEqual((yield* Effect.flip(sessions.token(hash)))._tag, "Unauthenticated");
    }),
  );

  check(
    "[sessions.sign-in] a sign-in token starts one session, within 5 minutes, and ends with its key",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const keys = yield* Keys.Keys;
      const { keyId, principal } = yield* credential({ userId: "ada", role: "Owner" });
      const used = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
        assert.strictEqual((yield* Effect.flip(sessions.signIn(secret)))._tag, "Unauthenticated");
      });
      const { expiresAt, secret } = yield* sessions.signInToken(keyId);
      assert.strictEqual(expiresAt, new Date(300_000).toISOString());
      assert.match(Redacted.value(secret), /^[0-9a-f]{64}$/);
      yield* refused(secret);
      const session = yield* sessions.signIn(secret);
      assert.deepStrictEqual(session.credential, { principal, keyId, expiresAt: null });
      assert.deepStrictEqual((yield* cookie(session.secret)).principal, principal);
      yield* used(secret);
      yield* used(session.secret);
      const late = yield* sessions.signInToken(keyId);
      const orphan = yield* sessions.signInToken(keyId);
      yield* TestClock.adjust("299 seconds");
      yield* sessions.signIn((yield* sessions.signInToken(keyId)).secret);
      yield* TestClock.adjust("1 second");
      yield* used(late.secret);
      yield* owner(keys.create({ name: "Another", role: "Owner" }));
      yield* owner(keys.remove(keyId));
      yield* used(orphan.secret);
      const gone = yield* Effect.flip(sessions.signInToken(keyId));
      assert.strictEqual(gone._tag, "Unauthenticated");
    }),
  );

  check(
    "[sessions.list] a key lists and ends its own sessions, and an unbound Owner all of them",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const ada = yield* start({ userId: "ada" });
      yield* TestClock.adjust("1 hour");
      const second = yield* sessions.create(ada.credential);
      const bob = yield* start({ userId: "bob", role: "Owner", projects: ["p1"] });
      const root = yield* start({ userId: "root", role: "Owner" });
      const visitor = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
        const { hash, ...rest } = yield* cookie(secret);
        return { ...rest, sessionHash: hash };
      });
      const list = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
        return (yield* sessions.list(yield* visitor(secret))).items;
      });
      const own = yield* list(ada.secret);
      assert.sameDeepMembers(
        own.map(({ createdAt, current, principal }) => [createdAt, principal.id, current]),
        [
          [hours(0), "ada", true],
          [hours(1), "ada", false],
        ],
      );
      assert.lengthOf(yield* list(bob.secret), 1);
      const everyone = yield* list(root.secret);
      assert.lengthOf(everyone, 4);
      const other = everyone.find(({ principal }) => principal.id === "bob");
      const asAda = yield* visitor(ada.secret);
      for (const id of [other?.id ?? "", "ses_", "nothing", asAda.sessionHash]) {
        assert.strictEqual((yield* Effect.flip(sessions.end(asAda, id)))._tag, "NotFound");
      }
      const mine = own.find(({ current }) => !current);
      assert.strictEqual(yield* sessions.end(asAda, mine?.id ?? ""), ada.credential.keyId);
      yield* refused(second.secret);
      yield* cookie(ada.secret);
      yield* sessions.end(yield* visitor(root.secret), other?.id ?? "");
      yield* refused(bob.secret);
      yield* TestClock.adjust("12 hours");
      assert.lengthOf((yield* sessions.list(asAda)).items, 0);
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
      const session = yield* cookie(one.secret);
      yield* sessions.token(session.hash);
      yield* create;
      assert.deepInclude(yield* Effect.flip(create), { _tag: "LimitExceeded", limit: 2 });
      yield* start();
      yield* sessions.remove(session);
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
