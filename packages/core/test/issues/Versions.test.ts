import { assert, describe } from "@effect/vitest";
import { Comments, CurrentRun, Issues } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, flow } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, heartbeat, put, refusal, turn } from "../support/World.ts";

const versions = (id: string) =>
  Issues.Issues.use(({ versions }) => Effect.map(versions(id), ({ items }) => items));

const acting = (runId: string) =>
  flow(
    Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId: "bot" }),
    Callers.as(Callers.agent("bot")),
  );

const changesOf = (runId: string) => Effect.map(turn(runId), ({ changes }) => changes);

describe("Versions of descriptions", () => {
  check(
    "[issues.versions] a description keeps its versions, with the current one",
    Effect.gen(function* () {
      const alice = { type: "User", id: "alice" };
      const issue = yield* create({ description: "First" });
      const first = {
        version: 1,
        description: "First",
        actor: alice,
        createdAt: "1970-01-01T00:00:00.000Z",
      };
      assert.deepStrictEqual(yield* versions(issue.key), [first] as never);
      yield* put(issue.id, { title: "Another title" });
      assert.strictEqual((yield* versions(issue.id)).length, 1);
      yield* TestClock.adjust("1 minute");
      yield* Callers.as(Callers.user("eve"))(put(issue.id, { description: "Second" }));
      yield* put(issue.id, { description: "Second", priority: "high" });
      yield* put(issue.id, { description: null });
      const at = "1970-01-01T00:01:00.000Z";
      assert.deepStrictEqual(yield* versions(issue.id), [
        first,
        { version: 3, description: "Second", actor: { type: "User", id: "eve" }, createdAt: at },
        { version: 5, description: null, actor: alice, createdAt: at },
      ] as never);
      const elsewhere = Callers.as(Callers.user("eli", { projects: ["elsewhere"] }));
      assert.strictEqual((yield* refusal(elsewhere(versions(issue.id))))._tag, "NotFound");
    }),
  );

  check(
    "[runs.turn.changes] a turn returns what others changed in texts that the run may have read, once",
    Effect.gen(function* () {
      const { create: comment, remove, update } = yield* Comments.Comments;
      const made = yield* create({ description: "Old", assignedAgentId: "bot" });
      const read = yield* comment(made.id, { content: "Read" });
      yield* update(made.id, read.id, { content: "Read twice" });
      const [run] = (yield* heartbeat("bot")).started;
      const runId = run?.runId ?? "";
      assert.deepStrictEqual(yield* changesOf(runId), []);
      yield* put(made.id, { description: "Newer" });
      yield* put(made.id, { description: "Newest" });
      yield* update(made.id, read.id, { content: "Changed" });
      const unread = yield* comment(made.id, { content: "Unread" });
      yield* update(made.id, unread.id, { content: "Still unread" });
      const { changes, comments } = yield* turn(runId);
      assert.deepStrictEqual(
        comments.map(({ content }) => content),
        ["Still unread"],
      );
      const by = { actor: { type: "User", id: "alice" }, at: "1970-01-01T00:00:00.000Z" };
      assert.deepStrictEqual(changes, [
        { kind: "description", commentId: null, version: 4, content: "Newest", ...by },
        { kind: "comment", commentId: read.id, version: 3, content: "Changed", ...by },
      ] as never);
      assert.deepStrictEqual(yield* changesOf(runId), []);
      yield* remove(made.id, read.id);
      yield* put(made.id, { description: null });
      assert.deepStrictEqual(
        (yield* changesOf(runId)).map(({ content, kind }) => [kind, content]),
        [
          ["comment", ""],
          ["description", null],
        ],
      );
    }),
  );

  check(
    "[runs.turn.changes] a turn does not return what its own agent changed",
    Effect.gen(function* () {
      const { create: comment, update } = yield* Comments.Comments;
      const { issue, runId } = yield* executing();
      const own = acting(runId);
      const { id } = yield* own(comment(issue.id, { content: "Half done" }));
      yield* own(update(issue.id, id, { content: "Done" }));
      yield* own(put(issue.id, { description: "By the agent" }));
      assert.deepStrictEqual(yield* changesOf(runId), []);
      yield* update(issue.id, id, { content: "By a person" });
      assert.deepStrictEqual(
        (yield* changesOf(runId)).map(({ content }) => content),
        ["By a person"],
      );
    }),
  );
});
