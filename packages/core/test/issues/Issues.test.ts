import { assert, describe } from "@effect/vitest";
import { Issues, type Errors } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  type Call,
  check,
  create,
  executing,
  get,
  heartbeat,
  kinds,
  link,
  project,
  put,
  refusal,
} from "../support/World.ts";

const bound = Callers.user("bob", { projects: ["other"] });
const viewer = Callers.user("eve", { role: "Viewer" });

const lastEntry = Effect.fnUntraced(function* (id: string) {
  const issues = yield* Issues.Issues;
  const { items } = yield* issues.activity(id, { order: "desc", limit: 1 });
  return items[0]?.data;
});

const paths = ({ errors }: Errors.InvalidRequest) => errors.map(({ path }) => path);

describe("Issues", () => {
  check(
    "[issues.create.fields] a new issue has the given fields, trimmed, and its author",
    Effect.gen(function* () {
      const issue = yield* create({
        title: "  Mend the roof \n",
        description: "All of it",
        priority: "urgent",
        assignedAgentId: "bot",
        assigneeUserId: "carol",
        goalId: "dry-house",
      });
      assert.deepInclude(issue, {
        title: "Mend the roof",
        description: "All of it",
        priority: "urgent",
        assignedAgentId: "bot",
        assigneeUserId: "carol",
        goalId: "dry-house",
        createdBy: { type: "User", id: "alice" },
        links: [],
        version: 1,
      });
      assert.match(issue.id, /^iss_/);
      assert.deepStrictEqual(yield* get(issue.id), issue);
      assert.deepStrictEqual(yield* kinds(issue.id), ["created"]);
    }),
  );

  check(
    "[issues.create.invalid] a wrong title, length, id, surrogate or unknown property is refused with its path",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const refusedAt = (input: object, projectId = project) =>
        Effect.flip(issues.create(projectId, input as Parameters<typeof issues.create>[1])).pipe(
          Effect.map((error) => (error._tag === "InvalidRequest" ? paths(error) : [error._tag])),
        );
      assert.deepStrictEqual(yield* refusedAt({}), ["title"]);
      assert.deepStrictEqual(yield* refusedAt({ title: "  " }), ["title"]);
      assert.deepStrictEqual(yield* refusedAt({ title: "x".repeat(257) }), ["title"]);
      assert.deepStrictEqual(yield* refusedAt({ title: "\ud800" }), ["title"]);
      const long = { title: "x", description: "x".repeat(65_537), goalId: "..", priority: "soon" };
      assert.sameMembers([...(yield* refusedAt(long))], ["description", "goalId", "priority"]);
      assert.deepStrictEqual(yield* refusedAt({ title: "x", titel: "y" }), ["titel"]);
      for (const reserved of ["issues", "attachments", "links", "questions", ".", "a/b", ""]) {
        assert.deepStrictEqual(yield* refusedAt({ title: "x" }, reserved), ["projectId"]);
      }
      const unknown = yield* Effect.flip(create({ blockedByIssueId: "iss_none" }));
      assert.deepInclude(unknown, { _tag: "UnknownReference", field: "blockedByIssueId" });
      assert.lengthOf((yield* issues.list(project)).items, 0);
    }),
  );

  check(
    "[issues.update.fields] an omitted field is left alone, null clears a field, and the same value changes nothing",
    Effect.gen(function* () {
      const made = yield* create({ description: "All", assignedAgentId: "bot", goalId: "g" });
      yield* TestClock.adjust("1 second");
      const { description, title, priority, assignedAgentId } = made;
      assert.deepStrictEqual(yield* put(made.id, {}), made);
      const same = { title, description, priority, assignedAgentId, status: made.status };
      assert.deepStrictEqual(yield* put(made.id, same), made);
      assert.deepStrictEqual(
        yield* put(made.id, { title: null, status: null, priority: null }),
        made,
      );
      assert.deepStrictEqual(yield* kinds(made.id), ["created"]);
      const changed = yield* put(made.id, { description: null, goalId: null, title: "Mend" });
      const fields = { description: null, goalId: null, title: "Mend", version: 2 };
      assert.deepStrictEqual(changed, {
        ...made,
        ...fields,
        updatedAt: "1970-01-01T00:00:01.000Z",
      });
    }),
  );

  check(
    "[issues.labels] [issues.metadata] labels are trimmed, distinct and sorted, metadata are texts, and PUT replaces both",
    Effect.gen(function* () {
      const metadata = { z: "1", ["__proto__"]: "own", a: "" };
      const made = yield* create({ labels: [" ui", "bug ", "ui", "Bug"], metadata });
      assert.deepInclude(made, { labels: ["Bug", "bug", "ui"], metadata });
      assert.deepInclude(yield* create(), { labels: [], metadata: {}, externalRef: null });
      assert.deepStrictEqual(
        yield* put(made.id, {
          labels: ["ui", "bug", "Bug"],
          metadata: { a: "", ["__proto__"]: "own", z: "1" },
        }),
        made,
      );
      const changed = yield* put(made.id, { labels: ["ui"], metadata: { b: "2" } });
      assert.deepInclude(changed, { labels: ["ui"], metadata: { b: "2" }, version: 2 });
      assert.deepStrictEqual(yield* get(made.id), changed);
      assert.deepStrictEqual(yield* lastEntry(made.id), {
        changes: { labels: { from: ["Bug", "bug", "ui"], to: ["ui"] }, metadata: null },
      });
      const cleared = yield* put(made.id, { labels: null, metadata: null });
      assert.deepInclude(cleared, { labels: [], metadata: {}, version: 3 });
    }),
  );

  check(
    "[issues.labels] [issues.metadata] [issues.external-ref] values beyond their limits are refused with their path",
    Effect.gen(function* () {
      const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
      const texts = (count: number, text = "") =>
        Object.fromEntries(many(count).map((key) => [key, text]));
      const full = yield* create({
        labels: [...many(32), "1"],
        metadata: texts(50),
        externalRef: "r".repeat(256),
      });
      assert.lengthOf(full.labels, 32);
      yield* create({
        labels: ["x".repeat(64)],
        metadata: { ["k".repeat(64)]: "é".repeat(2_016) },
      });
      for (const [field, value] of [
        ["labels", many(33)],
        ["labels.0", [" "]],
        ["labels.1", ["x", "x".repeat(65)]],
        ["labels.0", ["\ud800"]],
        ["metadata", texts(51)],
        ["metadata", { "": "x" }],
        ["metadata", { ["k".repeat(65)]: "x" }],
        ["metadata", { "\ud800": "x" }],
        ["metadata", { k: "é".repeat(2_048) }],
        ["metadata.k", { k: 1 }],
        ["externalRef", ""],
        ["externalRef", "r".repeat(257)],
      ] as const) {
        const name = field.replace(/\..*/, "");
        const refused = yield* Effect.flip(create({ [name]: value } as object));
        assert.strictEqual(refused._tag, "InvalidRequest");
        if (refused._tag === "InvalidRequest") assert.deepStrictEqual(paths(refused), [field]);
      }
    }),
  );

  check(
    "[issues.external-ref] an external reference belongs to one issue of its project",
    Effect.gen(function* () {
      const first = yield* create({ externalRef: "GH-1" });
      const second = yield* create();
      yield* create({ externalRef: "GH-1" }, "other");
      const taken = { _tag: "ExternalRefTaken", issueId: first.id };
      assert.deepInclude(yield* refusal(create({ externalRef: "GH-1" })), taken);
      assert.deepInclude(yield* refusal(put(second.id, { externalRef: "GH-1" })), taken);
      assert.deepStrictEqual(yield* put(first.id, { externalRef: "GH-1" }), first);
      assert.isNull((yield* put(first.id, { externalRef: null })).externalRef);
      const changed = yield* put(second.id, { externalRef: "GH-1" });
      assert.strictEqual(changed.externalRef, "GH-1");
      assert.deepStrictEqual(yield* lastEntry(second.id), {
        changes: { externalRef: { from: null, to: "GH-1" } },
      });
    }),
  );

  check(
    "[issues.update.whole] a PUT is one change, or none at all",
    Effect.gen(function* () {
      const { id } = yield* create();
      const changed = yield* put(id, { title: "Mend", status: "InProgress", priority: "low" });
      assert.deepInclude(changed, { version: 2, status: "InProgress", priority: "low" });
      const refused = yield* Effect.flip(put(id, { title: "No", status: "WaitingOnDependency" }));
      assert.strictEqual(refused._tag, "Blocked");
      assert.deepStrictEqual(yield* get(id), changed);
    }),
  );

  check(
    "[issues.version.untouched] links, comments and the pick-up of a resumed issue leave version and updatedAt alone",
    Effect.gen(function* () {
      const one = yield* create();
      yield* TestClock.adjust("1 second");
      yield* link(one.id, "RelatedTo", (yield* create()).id);
      assert.deepInclude(yield* get(one.id), { version: 1, updatedAt: one.updatedAt });
      const held = yield* create({ assignedAgentId: "bot" });
      const { version } = yield* put(held.id, { status: "InProgress" });
      const { started } = yield* heartbeat("bot");
      assert.strictEqual(started[0]?.issue.version, version);
    }),
  );

  check(
    "[issues.if-match] another version than the current one is refused, after 404 and before any rule",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { id } = yield* create();
      const stale = { ifMatch: [2, 7] };
      const calls: ReadonlyArray<Call> = [
        issues.update(id, { status: "WaitingOnDependency", assignedAgentId: "x" }, stale),
        issues.close(id, stale),
        issues.pause(id, stale),
        issues.resume(id, stale),
        issues.remove(id, { ...stale, confirm: true }),
      ];
      for (const call of calls) {
        const refused = yield* refusal(call);
        assert.deepInclude(refused, { _tag: "PreconditionFailed", version: 1 });
      }
      const gone = yield* Effect.flip(issues.close("iss_none", stale));
      assert.strictEqual(gone._tag, "NotFound");
      assert.deepInclude(yield* issues.update(id, { title: "A" }, { ifMatch: [9, 1] }), {
        version: 2,
      });
      assert.deepInclude(yield* issues.update(id, { title: "B" }, { ifMatch: "*" }), {
        version: 3,
      });
    }),
  );

  check(
    "[issues.remove] a deletion needs a confirmation and removes everything of the issue",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue } = yield* executing();
      const unsure = yield* Effect.flip(issues.remove("iss_none", { confirm: false }));
      assert.strictEqual(unsure._tag, "ConfirmationRequired");
      yield* issues.remove(issue.id, { confirm: true });
      const calls: ReadonlyArray<Call> = [
        get(issue.id),
        issues.activity(issue.id),
        issues.readiness(issue.id),
      ];
      for (const call of calls) {
        const refused = yield* refusal(call);
        assert.deepInclude(refused, { _tag: "NotFound", resource: "issue", id: issue.id });
      }
    }),
  );

  check(
    "[issues.roles] a Viewer reads and cannot write; the role is checked first",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { id } = yield* create();
      assert.strictEqual((yield* Callers.as(viewer)(get(id))).id, id);
      const calls: ReadonlyArray<Call> = [
        issues.create("issues", { title: "" }),
        issues.update("iss_none", {}),
        issues.close("iss_none"),
        issues.pause("iss_none"),
        issues.resume("iss_none"),
        issues.remove("iss_none", { confirm: false }),
      ];
      for (const call of calls) {
        const refused = yield* refusal(Callers.as(viewer)(call));
        assert.deepInclude(refused, { _tag: "Forbidden", requiredRole: "Editor" });
      }
    }),
  );

  check(
    "[issues.bound] a caller of other projects finds nothing of an issue",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { id } = yield* create();
      const calls: ReadonlyArray<Call> = [
        get(id),
        put(id, { title: "Mine" }),
        issues.close(id),
        issues.pause(id),
        issues.remove(id, { confirm: true }),
        issues.readiness(id),
        issues.activity(id),
        issues.list(project),
        create(),
      ];
      for (const call of calls) {
        const refused = yield* refusal(Callers.as(bound)(call));
        assert.strictEqual(refused._tag, "NotFound");
      }
      const reference = yield* Effect.flip(
        Callers.as(bound)(create({ blockedByIssueId: id }, "other")),
      );
      assert.strictEqual(reference._tag, "UnknownReference");
    }),
  );
});
