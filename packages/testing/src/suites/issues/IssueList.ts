import { assert } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { bySeq, checkPaging, everything, ids, type It } from "../../Suite.ts";

export const tests = (it: It<Storage>): void => {
  it.effect("list returns only the project's issues, page by page, in both orders", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      yield* checkPaging(
        bySeq((slice) => issues.list({ projectId }, slice)),
        Effect.gen(function* () {
          const { id } = yield* Fixtures.issue({ projectId });
          yield* Fixtures.issue({ projectId: projectId.toLowerCase() });
          return id;
        }),
      );
    }),
  );

  it.effect("listAcross merges the lists of several projects, in both orders", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const first = yield* Fixtures.id("project");
      const projects = [first, `${first}x`, `${first}y`] as const;
      for (let n = 0; n < 30; n++) {
        yield* Fixtures.issue({
          projectId: projects[n % 3] ?? first,
          title: n % 4 === 0 ? "Paint the door" : "Mend the roof",
          status: n % 5 === 0 ? "Resolved" : "Open",
          priority: n % 2 === 0 ? "high" : "low",
          assignedAgentId: n % 7 === 0 ? "ann" : null,
          updatedAt: Fixtures.at(n),
        });
      }
      const queries = [
        {},
        { status: ["Resolved"] },
        { priority: ["high"], status: ["Open"] },
        { agentId: "ann" },
        { assigneeId: ["ann"] },
        { updatedSince: Fixtures.at(10) },
        { words: ["paint"] },
        { words: ["roof"], priority: ["low"] },
      ] as const;
      for (const query of queries) {
        for (const order of ["asc", "desc"] as const) {
          const list = bySeq((slice) =>
            issues.listAcross({ ...query, projects: projects.slice(0, 2) }, slice),
          );
          const apart = yield* Effect.forEach(projects.slice(0, 2), (projectId) =>
            issues.list({ ...query, projectId }, { limit: 500, order, after: null }),
          );
          const sign = order === "asc" ? 1 : -1;
          const expected = ids(apart.flat().toSorted((a, b) => (a.seq - b.seq) * sign));
          assert.isNotEmpty(expected);
          assert.deepStrictEqual(ids(yield* list({ limit: 500, order, after: null })), expected);
          const start = yield* list({ limit: 2, order, after: null });
          const rest = yield* list({ limit: 500, order, after: start.at(-1)?.seq ?? null });
          assert.deepStrictEqual(ids([...start, ...rest]), expected);
          const any = yield* issues.listAcross(
            { ...query, projects: null },
            { limit: 500, order, after: null },
          );
          const mine = any.filter(({ projectId }) => projectId !== `${first}y`);
          assert.deepStrictEqual(
            ids(mine.filter(({ projectId }) => projectId.startsWith(first))),
            expected,
          );
        }
        const all = { limit: 500, order: "asc", after: null } as const;
        assert.deepStrictEqual(yield* issues.listAcross({ ...query, projects: [] }, all), []);
      }
    }),
  );

  it.effect("a list of no status is empty", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { projectId } = yield* Fixtures.issue();
      const slice = { limit: 5, order: "asc", after: null } as const;
      assert.deepStrictEqual(yield* issues.list({ projectId, status: [] }, slice), []);
      const query = {
        projects: [projectId],
        status: [],
        words: ["mend"],
        sort: "created",
      } as const;
      assert.deepStrictEqual((yield* issues.search(query, slice)).hits, []);
    }),
  );

  it.effect("a cursor stays valid after its row was removed", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const [a, b, c] = yield* Effect.all([
        Fixtures.issue({ projectId }),
        Fixtures.issue({ projectId }),
        Fixtures.issue({ projectId }),
      ]);
      yield* transact(issues.remove(b.id));
      const beyond = (order: "asc" | "desc") =>
        issues.list({ projectId }, { limit: 5, order, after: b });
      assert.deepStrictEqual(ids(yield* beyond("asc")), [c.id]);
      assert.deepStrictEqual(ids(yield* beyond("desc")), [a.id]);
    }),
  );

  it.effect("assigneeId matches either assignee", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const agents = yield* Fixtures.issue({ projectId, assignedAgentId: "x" });
      const users = yield* Fixtures.issue({ projectId, assigneeUserId: "x" });
      const both = yield* Fixtures.issue({ projectId, assignedAgentId: "x", assigneeUserId: "x" });
      yield* Fixtures.issue({ projectId, assignedAgentId: "X", assigneeUserId: "y", goalId: "x" });
      yield* Fixtures.issue({ projectId });
      const rows = yield* issues.list({ projectId, assigneeId: ["x"] }, everything);
      assert.deepStrictEqual(ids(rows), [agents.id, users.id, both.id]);
      const last = yield* issues.list(
        { projectId, assigneeId: ["x"] },
        { limit: 2, order: "desc", after: null },
      );
      assert.deepStrictEqual(ids(last), [both.id, users.id]);
    }),
  );

  it.effect("updatedSince is inclusive, to the millisecond", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      yield* Fixtures.issue({ projectId, updatedAt: Fixtures.at(9.999) });
      const exact = yield* Fixtures.issue({ projectId, updatedAt: Fixtures.at(10) });
      const later = yield* Fixtures.issue({ projectId, updatedAt: Fixtures.at(10.001) });
      const query = { projectId, updatedSince: Fixtures.at(10) };
      assert.deepStrictEqual(ids(yield* issues.list(query, everything)), [exact.id, later.id]);
    }),
  );

  it.effect("a filter follows an update", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const row = yield* Fixtures.issue({ projectId, status: "Open", assignedAgentId: "x" });
      yield* transact(
        issues.update([{ ...row, status: "Closed", assignedAgentId: null, goalId: "g" }]),
      );
      const count = (query: Omit<IssueStore.IssueQuery, "projectId">) =>
        Effect.map(issues.list({ projectId, ...query }, everything), (rows) => rows.length);
      assert.strictEqual(yield* count({ status: ["Open"] }), 0);
      assert.strictEqual(yield* count({ assigneeId: ["x"] }), 0);
      assert.strictEqual(yield* count({ status: ["Closed"], goalId: ["g"] }), 1);
    }),
  );

  it.effect("externalRef finds at most one issue of a project", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const row = yield* Fixtures.issue({ projectId, externalRef: "ref 1" });
      yield* Fixtures.issue({ projectId, externalRef: "Ref 1" });
      const externalRef = "ref 1";
      const one = yield* issues.list({ projectId, externalRef, sort: "updated" }, everything);
      assert.deepStrictEqual(one, [row]);
      const other = { projects: [`${projectId}x`], externalRef };
      assert.deepStrictEqual(yield* issues.listAcross(other, everything), []);
    }),
  );
};
