import { assert, describe } from "@effect/vitest";
import { CoreOptions, Keys, type Principal, type Role } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { type Call, check, checkWith, refusal } from "../support/World.ts";

const as = (role: Role.Role, overrides: Partial<Principal.Principal> = {}) =>
  Callers.as(Callers.user("root", { role, ...overrides }));
const owner = as("Owner");
const admin = as("Admin");

type Input = Parameters<(typeof Keys.Keys)["Service"]["create"]>[0];
const create = (input: Partial<Input> = {}) =>
  Keys.Keys.use((keys) => keys.create({ name: "A key", role: "Editor", ...input }));

const authenticate = (key: string) =>
  Keys.Keys.use((keys) => keys.authenticate(Redacted.make(key)));

describe("Keys", () => {
  check(
    "[keys.create] create returns the key exactly once, and the key authenticates as its principal",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { key, ...made } = yield* admin(create({ name: " Bob's ", userId: "bob" }));
      assert.match(key, /^qm_[A-Za-z0-9]+_[A-Za-z0-9]+$/);
      assert.strictEqual(key.split("_")[1], made.id.slice("key_".length));
      assert.deepInclude(made, { name: "Bob's", role: "Editor", projects: null, lastUsedAt: null });
      assert.deepStrictEqual((yield* admin(keys.list())).items, [made]);
      const { principal } = yield* authenticate(key);
      assert.deepInclude(principal, { type: "User", id: "bob", role: "Editor", userId: "bob" });
      const agent = yield* admin(create({ agentId: "bot", projects: ["p"] }));
      assert.deepStrictEqual((yield* authenticate(agent.key)).principal, {
        type: "Agent",
        id: "bot",
        role: "Editor",
        projects: ["p"],
        agentId: "bot",
        userId: null,
      });
      const plain = yield* admin(create());
      assert.deepInclude((yield* authenticate(plain.key)).principal, {
        type: "User",
        id: plain.id,
      });
    }),
  );

  check(
    "[keys.create.invalid] a key with agentId and userId, an agent's Admin, empty projects or a wrong expiry is refused",
    Effect.gen(function* () {
      for (const [input, path] of [
        [{ agentId: "bot", userId: "bob" }, "userId"],
        [{ agentId: "bot", role: "Admin" }, "role"],
        [{ projects: [] }, "projects"],
        [{ projects: ["links"] }, "projects.0"],
        [{ name: " " }, "name"],
        [{ expiresAt: "tomorrow" }, "expiresAt"],
        [{ expiresAt: "2026-02-30T00:00:00Z" }, "expiresAt"],
        [{ expiresAt: "2026-13-45T99:99:99.999Z" }, "expiresAt"],
      ] as const) {
        const refused = yield* Effect.flip(owner(create(input as Partial<Input>)));
        assert.deepInclude(refused, { _tag: "InvalidRequest" });
        assert.include(refused._tag === "InvalidRequest" ? refused.errors[0]?.path : "", path);
      }
    }),
  );

  check(
    "[keys.names] a Viewer reads the names of the keys that it names, and nothing else of them",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const bot = yield* admin(create({ name: "Deploy bot" }));
      const gone = yield* admin(create({ name: "Old" }));
      yield* admin(keys.remove(gone.id));
      const bound = as("Viewer", { projects: ["p"] });
      const unknown = "key_00000000000000000000000000";
      assert.deepStrictEqual(yield* bound(keys.names({ id: [gone.id, bot.id, unknown, bot.id] })), [
        { id: bot.id, name: "Deploy bot" },
      ]);
      for (const id of [[], Array.from({ length: 101 }, () => bot.id)]) {
        const refused = yield* Effect.flip(bound(keys.names({ id })));
        assert.deepInclude(refused, { _tag: "InvalidRequest" });
      }
      const metrics = as("Metrics", { projects: [] });
      assert.deepInclude(yield* Effect.flip(metrics(keys.names({ id: [bot.id] }))), {
        _tag: "Forbidden",
        requiredRole: "Viewer",
      });
    }),
  );

  check(
    "[keys.roles] a caller cannot create, see or delete a key above its own role",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const refused = yield* Effect.flip(admin(create({ role: "Owner" })));
      assert.deepInclude(refused, { _tag: "Forbidden", requiredRole: "Owner" });
      const high = yield* owner(create({ role: "Owner" }));
      yield* owner(create({ role: "Owner" }));
      const low = yield* admin(create());
      assert.deepStrictEqual(
        (yield* admin(keys.list())).items.map(({ id }) => id),
        [low.id],
      );
      assert.strictEqual((yield* Effect.flip(admin(keys.remove(high.id))))._tag, "NotFound");
      yield* owner(keys.remove(high.id));
    }),
  );

  check(
    "[keys.manage] keys are managed by an Admin without projects",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const calls: ReadonlyArray<Call> = [create({ name: "" }), keys.list(), keys.remove("key_x")];
      for (const call of calls) {
        assert.deepInclude(yield* refusal(as("Editor")(call)), { requiredRole: "Admin" });
        const bound = as("Owner", { projects: ["p"] });
        assert.deepInclude(yield* refusal(bound(call)), { _tag: "Forbidden", requiredRole: null });
      }
    }),
  );

  check(
    "[keys.wrong] wrong, expired and revoked keys are all the same",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { id, key } = yield* admin(create());
      const expiring = yield* admin(create({ expiresAt: "1970-01-01T01:00:01+01:00" }));
      assert.strictEqual((yield* authenticate(expiring.key)).expiresAt, "1970-01-01T00:00:01.000Z");
      yield* TestClock.adjust("1 second");
      yield* admin(keys.remove(id));
      for (const wrong of [key, `${expiring.key}`, `${expiring.key}0`, "", "qm_x_y", "Bearer"]) {
        assert.strictEqual((yield* Effect.flip(authenticate(wrong)))._tag, "Unauthenticated");
      }
    }),
  );

  check(
    "[keys.last-used] lastUsedAt is stored to the minute",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { key } = yield* admin(create());
      const used = Effect.gen(function* () {
        yield* authenticate(key);
        yield* Effect.yieldNow;
        yield* Effect.yieldNow;
        return (yield* admin(keys.list())).items[0]?.lastUsedAt;
      });
      assert.strictEqual(yield* used, "1970-01-01T00:00:00.000Z");
      yield* TestClock.adjust("59 seconds");
      assert.strictEqual(yield* used, "1970-01-01T00:00:00.000Z");
      yield* TestClock.adjust("1 second");
      assert.strictEqual(yield* used, "1970-01-01T00:01:00.000Z");
    }),
  );

  check(
    "[keys.last-owner] the last Owner key that has not expired stays",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const first = yield* owner(create({ role: "Owner" }));
      yield* owner(create({ role: "Owner", projects: ["p"] }));
      const expired = yield* owner(
        create({ role: "Owner", expiresAt: "1970-01-01T00:00:00.000Z" }),
      );
      assert.strictEqual((yield* Effect.flip(owner(keys.remove(first.id))))._tag, "LastOwnerKey");
      yield* owner(keys.remove(expired.id));
      yield* owner(create({ role: "Owner" }));
      yield* owner(keys.remove(first.id));
    }),
  );

  check(
    "[keys.bootstrap] bootstrap creates an Owner key if no key exists, and no key if it cannot be saved",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      assert.strictEqual(yield* Effect.flip(keys.bootstrap(() => Effect.fail("full"))), "full");
      assert.deepStrictEqual((yield* owner(keys.list())).items, []);
      const saved: Array<string> = [];
      const save = (key: Redacted.Redacted<string>) =>
        Effect.sync(() => void saved.push(Redacted.value(key)));
      assert.isTrue(yield* keys.bootstrap(save));
      const key = saved.at(-1) ?? "";
      assert.isFalse(yield* keys.bootstrap(save));
      assert.strictEqual(saved.at(-1), key);
      assert.deepInclude((yield* authenticate(key)).principal, { role: "Owner" });
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      adminKey: Redacted.make("a key of the host's own choice"),
    }),
    "[keys.admin-key] the host's own key acts as an Owner, is not listed and cannot be deleted",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { keyId, principal } = yield* authenticate("a key of the host's own choice");
      assert.deepInclude(principal, { type: "User", role: "Owner", projects: null });
      assert.deepStrictEqual((yield* owner(keys.list())).items, []);
      assert.strictEqual((yield* Effect.flip(owner(keys.remove(keyId))))._tag, "NotFound");
      assert.deepStrictEqual((yield* keys.credential(keyId)).principal, principal);
      const wrong = yield* Effect.flip(authenticate("a key of the host's own choic"));
      assert.strictEqual(wrong._tag, "Unauthenticated");
      assert.strictEqual((yield* Effect.flip(keys.credential("admin")))._tag, "Unauthenticated");
    }),
  );
});
