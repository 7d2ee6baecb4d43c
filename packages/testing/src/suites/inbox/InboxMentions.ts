import { assert } from "@effect/vitest";
import { InboxStore, IssueStore, MentionStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { all, check, keys, now } from "./InboxPages.ts";

const insert = (...rows: ReadonlyArray<MentionStore.Mention>) =>
  MentionStore.MentionStore.use((store) => transact(store.insert(rows)));

const keyOf = ({ issue, mention }: InboxStore.InboxMention): InboxStore.InboxKey => ({
  priority: issue.priority,
  since: mention.since,
  id: `@${issue.id}`,
});

/** The mentions of a name as `issue's id, text's id`. */
const textsOf = (name: string, projects: ReadonlyArray<string> | null = null) =>
  InboxStore.InboxStore.use((store) =>
    Effect.map(store.mentions({ projects, now, name }, all), (rows) =>
      rows.map(({ issue, mention }) => [issue.id, mention.textId]),
    ),
  );

export const tests = (it: It<Storage>): void => {
  it.effect("mentions of a name are sorted by the priority of their issue, time and id", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const projectId = yield* Fixtures.id("project");
      const name = yield* Fixtures.id("user");
      const stored: Array<InboxStore.InboxKey> = [];
      for (const { priority, since } of keys) {
        const { id: issueId } = yield* Fixtures.issue({ projectId, priority });
        const { id: other } = yield* Fixtures.issue({ projectId: `${projectId}x`, priority });
        yield* insert(
          { name, issueId, textId: issueId, since },
          { name, issueId: other, textId: other, since },
          { name: `${name}x`, issueId, textId: issueId, since: Fixtures.at(9) },
        );
        stored.push({ priority, since, id: `@${issueId}` });
      }
      const list = (slice: typeof all, projects: ReadonlyArray<string> | null = [projectId]) =>
        store.mentions({ projects, now, name }, slice);
      yield* check(list, keyOf, stored);
      const any = yield* list(all, null);
      assert.lengthOf(any, 2 * stored.length);
      assert.deepStrictEqual(
        any.filter(({ issue }) => issue.projectId === projectId),
        yield* list(all),
      );
      assert.deepStrictEqual(yield* list(all, []), []);
    }),
  );

  it.effect("the newest mention of an issue is listed with its text, and keeps its time", () =>
    Effect.gen(function* () {
      const store = yield* InboxStore.InboxStore;
      const name = yield* Fixtures.id("user");
      const issue = yield* Fixtures.issue({ description: "x".repeat(501), assignedAgentId: "bo" });
      const listed = Effect.map(
        store.mentions({ projects: null, now, name }, all),
        ([found]) => found,
      );
      const inDescription = { name, issueId: issue.id, textId: issue.id, since: Fixtures.at(1) };
      yield* insert(inDescription);
      yield* insert({ ...inDescription, since: Fixtures.at(5) });
      const first = yield* listed;
      assert.deepStrictEqual(first?.mention, { textId: issue.id, since: Fixtures.at(1) });
      assert.strictEqual(first?.text.slice(0, 501), "x".repeat(501));
      assert.strictEqual(first?.issue.assignedAgentId, "bo");

      const { id: textId } = yield* Fixtures.comment(issue.id, { content: "Look" });
      yield* insert({ ...inDescription, textId, since: Fixtures.at(2) });
      const second = yield* listed;
      assert.deepStrictEqual(second?.mention, { textId, since: Fixtures.at(2) });
      assert.strictEqual(second?.text, "Look");
    }),
  );

  it.effect("a later comment of the user ends it, and no comment of another or of an agent", () =>
    Effect.gen(function* () {
      const name = yield* Fixtures.id("user");
      const { id: issueId } = yield* Fixtures.issue();
      const { id: other } = yield* Fixtures.issue();
      const write = (
        authorType: "Agent" | "User",
        authorId: string,
        second: number,
        on = issueId,
      ) => Fixtures.comment(on, { authorType, authorId, createdAt: Fixtures.at(second) });
      yield* insert({ name, issueId, textId: issueId, since: Fixtures.at(5) });
      yield* write("User", name, 4);
      yield* write("User", "else", 6);
      yield* write("Agent", name, 6);
      yield* write("User", name, 6, other);
      assert.deepStrictEqual(yield* textsOf(name), [[issueId, issueId]]);
      yield* write("User", name, 6);
      assert.deepStrictEqual(yield* textsOf(name), []);
      yield* insert({ name, issueId, textId: "cmt_later", since: Fixtures.at(7) });
      assert.deepStrictEqual(yield* textsOf(name), [[issueId, "cmt_later"]]);
    }),
  );

  it.effect("mentions are removed by text and name, with their issue, and by age", () =>
    Effect.gen(function* () {
      const store = yield* MentionStore.MentionStore;
      const issues = yield* IssueStore.IssueStore;
      const ada = yield* Fixtures.id("user");
      const eve = yield* Fixtures.id("user");
      const { id: issueId } = yield* Fixtures.issue();
      // Earlier than the mentions of other tests, which share the table.
      const since = (second: number) => Fixtures.at(second - 10_000);
      const mention = (name: string, textId: string, second: number) => ({
        name,
        issueId,
        textId,
        since: since(second),
      });
      yield* insert(
        mention(ada, "cmt_a", 1),
        mention(eve, "cmt_a", 1),
        mention(ada, "cmt_b", 2),
        mention(eve, "cmt_b", 2),
      );
      yield* transact(store.remove({ issueId, textId: "cmt_b", names: [ada, "unknown"] }));
      assert.deepStrictEqual(yield* textsOf(ada), [[issueId, "cmt_a"]]);
      assert.deepStrictEqual(yield* textsOf(eve), [[issueId, "cmt_b"]]);
      yield* transact(store.remove({ issueId, names: [eve] }));
      assert.deepStrictEqual(yield* textsOf(eve), []);

      yield* insert(mention(eve, "cmt_c", 3), mention(eve, "cmt_d", 4));
      assert.strictEqual(yield* transact(store.prune(since(4), 1)), 1);
      assert.deepStrictEqual(yield* textsOf(ada), []);
      assert.strictEqual(yield* transact(store.prune(since(4), 9)), 1);
      assert.strictEqual(yield* transact(store.prune(since(4), 9)), 0);
      assert.deepStrictEqual(yield* textsOf(eve), [[issueId, "cmt_d"]]);
      yield* transact(issues.remove(issueId));
      assert.deepStrictEqual(yield* textsOf(eve), []);
      assert.strictEqual(yield* transact(store.prune(since(9), 9)), 0);
    }),
  );
};
