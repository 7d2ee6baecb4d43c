import { assert, describe } from "@effect/vitest";
import { type ApiKey, KeyStore, Role, SessionStore, type Transactor } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { transact } from "../Storage.ts";
import { block, checkPaging, everything, ids, type It, texts } from "../Suite.ts";

type Needs = KeyStore.KeyStore | SessionStore.SessionStore | Transactor.Transactor;

const now = Fixtures.at(100);

const insert = (overrides?: Partial<ApiKey.ApiKeyRow>) =>
  Effect.flatMap(Fixtures.keyRow(overrides), (row) =>
    KeyStore.KeyStore.use((keys) => transact(keys.insert(row))),
  );

const rows = (it: It<Needs>): void => {
  it.effect("insert stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const row = yield* Fixtures.keyRow({
        name: "The build's",
        role: "Owner",
        projects: ["b", "a", "a,b", '"'],
        agentId: "agent",
        userId: null,
        createdAt: Fixtures.at(1.5),
        expiresAt: Fixtures.at(2.5),
        lastUsedAt: Fixtures.at(2),
        secretHash: "cd".repeat(32),
      });
      const kept = yield* transact(keys.insert(row));
      assert.deepStrictEqual(kept, { ...row, seq: kept.seq });
      assert.deepStrictEqual(yield* keys.get(kept.id), Option.some(kept));
      assert.deepStrictEqual(yield* keys.get(kept.id.toLowerCase()), Option.none());
      const next = yield* insert();
      assert.isAbove(next.seq, kept.seq);
      assert.deepStrictEqual(yield* keys.get(next.id), Option.some(next));
    }),
  );

  it.effect.each(texts)("keeps the name %j", (name) =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const { id } = yield* insert({ name });
      const kept = yield* Effect.flatMap(keys.get(id), Effect.fromOption);
      assert.strictEqual(kept.name, name);
    }),
  );

  it.effect("used records the timestamp only for that key", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const key = yield* insert();
      const other = yield* insert();
      yield* transact(keys.used(key.id, Fixtures.at(60)));
      yield* transact(keys.used(key.id, Fixtures.at(120)));
      yield* transact(keys.used("key_unknown", Fixtures.at(120)));
      const used = { ...key, lastUsedAt: Fixtures.at(120) };
      assert.deepStrictEqual(yield* keys.get(key.id), Option.some(used));
      assert.deepStrictEqual(yield* keys.get(other.id), Option.some(other));
      assert.deepStrictEqual(yield* keys.get("key_unknown"), Option.none());
    }),
  );

  it.effect("recent returns a key with its last use, until the key is removed", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const key = yield* insert();
      assert.deepStrictEqual(yield* keys.recent(key.id), Option.some(key));
      yield* transact(keys.used(key.id, Fixtures.at(60)));
      const used = { ...key, lastUsedAt: Fixtures.at(60) };
      assert.deepStrictEqual(yield* keys.recent(key.id), Option.some(used));
      yield* transact(keys.remove(key.id));
      assert.deepStrictEqual(yield* keys.recent(key.id), Option.none());
      assert.deepStrictEqual(yield* keys.recent("key_unknown"), Option.none());
    }),
  );

  it.effect("remove also removes the key's sessions, and nothing else", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const sessions = yield* SessionStore.SessionStore;
      const gone = yield* insert();
      const stays = yield* insert();
      const lost = [
        yield* Fixtures.sessionRow({ keyId: gone.id }),
        yield* Fixtures.sessionRow({ keyId: gone.id, kind: "token" }),
      ];
      const kept = yield* Fixtures.sessionRow({ keyId: stays.id });
      yield* Effect.forEach([...lost, kept], (session) => transact(sessions.insert(session)));
      yield* transact(keys.remove(gone.id));
      yield* transact(keys.remove("key_unknown"));
      assert.deepStrictEqual(yield* keys.get(gone.id), Option.none());
      assert.deepStrictEqual(yield* keys.get(stays.id), Option.some(stays));
      for (const { hash } of lost) {
        assert.deepStrictEqual(yield* sessions.get(hash), Option.none());
      }
      assert.deepStrictEqual(yield* sessions.get(kept.hash), Option.some(kept));
    }),
  );
};

const lists = (it: It<Needs>): void => {
  it.effect("list returns only keys of the roles, page by page, in both orders", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      let admin = false;
      yield* checkPaging(
        (slice) => keys.list(["Viewer", "Admin"], slice),
        Effect.gen(function* () {
          yield* insert({ role: "Editor" });
          yield* insert({ role: "Owner" });
          admin = !admin;
          const { id } = yield* insert({ role: admin ? "Admin" : "Viewer" });
          return id;
        }),
      );
      assert.deepStrictEqual(yield* keys.list([], everything), []);
    }),
  );
};

const roles = (it: It<Needs>): void => {
  it.effect("list follows a removal", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      const made = yield* Effect.forEach(Role.Role.literals, (role) => insert({ role }));
      const [viewer, ...rest] = ids(made);
      assert.deepStrictEqual(ids(yield* keys.list(Role.Role.literals, everything)), ids(made));
      yield* transact(keys.remove(viewer ?? ""));
      assert.deepStrictEqual(ids(yield* keys.list(Role.Role.literals, everything)), rest);
    }),
  );
};

const owners = (it: It<Needs>): void => {
  it.effect("owners counts Owner keys, bound to no project, that have not expired", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore.KeyStore;
      assert.strictEqual(yield* keys.owners(now), 0);
      for (const role of ["Viewer", "Editor", "Admin"] as const) {
        yield* insert({ role });
      }
      yield* insert({ role: "Owner", projects: ["project"] });
      yield* insert({ role: "Owner", expiresAt: Fixtures.at(99.999) });
      yield* insert({ role: "Owner", expiresAt: now });
      assert.strictEqual(yield* keys.owners(now), 0);
      const forever = yield* insert({ role: "Owner" });
      yield* insert({ role: "Owner", expiresAt: Fixtures.at(100.001) });
      assert.strictEqual(yield* keys.owners(now), 2);
      assert.strictEqual(yield* keys.owners(Fixtures.at(101)), 1);
      yield* transact(keys.remove(forever.id));
      assert.strictEqual(yield* keys.owners(Fixtures.at(101)), 0);
    }),
  );
};

/** The requirements of every `KeyStore`, together with the session store. */
export const suite = <E>(name: string, storage: Layer.Layer<Needs, E>): void => {
  describe(`KeyStore: ${name}`, () => {
    block("rows", storage, rows);
    block("list", storage, lists);
    block("roles", storage, roles);
    block("owners", storage, owners);
  });
};
