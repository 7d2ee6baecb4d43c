import { assert, describe } from "@effect/vitest";
import { EventStore, Issue, IssueStore, type Page, ProjectStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, everything, ids, type It } from "../Suite.ts";

const pauses = (it: It<Storage>): void => {
  it.effect("a project is paused until its pause ends, and setPaused returns what changed", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const other = `${id}x`;
      const steps: Array<readonly [changed: boolean, paused: boolean]> = [];
      assert.isFalse(yield* projects.isPaused(id));
      for (const paused of [false, true, true, false, false, true]) {
        const changed = yield* transact(projects.setPaused(id, paused));
        steps.push([changed, yield* projects.isPaused(id)]);
        assert.isFalse(yield* projects.isPaused(other));
      }
      assert.deepStrictEqual(steps, [
        [false, false],
        [true, true],
        [false, true],
        [true, false],
        [false, false],
        [true, true],
      ]);
    }),
  );

  it.effect("one of many concurrent changes that pause a project changes it", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const changed = yield* Effect.all(
        Array.from({ length: 20 }, () => transact(projects.setPaused(id, true))),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(changed.filter(Boolean), 1);
    }),
  );
};

const handIns = (it: It<Storage>): void => {
  it.effect("agentsMay is the last value that was set, and a project with a value is listed", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const listed = Effect.map(list([id]), (rows) => rows.map(({ agentsMay }) => agentsMay));
      assert.strictEqual(yield* projects.agentsMay(id), "resolve");
      for (const agentsMay of ["review", "approve", "approve"] as const) {
        yield* transact(projects.setAgentsMay(id, agentsMay));
        assert.strictEqual(yield* projects.agentsMay(id), agentsMay);
        assert.strictEqual(yield* projects.agentsMay(`${id}x`), "resolve");
        assert.deepStrictEqual(yield* listed, [agentsMay]);
      }
      yield* transact(projects.setAgentsMay(id, "resolve"));
      assert.strictEqual(yield* projects.agentsMay(id), "resolve");
      assert.deepStrictEqual(yield* listed, []);
    }),
  );
};

const list = (projects: ReadonlyArray<string> | null, slice: Page.Slice<string> = everything) =>
  ProjectStore.ProjectStore.use((store) => store.list(projects, slice));

const record = (event: Parameters<typeof Fixtures.eventRow>[0]) =>
  EventStore.EventStore.use((events) =>
    Effect.flatMap(Fixtures.eventRow(event), (row) => transact(events.append([row]))),
  );

const setPaused = (id: string, paused: boolean) =>
  ProjectStore.ProjectStore.use((store) => transact(store.setPaused(id, paused)));

export const lists = (it: It<Storage>): void => {
  it.effect("a project is listed while it has an issue or is paused", () =>
    Effect.gen(function* () {
      const id = yield* Fixtures.id("project");
      const listed = (paused: boolean, counts: Partial<Issue.StatusCounts>) => [
        {
          id,
          paused,
          agentsMay: "resolve",
          counts: Issue.countsOf((status) => counts[status] ?? 0),
        },
      ];
      const read = Effect.map(list([id]), (rows) =>
        rows.map(({ lastActivityAt: _, ...row }) => row),
      );
      assert.deepStrictEqual(yield* read, []);
      const issue = yield* Fixtures.issue({ projectId: id });
      const second = yield* Fixtures.issue({ projectId: id, status: "Closed" });
      assert.deepStrictEqual(yield* read, listed(false, { Open: 1, Closed: 1 }));
      yield* setPaused(id, true);
      const issues = yield* IssueStore.IssueStore;
      yield* transact(issues.update([{ ...issue, status: "Closed" }]));
      assert.deepStrictEqual(yield* read, listed(true, { Closed: 2 }));
      yield* transact(issues.remove(issue.id));
      yield* transact(issues.remove(second.id));
      assert.deepStrictEqual(yield* read, listed(true, {}));
      yield* setPaused(id, false);
      assert.deepStrictEqual(yield* read, []);
    }),
  );

  it.effect("the last activity is the later one of the newest change and the newest event", () =>
    Effect.gen(function* () {
      const id = yield* Fixtures.id("project");
      const read = Effect.map(list([id]), ([row]) => row?.lastActivityAt);
      yield* setPaused(id, true);
      assert.isNull(yield* read);
      yield* record({ projectId: id, createdAt: Fixtures.at(20) });
      assert.strictEqual(yield* read, Fixtures.at(20));
      yield* Fixtures.issue({ projectId: id, updatedAt: Fixtures.at(10) });
      assert.strictEqual(yield* read, Fixtures.at(20));
      yield* Fixtures.issue({ projectId: id, updatedAt: Fixtures.at(30) });
      yield* Fixtures.issue({ projectId: `${id}x`, updatedAt: Fixtures.at(50) });
      assert.strictEqual(yield* read, Fixtures.at(30));
      yield* record({ projectId: id, createdAt: Fixtures.at(40) });
      yield* record({ projectId: `${id}x`, createdAt: Fixtures.at(60) });
      assert.strictEqual(yield* read, Fixtures.at(40));
    }),
  );

  it.effect(
    "an event does not count as activity if its related project is not among the projects",
    () =>
      Effect.gen(function* () {
        const id = yield* Fixtures.id("project");
        const other = `${id}x`;
        const last = (projects: ReadonlyArray<string> | null) =>
          Effect.map(list(projects), (rows) => rows.find((row) => row.id === id)?.lastActivityAt);
        yield* Fixtures.issue({ projectId: id, updatedAt: Fixtures.at(10) });
        yield* record({ projectId: id, createdAt: Fixtures.at(20) });
        yield* record({ projectId: id, relatedProjectId: other, createdAt: Fixtures.at(30) });
        assert.strictEqual(yield* last([id]), Fixtures.at(20));
        assert.strictEqual(yield* last([id, other]), Fixtures.at(30));
        assert.strictEqual(yield* last(null), Fixtures.at(30));
      }),
  );

  it.effect("the requested projects are listed in the order of their ids, in pages", () =>
    Effect.gen(function* () {
      const id = yield* Fixtures.id("project");
      const [a, b, c, d] = ["-", "A", "_", "a"].map((last) => `${id}${last}`) as [
        string,
        string,
        string,
        string,
      ];
      yield* Fixtures.issue({ projectId: c });
      yield* setPaused(a, true);
      yield* setPaused(d, true);
      yield* setPaused(b, true);
      yield* Fixtures.issue({ projectId: b });
      const all = [a, b, c, d];
      const read = (slice: Page.Slice<string>, projects: ReadonlyArray<string> | null = all) =>
        Effect.map(list(projects, slice), ids);
      assert.deepStrictEqual(yield* read({ limit: 3, order: "asc", after: null }), [a, b, c]);
      assert.deepStrictEqual(yield* read({ limit: 3, order: "asc", after: b }), [c, d]);
      assert.deepStrictEqual(yield* read({ limit: 2, order: "desc", after: null }), [d, c]);
      assert.deepStrictEqual(yield* read({ limit: 2, order: "desc", after: c }), [b, a]);
      assert.deepStrictEqual(yield* read(everything, [a, c, `${id}x`]), [a, c]);
      assert.deepStrictEqual(yield* read(everything, []), []);
      assert.includeMembers([...(yield* read(everything, null))], all);
    }),
  );
};

/** The requirements of every `ProjectStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`ProjectStore: ${name}`, () => {
    block("pauses", storage, pauses);
    block("hand-ins", storage, handIns);
    block("lists", storage, lists);
  });
};
