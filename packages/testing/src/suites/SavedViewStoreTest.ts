import { assert, describe } from "@effect/vitest";
import { type SavedView, SavedViewStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, everything, type It } from "../Suite.ts";

export const tests = (it: It<Storage>): void => {
  it.effect("a list has the owner's views and the views of the projects, page by page", () =>
    Effect.gen(function* () {
      const store = yield* SavedViewStore.SavedViewStore;
      const ada = { type: "User", id: yield* Fixtures.id("user") } as const;
      const agent = { type: "Agent", id: ada.id } as const;
      const [p, q] = [yield* Fixtures.id("project"), yield* Fixtures.id("project")];
      const make = Effect.fnUntraced(function* (overrides: Partial<SavedView.SavedView> = {}) {
        const id = yield* Fixtures.id("view");
        return yield* transact(
          store.insert({
            id,
            name: "Open",
            query: "status=Open",
            projectId: null,
            createdBy: ada,
            createdAt: Fixtures.at(1),
            updatedAt: Fixtures.at(1),
            ...overrides,
          }),
        );
      });
      const own = yield* make();
      const inP = yield* make({ projectId: p, createdBy: Fixtures.alice });
      const inQ = yield* make({ projectId: q });
      const agents = yield* make({ createdBy: agent });
      const later = yield* make({ name: "\u0000 ß", query: "" });
      const list = (
        projects: ReadonlyArray<string> | null,
        owner: SavedView.SavedView["createdBy"] = ada,
      ) => store.list({ owner, projects }, everything);
      assert.deepStrictEqual(yield* list([p]), [own, inP, later]);
      assert.deepStrictEqual(yield* list([]), [own, later]);
      assert.deepStrictEqual(yield* list([p, q], agent), [inP, inQ, agents]);
      const mine = new Set([own.id, inP.id, inQ.id, agents.id, later.id]);
      const all = (yield* list(null)).filter(({ id }) => mine.has(id));
      assert.deepStrictEqual(all, [own, inP, inQ, later]);
      const slice = { limit: 1, order: "desc", after: later.seq } as const;
      assert.deepStrictEqual(yield* store.list({ owner: ada, projects: [p] }, slice), [inP]);
      assert.strictEqual(yield* store.countOwn(ada), 2);
      assert.strictEqual(yield* store.countOwn(agent), 1);
      assert.strictEqual(yield* store.countShared(p), 1);

      const changed = { ...own, name: "Bugs", query: "label=bug", updatedAt: Fixtures.at(2) };
      yield* transact(store.update({ ...changed, projectId: p }));
      assert.deepStrictEqual(yield* store.get(own.id), Option.some({ ...changed, projectId: p }));
      assert.deepStrictEqual(yield* list([]), [later]);
      yield* transact(store.update(changed));
      assert.deepStrictEqual(yield* list([]), [changed, later]);
      yield* transact(store.remove(own.id));
      assert.isTrue(Option.isNone(yield* store.get(own.id)));
      assert.deepStrictEqual(yield* list([]), [later]);
    }),
  );
};

/** The requirements of every `SavedViewStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`SavedViewStore: ${name}`, () => {
    block("views", storage, tests);
  });
};
