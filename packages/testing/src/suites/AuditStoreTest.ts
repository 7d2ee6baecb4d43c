import { assert, describe } from "@effect/vitest";
import { type AuditEntry, AuditStore, type Page } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, everything, type It, texts } from "../Suite.ts";

const all: AuditStore.AuditQuery = { actions: null, actor: null, from: null, to: null };

/** An entry about a key with this id. */
const entry = (id: string, overrides: Partial<AuditEntry.AuditEntry> = {}) =>
  Fixtures.auditEntry({ subject: { type: "key", id, name: null }, ...overrides });

const append = (...entries: ReadonlyArray<AuditEntry.AuditEntry>) =>
  AuditStore.AuditStore.use((store) => transact(store.append(entries)));

/** The ids of the subjects that a query finds. */
const found = (query: Partial<AuditStore.AuditQuery>, slice: Partial<Page.Slice> = {}) =>
  AuditStore.AuditStore.use((store) =>
    Effect.map(store.list({ ...all, ...query }, { ...everything, ...slice }), (rows) =>
      rows.map(({ subject }) => subject.id),
    ),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("append stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const store = yield* AuditStore.AuditStore;
      const actor = { type: "Agent", id: yield* Fixtures.id("agent") } as const;
      const first = entry("a", {
        actor,
        at: Fixtures.at(1.5),
        subject: { type: "server", id: "a", name: "github" },
        changes: texts,
      });
      const second = entry("b", { actor, keyId: null, address: null, userAgent: null });
      yield* append(first, second);
      const rows = yield* store.list({ ...all, actor: actor.id }, everything);
      const [one, two] = rows.map(({ seq }) => seq);
      assert.isAbove(two ?? 0, one ?? 0);
      assert.deepStrictEqual(
        rows.map(({ seq: _, ...row }) => row),
        [first, second],
      );
    }),
  );

  it.effect("list filters by action, actor and time", () =>
    Effect.gen(function* () {
      const actor = { type: "User", id: yield* Fixtures.id("user") } as const;
      const action = "project.created";
      yield* append(
        entry("a", { actor, at: Fixtures.at(1) }),
        entry("b", { actor, at: Fixtures.at(2), action }),
        entry("c", { actor, at: Fixtures.at(3), action: "project.updated" }),
        entry("d", { at: Fixtures.at(2), action }),
      );
      const by = (query: Partial<AuditStore.AuditQuery>) => found({ actor: actor.id, ...query });
      assert.deepStrictEqual(yield* by({}), ["a", "b", "c"]);
      assert.deepStrictEqual(yield* by({ actions: [action, "project.updated"] }), ["b", "c"]);
      assert.deepStrictEqual(yield* by({ actions: [] }), []);
      assert.deepStrictEqual(yield* by({ from: Fixtures.at(2) }), ["b", "c"]);
      assert.deepStrictEqual(yield* by({ to: Fixtures.at(2) }), ["a"]);
      assert.include(yield* found({ actions: [action] }), "d");
    }),
  );

  it.effect("list pages in both directions", () =>
    Effect.gen(function* () {
      const store = yield* AuditStore.AuditStore;
      const actor = { type: "User", id: yield* Fixtures.id("user") } as const;
      const query = { actor: actor.id };
      const letters = ["a", "b", "c", "d", "e"];
      yield* append(...letters.map((id) => entry(id, { actor })));
      const rows = yield* store.list({ ...all, ...query }, everything);
      const middle = rows[2]?.seq ?? 0;
      assert.deepStrictEqual(yield* found(query, { limit: 2 }), ["a", "b"]);
      assert.deepStrictEqual(yield* found(query, { order: "desc", limit: 2 }), ["e", "d"]);
      assert.deepStrictEqual(yield* found(query, { after: middle }), ["d", "e"]);
      assert.deepStrictEqual(yield* found(query, { order: "desc", after: middle }), ["b", "a"]);
    }),
  );

  it.effect("prune removes what is old, at most as many as asked for", () =>
    Effect.gen(function* () {
      const store = yield* AuditStore.AuditStore;
      const actor = { type: "User", id: yield* Fixtures.id("user") } as const;
      // Earlier than the entries of other tests, which share the table.
      const at = (seconds: number) => Fixtures.at(seconds - 10_000);
      yield* append(
        ...["a", "b", "c", "d"].map((id, index) => entry(id, { actor, at: at(index + 1) })),
      );
      const left = found({ actor: actor.id });
      assert.strictEqual(yield* transact(store.prune(at(3), 1)), 1);
      assert.lengthOf(yield* left, 3);
      assert.strictEqual(yield* transact(store.prune(at(3), 9)), 1);
      assert.deepStrictEqual(yield* left, ["c", "d"]);
    }),
  );
};

/** The requirements of every `AuditStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`AuditStore: ${name}`, () => {
    block("entries", storage, tests);
  });
};
