import { assert, describe } from "@effect/vitest";
import { EventLog, SavedViews } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, refusal } from "../support/World.ts";

type Views = (typeof SavedViews.SavedViews)["Service"];

const save = (input: Partial<Parameters<Views["create"]>[0]> = {}) =>
  SavedViews.SavedViews.use((views) =>
    views.create({ name: "Bugs", query: "label=bug", ...input }),
  );
const change = (id: string, input: Parameters<Views["update"]>[1]) =>
  SavedViews.SavedViews.use((views) => views.update(id, input));
const remove = (id: string) => SavedViews.SavedViews.use((views) => views.remove(id));
const names = Effect.map(
  SavedViews.SavedViews.use((views) => views.list()),
  ({ items }) => items.map(({ name }) => name),
);

const eve = Callers.as(Callers.user("eve"));
const reader = Callers.as(Callers.user("ron", { role: "Viewer" }));
const outsider = Callers.as(Callers.user("out", { projects: ["other"] }));

describe("Saved views", () => {
  check(
    "[views.own] a view is its creator's, and another's does not exist",
    Effect.gen(function* () {
      const view = yield* save({ name: " Open bugs ", query: "status=Open&label=bug" });
      assert.match(view.id, /^view_/);
      assert.deepInclude(view, {
        name: "Open bugs",
        query: "status=Open&label=bug",
        projectId: null,
        createdBy: { type: "User", id: "alice" },
      });
      yield* reader(save({ name: "Ron's" }));
      assert.deepStrictEqual(yield* names, ["Open bugs"]);
      assert.deepStrictEqual(yield* reader(names), ["Ron's"]);
      for (const call of [change(view.id, { name: "Mine" }), remove(view.id)]) {
        assert.deepInclude(yield* refusal(eve(call)), { _tag: "NotFound", resource: "view" });
      }
      const agent = Callers.as(Callers.agent("alice"));
      assert.deepStrictEqual(yield* agent(names), []);
      yield* TestClock.adjust("1 minute");
      const changed = yield* change(view.id, { name: "Bugs" });
      assert.deepInclude(changed, { name: "Bugs", query: view.query, createdAt: view.createdAt });
      assert.isAbove(Date.parse(changed.updatedAt), Date.parse(view.updatedAt));
      yield* remove(view.id);
      assert.deepStrictEqual(yield* names, []);
    }),
  );

  check(
    "[views.shared] a shared view is seen in its project, and Editors of the project change it",
    Effect.gen(function* () {
      const view = yield* save({ projectId: "project" });
      assert.deepStrictEqual(yield* reader(names), ["Bugs"]);
      assert.deepStrictEqual(yield* outsider(names), []);
      for (const call of [change(view.id, { name: "Mine" }), remove(view.id)]) {
        assert.strictEqual((yield* refusal(reader(call)))._tag, "Forbidden");
        assert.strictEqual((yield* refusal(outsider(call)))._tag, "NotFound");
      }
      assert.strictEqual(
        (yield* refusal(reader(save({ projectId: "project" }))))._tag,
        "Forbidden",
      );
      const own = yield* reader(save({ name: "Ron's" }));
      const shared = reader(change(own.id, { projectId: "project" }));
      assert.strictEqual((yield* refusal(shared))._tag, "Forbidden");
      assert.deepInclude(yield* refusal(outsider(save({ projectId: "project" }))), {
        _tag: "UnknownReference",
        field: "projectId",
      });
      yield* eve(change(view.id, { name: "Everyone's bugs", projectId: null }));
      assert.deepStrictEqual(yield* eve(names), []);
      assert.deepStrictEqual(yield* names, ["Everyone's bugs"]);
    }),
  );

  check(
    "[views.events] a shared view emits events in its projects, and an own view none",
    Effect.gen(function* () {
      const log = yield* EventLog.EventLog;
      const events = Effect.map(log.recent({ filter: { kinds: ["view.*"] } }), (found) =>
        found.map(({ data, kind, projectId }) => [kind, projectId, data]).toReversed(),
      );
      const own = yield* save();
      yield* change(own.id, { name: "Mine" });
      yield* remove(own.id);
      assert.deepStrictEqual(yield* events, []);
      const view = yield* save({ projectId: "project" });
      yield* change(view.id, { name: "All bugs" });
      yield* change(view.id, { projectId: "other" });
      assert.deepStrictEqual(yield* outsider(events), [["view.updated", "other", {}]]);
      yield* remove(view.id);
      assert.deepStrictEqual(yield* events, [
        ["view.created", "project", { name: "Bugs" }],
        ["view.updated", "project", {}],
        ["view.updated", "project", {}],
        ["view.updated", "other", {}],
        ["view.deleted", "other", { name: "All bugs" }],
      ]);
    }),
  );

  check(
    "[views.limits] a caller and a project have at most 100 views each",
    Effect.gen(function* () {
      for (let n = 0; n < 100; n++) yield* save({ projectId: n < 99 ? null : "project" });
      const last = yield* save();
      assert.deepInclude(yield* refusal(save()), { _tag: "LimitExceeded", limit: 100 });
      yield* remove(last.id);
      yield* save();
      for (let n = 1; n < 100; n++) yield* save({ projectId: "project" });
      assert.strictEqual((yield* refusal(save({ projectId: "project" })))._tag, "LimitExceeded");
      yield* save({ projectId: "other" });
      for (const input of [
        { name: " " },
        { name: "x".repeat(65) },
        { query: "x".repeat(2_049) },
        { projectId: "a b" },
      ]) {
        assert.strictEqual((yield* refusal(save(input)))._tag, "InvalidRequest");
      }
    }),
  );
});
