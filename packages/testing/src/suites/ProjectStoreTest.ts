import { assert, describe } from "@effect/vitest";
import {
  EventStore,
  Issue,
  IssueStore,
  type Page,
  type Project,
  ProjectStore,
  RunStore,
} from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, everything, ids, type It } from "../Suite.ts";

/** A project with a new prefix. */
const project = (id: string, overrides: Partial<Project.ProjectRow> = {}) =>
  Effect.gen(function* () {
    const projects = yield* ProjectStore.ProjectStore;
    const row = { id, prefix: yield* prefix, name: null, description: null, ...overrides };
    yield* transact(projects.put(row));
    return row;
  });

/** A prefix that no project has. */
const prefix = Effect.map(Fixtures.id("project"), (id) => `P${id.slice(-9).toUpperCase()}`);

const keys = (it: It<Storage>): void => {
  it.effect("put stores a project, and replaces it", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      assert.deepStrictEqual(yield* projects.get(id), Option.none());
      const row = yield* project(id);
      assert.deepStrictEqual(yield* projects.get(id), Option.some(row));
      const named = yield* project(id, { ...row, name: "Shop", description: "All\nof it" });
      assert.deepStrictEqual(yield* projects.get(id), Option.some(named));
      assert.deepStrictEqual(yield* projects.get(`${id}x`), Option.none());
    }),
  );

  it.effect("a prefix belongs to its project, also after the project has another one", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      const other = yield* project(yield* Fixtures.id("project"));
      const first = yield* project(id);
      const second = yield* project(id);
      for (const { prefix } of [first, second]) {
        assert.deepStrictEqual(yield* projects.ownerOf(prefix), Option.some(id));
      }
      assert.deepStrictEqual(yield* projects.ownerOf(other.prefix), Option.some(other.id));
      assert.deepStrictEqual(yield* projects.ownerOf(yield* prefix), Option.none());
      assert.strictEqual(yield* projects.countPrefixes(id), 2);
      yield* project(id, first);
      assert.strictEqual(yield* projects.countPrefixes(id), 2);
      assert.strictEqual(yield* projects.countPrefixes(`${id}x`), 0);
    }),
  );

  it.effect("issues of a project are numbered from 1, and a number is not used again", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { id: projectId, prefix } = yield* project(yield* Fixtures.id("project"));
      const create = Fixtures.issue({ projectId, prefix });
      const first = yield* create;
      const second = yield* create;
      assert.deepStrictEqual([first.number, second.number], [1, 2]);
      assert.strictEqual(second.key, `${prefix}-2`);
      yield* transact(issues.remove(second.id));
      assert.strictEqual((yield* create).number, 3);
      assert.deepStrictEqual(yield* issues.ofKey(prefix, 2), Option.none());
      const other = yield* Fixtures.issue({ projectId: `${projectId}x` });
      assert.strictEqual(other.number, 1);
    }),
  );

  it.effect("issues that are created at the same time have different numbers", () =>
    Effect.gen(function* () {
      const { id: projectId } = yield* project(yield* Fixtures.id("project"));
      const created = yield* Effect.all(
        Array.from({ length: 20 }, () => Fixtures.issue({ projectId })),
        { concurrency: "unbounded" },
      );
      assert.strictEqual(new Set(created.map(({ number }) => number)).size, 20);
    }),
  );

  it.effect("an issue is found by every prefix that its project had, and has the current key", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const runs = yield* RunStore.RunStore;
      const before = yield* project(yield* Fixtures.id("project"));
      const { id: projectId } = before;
      const issue = yield* Fixtures.issue({ projectId, prefix: before.prefix });
      const run = yield* Fixtures.run(issue);
      assert.deepStrictEqual(yield* issues.get(issue.id), Option.some(issue));
      const after = yield* project(projectId);
      const ref = { id: issue.id, projectId };
      for (const { prefix } of [before, after]) {
        assert.deepStrictEqual(yield* issues.ofKey(prefix, 1), Option.some(ref));
        assert.deepStrictEqual(yield* issues.ofKey(prefix, 2), Option.none());
      }
      const key = `${after.prefix}-1`;
      const renamed = { ...issue, key };
      assert.deepStrictEqual(yield* issues.get(issue.id), Option.some(renamed));
      assert.deepStrictEqual(yield* issues.list({ projectId }, everything), [renamed]);
      assert.deepStrictEqual(yield* runs.get(run.id), Option.some({ ...run, issueKey: key }));
      yield* transact(issues.update([{ ...issue, title: "Paint the roof" }]));
      assert.deepInclude(Option.getOrThrow(yield* issues.get(issue.id)), { key, number: 1 });
    }),
  );

  it.effect("an event has the key of its issue, and keeps the stored one", () =>
    Effect.gen(function* () {
      const store = yield* EventStore.EventStore;
      const { id: projectId, prefix } = yield* project(yield* Fixtures.id("project"));
      const issue = yield* Fixtures.issue({ projectId, prefix });
      const after = yield* store.lastSeq;
      yield* record({ projectId, subjectId: issue.id });
      yield* record({ projectId, subjectId: "iss_deleted", issueKey: "SHOP-7" });
      yield* record({
        projectId,
        subjectId: "run_1",
        kind: "run.takenOver",
        data: { issueId: issue.id },
      });
      yield* record({ projectId, subjectId: projectId, kind: "project.updated" });
      const until = yield* store.lastSeq;
      const query = { projects: [projectId], kinds: null };
      const events = yield* store.list(query, { after, until, limit: 10 });
      assert.deepStrictEqual(
        events.map(({ issueKey }) => issueKey),
        [issue.key, "SHOP-7", issue.key, null],
      );
    }),
  );
};

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
  it.effect("agentsMay is the last value that was set", () =>
    Effect.gen(function* () {
      const projects = yield* ProjectStore.ProjectStore;
      const id = yield* Fixtures.id("project");
      yield* project(id);
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
      assert.deepStrictEqual(yield* listed, ["resolve"]);
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
  it.effect("a project is listed with its issues by status, also without any", () =>
    Effect.gen(function* () {
      const id = yield* Fixtures.id("project");
      const row = yield* project(id, { name: "Shop" });
      const listed = (paused: boolean, counts: Partial<Issue.StatusCounts>) => [
        {
          ...row,
          paused,
          agentsMay: "resolve",
          counts: Issue.countsOf((status) => counts[status] ?? 0),
        },
      ];
      const read = Effect.map(list([id]), (rows) =>
        rows.map(({ lastActivityAt: _, ...row }) => row),
      );
      assert.deepStrictEqual(yield* read, listed(false, {}));
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
      assert.deepStrictEqual(yield* read, listed(false, {}));
    }),
  );

  it.effect("the last activity is the later one of the newest change and the newest event", () =>
    Effect.gen(function* () {
      const id = yield* Fixtures.id("project");
      const read = Effect.map(list([id]), ([row]) => row?.lastActivityAt);
      yield* project(id);
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
        yield* project(id);
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
      for (const id of [c, a, d, b]) yield* project(id);
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
    block("keys", storage, keys);
    block("pauses", storage, pauses);
    block("hand-ins", storage, handIns);
    block("lists", storage, lists);
  });
};
