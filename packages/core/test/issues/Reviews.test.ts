import { assert, describe } from "@effect/vitest";
import {
  Comments,
  CurrentRun,
  EventStore,
  Issues,
  type Project,
  Projects,
  Runs,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, flow } from "effect";
import {
  type Call,
  check,
  create,
  executing,
  finish,
  get,
  link,
  project,
  put,
  refusal,
} from "../support/World.ts";

const bot = Callers.as(Callers.agent("bot"));
const eve = Callers.as(Callers.agent("eve"));
const acting = (runId: string) =>
  flow(Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId: "bot" }), bot);

const agentsMay = (value: Project.AgentsMay) =>
  Projects.Projects.use((projects) => projects.put(project, { agentsMay: value }));

/** The changes that end a review. */
const ends = (id: string, blockerId: string) =>
  Effect.map(Issues.Issues, (issues): ReadonlyArray<Call> => [
    put(id, { status: "Resolved" }),
    put(id, { status: "WaitingOnDependency" }),
    put(id, { status: "InProgress" }),
    put(id, { status: "Closed" }),
    issues.close(id, { force: true }),
    issues.remove(id, { confirm: true }),
    link(id, "BlockedBy", blockerId),
    link(blockerId, "Blocks", id),
  ]);

/** An issue that the agent `bot` handed in for review. */
const reviewed = Effect.gen(function* () {
  const { issue, runId } = yield* executing("bot");
  yield* finish(runId, "review");
  return { id: issue.id, runId };
});

const comment = (id: string) =>
  Comments.Comments.use((comments) => comments.create(id, { content: "Why?" }));

const reopen = (id: string) => put(id, { status: "Open" });

describe("Reviews", () => {
  check(
    "[reviews.people] an agent's key does not end a review, and changes other fields of the issue",
    Effect.gen(function* () {
      const { id } = yield* reviewed;
      const blocker = yield* create();
      const before = yield* get(id);
      for (const as of [bot, eve]) {
        for (const call of yield* ends(id, blocker.id)) {
          assert.deepInclude(yield* refusal(as(call)), { _tag: "Forbidden", requiredRole: null });
        }
      }
      assert.deepInclude(yield* refusal(eve(reopen(id))), { _tag: "Forbidden" });
      assert.deepStrictEqual(yield* get(id), before);
      yield* bot(put(id, { title: "Another", status: "PendingReview" }));
      yield* bot(link(id, "RelatedTo", blocker.id));
      yield* bot(link(id, "Blocks", blocker.id));
      yield* put(id, { status: "Resolved" });
    }),
  );

  check(
    "[reviews.taken-back] the agent that handed an issue in opens it again, naming that run or none, until a person comments",
    Effect.gen(function* () {
      const other = yield* executing("bot");
      const none = yield* reviewed;
      yield* bot(comment(none.id));
      assert.strictEqual((yield* bot(reopen(none.id))).status, "Open");

      const named = yield* reviewed;
      const refused = yield* refusal(acting(other.runId)(reopen(named.id)));
      assert.deepInclude(refused, { _tag: "Forbidden" });
      assert.strictEqual((yield* acting(named.runId)(reopen(named.id))).status, "Open");

      const commented = yield* reviewed;
      yield* comment(commented.id);
      for (const as of [bot, acting(commented.runId)]) {
        assert.include(["Forbidden", "RunEnded"], (yield* refusal(as(reopen(commented.id))))._tag);
      }
      assert.strictEqual((yield* get(commented.id)).status, "PendingReview");
    }),
  );

  check(
    "[reviews.taken-back] what a person put into review is not the agent's to open, and a comment before the hand-in does not count",
    Effect.gen(function* () {
      const byPerson = yield* create({ assignedAgentId: "eve" });
      yield* put(byPerson.id, { status: "PendingReview" });
      assert.deepInclude(yield* refusal(eve(reopen(byPerson.id))), { _tag: "Forbidden" });

      const { issue, runId } = yield* executing("bot");
      yield* comment(issue.id);
      yield* finish(runId, "review");
      yield* bot(reopen(issue.id));
    }),
  );

  check(
    "[reviews.review] with `review`, what an agent resolves becomes a review, and the response says so",
    Effect.gen(function* () {
      yield* agentsMay("review");
      const finished = yield* executing("bot");
      const handedIn = yield* finish(finished.runId, "resolved");
      assert.deepInclude(handedIn, { status: "PendingReview", handedInAs: "review" });
      const updated = yield* executing("bot");
      assert.deepInclude(yield* bot(put(updated.issue.id, { status: "Resolved" })), {
        status: "PendingReview",
        handedInAs: "review",
      });
      const free = yield* create();
      assert.deepInclude(yield* eve(put(free.id, { status: "Resolved" })), {
        status: "PendingReview",
        handedInAs: "review",
      });
      const { items } = yield* Runs.Runs.use(({ list }) => list("bot"));
      assert.deepStrictEqual(
        items.map(({ outcome }) => outcome),
        ["review", "review"],
      );
      const review = yield* executing("bot");
      assert.notProperty(yield* finish(review.runId, "review"), "handedInAs");
      assert.notProperty(yield* put(free.id, { status: "Resolved" }), "handedInAs");
      assert.strictEqual((yield* get(free.id)).status, "Resolved");
    }),
  );

  check(
    "[reviews.approve] with `approve`, agents end reviews, and resolve by default",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      assert.deepInclude(yield* finish(runId, "resolved"), { status: "Resolved" });
      assert.notProperty(yield* get(issue.id), "handedInAs");
      yield* agentsMay("approve");
      const { id } = yield* reviewed;
      yield* eve(put(id, { status: "Resolved" }));
      const blocked = yield* reviewed;
      yield* eve(link(blocked.id, "BlockedBy", (yield* create()).id));
    }),
  );

  check(
    "[reviews.project] a person's Editor key sets agentsMay, with an event",
    Effect.gen(function* () {
      const editor = Callers.as(Callers.user("ed", { role: "Editor" }));
      const put = agentsMay("review");
      assert.deepInclude(yield* editor(put), { agentsMay: "review", paused: false });
      yield* put;
      assert.deepInclude(yield* refusal(bot(agentsMay("approve"))), { _tag: "Forbidden" });
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      assert.deepInclude(yield* refusal(viewer(put)), { requiredRole: "Editor" });
      const { items } = yield* Projects.Projects.use((projects) => projects.list());
      assert.deepInclude(items[0], { id: project, agentsMay: "review" });
      const store = yield* EventStore.EventStore;
      const events = yield* store.list(
        { projects: null, kinds: ["project.updated"] },
        { after: 0, until: 10_000, limit: 10_000 },
      );
      assert.deepStrictEqual(
        events.map(({ data }) => data),
        [{ changes: { agentsMay: { from: "resolve", to: "review" } } }],
      );
    }),
  );
});
