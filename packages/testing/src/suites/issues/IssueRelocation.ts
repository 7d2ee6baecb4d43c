import { assert } from "@effect/vitest";
import {
  ActivityStore,
  IssueStore,
  LinkStore,
  ProjectStore,
  QuestionStore,
  RunStore,
} from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, type It } from "../../Suite.ts";
import { find } from "./IssueSearch.ts";

/** A new project with a prefix of its own. */
const project = Effect.gen(function* () {
  const projects = yield* ProjectStore.ProjectStore;
  const id = yield* Fixtures.id("project");
  const prefix = id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(-9);
  const row = { id, prefix: `P${prefix}`, name: null, description: null };
  yield* transact(projects.put(row));
  return row;
});

const keyOf = (prefix: string, number: number) =>
  IssueStore.IssueStore.use(({ ofKey }) =>
    Effect.map(ofKey(prefix, number), (found) => Option.getOrUndefined(found)),
  );

export const tests = (it: It<Storage>): void => {
  it.effect(
    "relocate gives a number of the new project, and finds the issue by every earlier one",
    () =>
      Effect.gen(function* () {
        const store = yield* IssueStore.IssueStore;
        const [from, to] = yield* Effect.all([project, project]);
        yield* Fixtures.issue({ projectId: to.id, prefix: to.prefix });
        const issue = yield* Fixtures.issue({ projectId: from.id, prefix: from.prefix });
        const moved = yield* transact(store.relocate(issue, to));
        assert.deepStrictEqual(moved, {
          ...issue,
          projectId: to.id,
          number: 2,
          key: `${to.prefix}-2`,
        });
        assert.deepStrictEqual(yield* store.get(issue.id), Option.some(moved));
        const ref = { id: issue.id, projectId: to.id };
        assert.deepStrictEqual(yield* keyOf(from.prefix, 1), ref);
        assert.deepStrictEqual(yield* keyOf(to.prefix, 2), ref);
        assert.deepStrictEqual(yield* transact(store.relocate(moved, from)), issue);
        assert.strictEqual((yield* keyOf(to.prefix, 2))?.projectId, from.id);
        assert.deepStrictEqual(yield* transact(store.relocate(issue, to)), moved);
        const next = yield* Fixtures.issue({ projectId: from.id, prefix: from.prefix });
        assert.isAbove(next.number, 1);
        yield* transact(store.remove(issue.id));
        assert.isUndefined(yield* keyOf(from.prefix, 1));
        assert.isUndefined(yield* keyOf(to.prefix, 2));
      }),
  );

  it.effect(
    "relocate moves what belongs to the issue: counts, labels, words, links, questions and runs",
    () =>
      Effect.gen(function* () {
        const store = yield* IssueStore.IssueStore;
        const links = yield* LinkStore.LinkStore;
        const activity = yield* ActivityStore.ActivityStore;
        const [from, to] = yield* Effect.all([project, project]);
        const issue = yield* Fixtures.issue({
          projectId: from.id,
          prefix: from.prefix,
          title: "A lighthouse",
          labels: ["red"],
        });
        const other = yield* Fixtures.issue();
        const link = yield* Fixtures.link(issue, other);
        const back = yield* Fixtures.link(other, issue, { relation: "RelatedTo" });
        const question = yield* Fixtures.question(issue);
        const run = yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
        const entryOf = (issueId: string, targetIssueId: string, relatedProjectId: string) =>
          Fixtures.activityRow(issueId, {
            kind: "linked",
            data: { targetIssueId },
            relatedProjectId,
          });
        yield* transact(
          activity.append([
            yield* entryOf(issue.id, other.id, other.projectId),
            yield* entryOf(other.id, issue.id, from.id),
          ]),
        );
        const moved = yield* transact(store.relocate(issue, to));
        yield* transact(store.update([{ ...moved, updatedAt: Fixtures.at(50), version: 2 }]));

        const counts = (id: string) => Effect.map(store.countByStatus([id]), ({ Open }) => Open);
        assert.deepStrictEqual([yield* counts(from.id), yield* counts(to.id)], [0, 1]);
        const labeled = (projectId: string) =>
          Effect.map(
            store.list({ projectId, label: [["red"]] }, everything),
            (rows) => rows.length,
          );
        assert.deepStrictEqual([yield* labeled(from.id), yield* labeled(to.id)], [0, 1]);
        assert.deepStrictEqual(yield* find(from.id, "lighthouse"), []);
        assert.deepStrictEqual(yield* find(to.id, "lighthouse"), [issue.id]);
        for (const { id } of [link, back]) {
          const found = Option.getOrThrow(yield* links.get(id));
          const ends = [
            [found.sourceId, found.sourceProjectId],
            [found.targetId, found.targetProjectId],
          ];
          assert.deepStrictEqual(new Map(ends as Array<[string, string]>).get(issue.id), to.id);
          assert.deepStrictEqual(
            new Map(ends as Array<[string, string]>).get(other.id),
            other.projectId,
          );
        }
        const { get } = yield* QuestionStore.QuestionStore;
        const asked = Option.getOrThrow(yield* get(question.id));
        assert.deepStrictEqual([asked.projectId, asked.issueKey], [to.id, moved.key]);
        const runs = yield* RunStore.RunStore;
        const held = Option.getOrThrow(yield* runs.get(run.id));
        assert.deepStrictEqual([held.projectId, held.issueKey], [to.id, moved.key]);
        const entries = (issueId: string, projectId: string) =>
          Effect.map(activity.list(issueId, [projectId], everything), ({ length }) => length);
        assert.deepStrictEqual(
          [yield* entries(other.id, from.id), yield* entries(other.id, to.id)],
          [0, 1],
        );
        assert.strictEqual(yield* entries(issue.id, other.projectId), 1);
      }),
  );
};
