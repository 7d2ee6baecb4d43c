import { assert, describe } from "@effect/vitest";
import { Comments, Inbox, Issues, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, heartbeat, put } from "../support/World.ts";

type Request = Parameters<(typeof Inbox.Inbox)["Service"]["groups"]>[0];

const page = (request: Request = {}) => Inbox.Inbox.use((inbox) => inbox.groups(request));
const groups = (request: Request = {}) => Effect.map(page(request), ({ items }) => items);

const fail = Effect.fnUntraced(function* (title: string, comment: string | null) {
  const { issue, runId } = yield* executing("bot", { title });
  yield* Runs.Runs.use((runs) => runs.finish("bot", runId, { outcome: "failed", comment }));
  yield* TestClock.adjust("1 seconds");
  return issue.id;
});

const summary = (found: Effect.Success<ReturnType<typeof groups>>) =>
  found.map(({ count, items, kind, line }) => [
    kind,
    count,
    line,
    items.map(({ title }) => title).join(" "),
  ]);

const limit = "usage limit of run_01M8CW1GF7JKPN16G2QV8K0XYN reached";

describe("Inbox", () => {
  check(
    "[inbox.groups] failures with the same first line, without ids and numbers, are a group",
    Effect.gen(function* () {
      const ids = [];
      for (const [index, name] of ["a", "b", "c", "d"].entries()) {
        const first = `Error 50${index} in SHOP-1${index}: ${limit.replace("01M8", `0${index}M8`)}`;
        ids.push(yield* fail(name, `${first}\nat line ${index}`));
      }
      yield* fail("other", "Error in the parser");
      yield* fail("silent", null);
      yield* fail("mute", null);
      const found = yield* groups({ kind: ["failed"] });
      assert.deepStrictEqual(summary(found), [
        ["failed", 4, `Error 500 in SHOP-10: ${limit.replace("01M8", "00M8")}`, "a b c"],
        ["failed", 1, "Error in the parser", "other"],
        ["failed", 1, null, "silent"],
        ["failed", 1, null, "mute"],
      ]);
      assert.deepStrictEqual(found[0]?.ids, ids);
      const { items } = yield* Inbox.Inbox.use((inbox) => inbox.list({ kind: ["failed"] }));
      assert.deepStrictEqual(found[0]?.items, items.slice(0, 3));
      assert.strictEqual(found[0]?.since, items[0]?.since);
    }),
  );

  check(
    "[inbox.groups] [comments.purge] purged hand-ins do not count as one cause",
    Effect.gen(function* () {
      const { list, remove } = yield* Comments.Comments;
      const admin = Callers.as(Callers.user("ann", { role: "Admin" }));
      for (const title of ["a", "b"]) {
        const id = yield* fail(title, "canary");
        const [comment] = (yield* list(id)).items;
        yield* admin(remove(id, comment?.id ?? "", { purge: true }));
      }
      assert.deepStrictEqual(summary(yield* groups({ kind: ["failed"] })), [
        ["failed", 1, null, "a"],
        ["failed", 1, null, "b"],
      ]);
    }),
  );

  check(
    "[inbox.groups] the newest hand-in decides",
    Effect.gen(function* () {
      const id = yield* fail("a", "First");
      yield* put(id, { status: "Open" });
      const [started] = (yield* heartbeat("bot")).started;
      yield* Runs.Runs.use((runs) =>
        runs.finish("bot", started?.runId ?? "", { outcome: "failed", comment: "Second" }),
      );
      assert.deepStrictEqual(summary(yield* groups({ kind: ["failed"] })), [
        ["failed", 1, "Second", "a"],
      ]);
    }),
  );

  check(
    "[inbox.groups] silent agents are a group, and other items are groups of one",
    Effect.gen(function* () {
      for (const agent of ["ann", "bob"]) yield* create({ assignedAgentId: agent });
      for (const title of ["a", "b"]) {
        const { id } = yield* create({ title });
        yield* put(id, { status: "PendingReview" });
        yield* TestClock.adjust("1 seconds");
      }
      assert.deepStrictEqual(summary(yield* groups()), [
        ["agentSilent", 2, null, "ann bob"],
        ["review", 1, null, "a"],
        ["review", 1, null, "b"],
      ]);
      assert.deepStrictEqual((yield* groups({ kind: ["agentSilent"] }))[0]?.ids, ["ann", "bob"]);
    }),
  );

  check(
    "[inbox.groups.id] the id of a group stays, differs for each caller, and tells nothing",
    Effect.gen(function* () {
      yield* fail("a", "Error 1");
      const [before] = yield* groups();
      yield* fail("b", "Error 2");
      const [after] = yield* groups();
      assert.strictEqual(after?.count, 2);
      assert.strictEqual(after?.group, before?.group);
      assert.match(after?.group ?? "", /^[\w-]{43}$/);
      const [others] = yield* Callers.as(Callers.user("eve"))(groups());
      assert.strictEqual(others?.count, 2);
      assert.notStrictEqual(others?.group, after?.group);
    }),
  );

  check(
    "[inbox.groups.visible] a group has only items that the caller may see, after filters and snoozes",
    Effect.gen(function* () {
      const mine = yield* fail("a", "Error 1");
      const snoozed = yield* fail("b", "Error 2");
      const { id } = yield* create({ title: "hidden", assignedAgentId: "bot" }, "other");
      const [started] = (yield* heartbeat("bot")).started;
      assert.strictEqual(started?.issue.id, id);
      yield* Runs.Runs.use((runs) =>
        runs.finish("bot", started?.runId ?? "", { outcome: "failed", comment: "Error 3" }),
      );
      yield* put(mine, { assigneeUserId: "alice" });
      const counts = (request: Request = {}) =>
        Effect.map(groups(request), (found) => found.map(({ count }) => count));
      assert.deepStrictEqual(yield* counts(), [3]);
      assert.deepStrictEqual(yield* counts({ mine: true }), [1]);
      assert.deepStrictEqual(yield* counts({ projectId: ["project"] }), [2]);
      const asGuest = Callers.as({ ...Callers.user("guest"), projects: ["project"] });
      assert.deepStrictEqual(yield* asGuest(counts()), [2]);
      yield* Inbox.Inbox.use((inbox) =>
        inbox.snooze({
          items: [{ kind: "failed", id: snoozed }],
          until: "1970-01-02T00:00:00.000Z",
        }),
      );
      assert.deepStrictEqual(yield* counts(), [2]);
    }),
  );

  check(
    "[inbox.groups.pages] pages lead through all groups, and the ones that block most come first",
    Effect.gen(function* () {
      yield* fail("a", "Error 1");
      yield* fail("b", "Crash");
      const blocking = yield* fail("c", "Error 2");
      yield* Issues.Issues.use((issues) =>
        issues.create("project", { title: "Waits", blockedByIssueId: blocking }),
      );
      for (const title of ["d", "e"]) {
        const { id } = yield* create({ title });
        yield* put(id, { status: "PendingReview" });
        yield* TestClock.adjust("1 seconds");
      }
      const all = yield* groups();
      assert.deepStrictEqual(
        all.map(({ items }) => items.map(({ title }) => title).join(" ")),
        ["c a", "b", "d", "e"],
      );
      for (const order of ["asc", "desc"] as const) {
        const paged = [];
        let cursor: string | undefined;
        do {
          const found = yield* page({ limit: 1, order, cursor });
          paged.push(...found.items);
          cursor = found.next ?? undefined;
        } while (cursor !== undefined);
        assert.deepStrictEqual(paged, order === "asc" ? all : all.toReversed());
      }
    }),
  );
});
