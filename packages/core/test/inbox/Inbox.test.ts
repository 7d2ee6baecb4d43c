import { assert, describe } from "@effect/vitest";
import { Agents, Inbox, type InboxItem, Issues, Projects, Questions } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  create,
  executing,
  finish,
  heartbeat,
  link,
  put,
  refusal,
} from "../support/World.ts";

type Request = Parameters<(typeof Inbox.Inbox)["Service"]["list"]>[0];

const page = (request: Request = {}) => Inbox.Inbox.use((inbox) => inbox.list(request));
const items = (request: Request = {}) => Effect.map(page(request), (found) => found.items);

/** The items as `kind title`. */
const shown = (request: Request = {}) =>
  Effect.map(items(request), (all) => all.map(({ kind, title }) => `${kind} ${title}`));

const ask = (issueId: string, input: { readonly expiresInSeconds?: number } = {}) =>
  Questions.Questions.use((questions) =>
    Effect.map(
      questions.ask(issueId, { prompt: "Which slates?", ...input }),
      ({ question }) => question,
    ),
  );

const resume = (id: string) => Issues.Issues.use((issues) => issues.resume(id));
const asViewer = Callers.as({ ...Callers.user("eve"), role: "Viewer", projects: ["project"] });

const asAdmin = Callers.as({ ...Callers.user("root"), role: "Admin" });

const none = { questionId: null, serverId: null, callId: null, blocks: 0 };

describe("Inbox", () => {
  check(
    "[inbox.question] an open question is there until it is answered, with its issue",
    Effect.gen(function* () {
      const issue = yield* create({ priority: "urgent", assignedAgentId: "bot" });
      const question = yield* ask(issue.id);
      const item: InboxItem.InboxItem = {
        ...none,
        kind: "question",
        since: question.createdAt,
        priority: "urgent",
        projectId: "project",
        issueId: issue.id,
        issueKey: issue.key,
        questionId: question.id,
        agentId: "bot",
        title: "Mend the roof",
        detail: "Which slates?",
      };
      assert.deepStrictEqual(yield* items({ kind: ["question"] }), [item]);
      yield* put(issue.id, { priority: "low" });
      assert.deepStrictEqual(yield* items({ kind: ["question"] }), [{ ...item, priority: "low" }]);
      yield* Questions.Questions.use((all) => all.answer(question.id, { answer: "Welsh" }));
      assert.deepStrictEqual(yield* items({ kind: ["question"] }), []);
    }),
  );

  check(
    "[inbox.expired] an expired question is never there, recorded or not",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* ask(id, { expiresInSeconds: 60 });
      yield* TestClock.adjust("59999 millis");
      assert.deepStrictEqual(yield* shown(), ["question Mend the roof"]);
      yield* TestClock.adjust("1 millis");
      assert.deepStrictEqual(yield* shown(), []);
      yield* Questions.Questions.use((questions) => questions.expireDue);
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.detail] a long question is cut to 500 characters",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (const prompt of ["x".repeat(500), `${"x".repeat(498)}🏠x`]) {
        yield* Questions.Questions.use((questions) => questions.ask(id, { prompt }));
      }
      const [whole, cut] = yield* items();
      assert.strictEqual(whole?.detail, "x".repeat(500));
      assert.strictEqual(cut?.detail, `${"x".repeat(498)}…`);
    }),
  );

  check(
    "[inbox.review] an issue in review is there until it leaves the review",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot", { priority: "high" });
      assert.deepStrictEqual(yield* shown(), []);
      const { updatedAt } = yield* finish(runId, "review");
      assert.deepStrictEqual(yield* items(), [
        {
          ...none,
          kind: "review",
          since: updatedAt,
          priority: "high",
          projectId: "project",
          issueId: issue.id,
          issueKey: issue.key,
          agentId: "bot",
          title: "Mend the roof",
          detail: "The agent handed the issue in. Review it.",
        },
      ]);
      yield* put(issue.id, { status: "Resolved" });
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.paused] an issue that failed, or died too often, is there until it is resumed",
    Effect.gen(function* () {
      const failed = yield* executing("bot", { title: "failed" });
      yield* finish(failed.runId, "failed");
      yield* create({ title: "dead", assignedAgentId: "bot" });
      for (const wait of ["10 minutes", "10 minutes", "10 minutes", "10 minutes"] as const) {
        yield* heartbeat("bot");
        yield* TestClock.adjust(wait);
      }
      yield* heartbeat("bot");
      assert.sameMembers([...(yield* shown())], ["tooManyAttempts dead", "failed failed"]);
      const [dead] = yield* items({ kind: ["tooManyAttempts"] });
      assert.strictEqual(
        dead?.detail,
        "3 runs died or failed. Fix the cause, then resume the issue.",
      );
      yield* resume(failed.issue.id);
      yield* resume(dead?.issueId ?? "");
      yield* heartbeat("bot");
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.root] a root that is not picked up is there, with the reason and what it blocks",
    Effect.gen(function* () {
      const root = yield* create({ title: "root" });
      const second = yield* create({ title: "second", blockedByIssueId: root.id });
      yield* create({ title: "third", blockedByIssueId: second.id });
      yield* create({ title: "apart" });
      const detail = Effect.map(items({ kind: ["blockedChain"] }), (all) =>
        all.map(({ title, detail }) => `${title}: ${detail}`),
      );
      const unassigned = "No agent is assigned. Assign one.";
      assert.deepStrictEqual(yield* detail, [`root: The issue blocks 1 issue. ${unassigned}`]);
      yield* create({ title: "fourth", blockedByIssueId: root.id });
      assert.deepStrictEqual(yield* detail, [`root: The issue blocks 2 issues. ${unassigned}`]);

      yield* put(root.id, { assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* detail, []);
      const notBefore = "1970-01-02T00:00:00.000Z";
      yield* put(root.id, { notBefore });
      assert.deepStrictEqual(yield* detail, [
        `root: The issue blocks 2 issues. The issue is deferred until ${notBefore}.`,
      ]);
      yield* put(root.id, { notBefore: null });
      yield* Agents.Agents.use((agents) => agents.put("bot", { paused: true })).pipe(asAdmin);
      yield* Projects.Projects.use((projects) => projects.put("project", { paused: true }));
      assert.deepStrictEqual(yield* detail, [
        "root: The issue blocks 2 issues. The agent bot is paused. The project project is paused.",
      ]);
      yield* Agents.Agents.use((agents) => agents.put("bot", { paused: false })).pipe(asAdmin);
      yield* Projects.Projects.use((projects) => projects.put("project", { paused: false }));
      assert.deepStrictEqual(yield* detail, []);
      yield* heartbeat("bot");
      yield* Issues.Issues.use((issues) => issues.pause(root.id));
      assert.deepStrictEqual(yield* detail, [
        "root: The issue blocks 2 issues. The issue is paused. A person has to resume it.",
      ]);
      yield* Issues.Issues.use((issues) => issues.close(root.id, { force: true }));
      assert.deepStrictEqual(yield* shown({ kind: ["blockedChain"] }), ["blockedChain second"]);
    }),
  );

  check(
    "[inbox.once] a root with an item of its own, or with an active run, is left out of the blocked chains",
    Effect.gen(function* () {
      const root = yield* create();
      yield* create({ title: "waits", blockedByIssueId: root.id });
      assert.deepStrictEqual(yield* shown(), ["blockedChain Mend the roof"]);
      const question = yield* ask(root.id);
      for (const kind of [undefined, ["blockedChain"]] as const) {
        const found = yield* shown(kind === undefined ? {} : { kind });
        assert.deepStrictEqual(found, kind === undefined ? ["question Mend the roof"] : []);
      }
      yield* Questions.Questions.use((all) => all.withdraw(question.id));
      yield* put(root.id, { status: "PendingReview" });
      assert.deepStrictEqual(yield* shown(), ["review Mend the roof"]);
      yield* put(root.id, { status: "Open", assignedAgentId: "bot" });
      yield* heartbeat("bot");
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.silent] a silent agent is there while it runs an issue or could pick one up",
    Effect.gen(function* () {
      const listed = items({ kind: ["agentSilent"] });
      const { id } = yield* create({ assignedAgentId: "bot" });
      assert.deepStrictEqual(yield* listed, [
        {
          ...none,
          blocks: null,
          kind: "agentSilent",
          since: "1970-01-01T00:00:00.000Z",
          priority: "high",
          projectId: null,
          issueId: null,
          issueKey: null,
          agentId: "bot",
          title: "bot",
          detail: "The agent bot has never sent a heartbeat.",
        },
      ]);
      yield* heartbeat("bot", { leaseSeconds: 3_600 });
      assert.deepStrictEqual(yield* listed, []);
      yield* TestClock.adjust("10 minutes");
      assert.deepStrictEqual(yield* listed, []);
      yield* TestClock.adjust("1 seconds");
      const [running] = yield* listed;
      assert.strictEqual(
        running?.detail,
        "The agent bot sent its last heartbeat at 1970-01-01T00:00:00.000Z.",
      );
      assert.lengthOf(yield* items({ kind: ["agentSilent"], projectId: ["project"] }), 1);
      assert.lengthOf(yield* items({ kind: ["agentSilent"], projectId: ["other"] }), 0);
      yield* put(id, { status: "Resolved", assignedAgentId: null });
      yield* TestClock.adjust("1 hour");
      assert.deepStrictEqual(yield* listed, []);
    }),
  );

  check(
    "[inbox.order] items come by priority, then the time, then the id, and pages lead through them",
    Effect.gen(function* () {
      for (const priority of ["low", "urgent", "normal", "high", "urgent"] as const) {
        const { id } = yield* create({ priority, title: priority });
        yield* put(id, { status: "PendingReview" });
        yield* ask(id);
        yield* ask(id);
        yield* TestClock.adjust("1 seconds");
      }
      const all = yield* items();
      const ranks = { urgent: 0, high: 1, normal: 2, low: 3 };
      const keyOf = (item: InboxItem.InboxItem) =>
        [ranks[item.priority], item.since, item.questionId ?? item.issueId].join(" ");
      assert.deepStrictEqual(all.map(keyOf), all.map(keyOf).toSorted());
      assert.lengthOf(all, 15);
      for (const order of ["asc", "desc"] as const) {
        const paged: Array<InboxItem.InboxItem> = [];
        let cursor: string | undefined;
        do {
          const found = yield* page({ limit: 2, order, cursor });
          paged.push(...found.items);
          cursor = found.next ?? undefined;
        } while (cursor !== undefined);
        assert.deepStrictEqual(paged, order === "asc" ? all : all.toReversed());
      }
    }),
  );

  check(
    "[inbox.stable] items that come between two pages neither repeat nor hide another item",
    Effect.gen(function* () {
      const ids: Array<string> = [];
      for (let n = 0; n < 4; n++) {
        const { id } = yield* create();
        yield* put(id, { status: "PendingReview" });
        ids.push(id);
        yield* TestClock.adjust("1 seconds");
      }
      const first = yield* page({ limit: 2 });
      const urgent = yield* create({ priority: "urgent" });
      yield* put(urgent.id, { status: "PendingReview" });
      yield* put(ids[0] ?? "", { status: "Resolved" });
      const second = yield* page({ limit: 2, cursor: first.next ?? undefined });
      assert.deepStrictEqual(
        [...first.items, ...second.items].map(({ issueId }) => issueId),
        ids,
      );
      assert.isNull(second.next);
      const other = yield* refusal(page({ cursor: first.next ?? undefined, kind: ["review"] }));
      assert.strictEqual(other._tag, "InvalidRequest");
    }),
  );

  check(
    "[inbox.visible] an item of a hidden project is never there, and no hidden issue is counted",
    Effect.gen(function* () {
      const hidden = yield* create({ title: "secret", assignedAgentId: "bot" }, "other");
      yield* ask(hidden.id);
      const review = yield* create({ title: "secret" }, "other");
      yield* put(review.id, { status: "PendingReview" });
      const hiddenRoot = yield* create({ title: "secret" }, "other");
      const seen = yield* create({ title: "seen" });
      yield* link(seen.id, "BlockedBy", hiddenRoot.id);
      const root = yield* create({ title: "root" });
      yield* create({ title: "secret", blockedByIssueId: root.id }, "other");
      assert.deepStrictEqual(yield* asViewer(items()), []);
      assert.lengthOf(yield* items({ projectId: ["other"], kind: ["question", "review"] }), 2);
      assert.deepStrictEqual(yield* asViewer(items({ projectId: ["other"] })), []);

      yield* create({ title: "waits", blockedByIssueId: root.id });
      const [found, ...more] = yield* asViewer(items());
      assert.deepStrictEqual(more, []);
      assert.deepInclude(found, {
        kind: "blockedChain",
        title: "root",
        detail: "The issue blocks 1 issue. No agent is assigned. Assign one.",
      });
      const both = yield* asViewer(items({ projectId: ["project", "project", "other"] }));
      assert.deepStrictEqual(both, yield* asViewer(items()));
    }),
  );
});
