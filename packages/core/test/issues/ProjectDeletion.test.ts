import { assert, describe } from "@effect/vitest";
import {
  AuditLog,
  EventStore,
  Inbox,
  Issues,
  Projects,
  Runs,
  SavedViews,
  SnoozeStore,
  WebhookStore,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import * as WebhookWorld from "../support/WebhookWorld.ts";
import { check, refusal } from "../support/World.ts";

const admin = Callers.as(Callers.user("root", { role: "Admin" }));
const projects = <A, E, R>(
  use: (service: (typeof Projects.Projects)["Service"]) => Effect.Effect<A, E, R>,
) => Projects.Projects.use(use);
const remove = (id: string) => projects((service) => service.remove(id));
const create = (projectId: string, agentId: string | null = null) =>
  Issues.Issues.use((issues) =>
    issues.create(projectId, { title: "Mend the roof", assignedAgentId: agentId }),
  );
const removeIssue = (id: string) =>
  Issues.Issues.use((issues) => issues.remove(id, { confirm: true }));
const idOf = ({ id }: { readonly id: string }) => id;

describe("the deletion of a project", () => {
  check(
    "[projects.delete.who] only an Admin that is bound to no project deletes one, and no agent",
    Effect.gen(function* () {
      yield* projects((service) => service.create({ id: "shop" }));
      for (const caller of [
        Callers.user("eve"),
        Callers.user("root", { role: "Admin", projects: ["shop"] }),
        Callers.agent("bot", { role: "Admin" }),
      ]) {
        const error = yield* refusal(Callers.as(caller)(remove("shop")));
        assert.strictEqual(error._tag, "Forbidden");
      }
      const unknown = yield* refusal(admin(remove("shoop")));
      assert.deepInclude(unknown, { _tag: "NotFound", resource: "project", id: "shoop" });
      yield* admin(remove("shop"));
      assert.strictEqual((yield* refusal(admin(remove("shop"))))._tag, "NotFound");
    }),
  );

  check(
    "[projects.delete.in-use] a project with issues, or with live runs of deleted ones, is not deleted",
    Effect.gen(function* () {
      const issue = yield* create("shop", "bot");
      const error = yield* refusal(admin(remove("shop")));
      assert.deepInclude(error, { _tag: "ProjectInUse", issues: 1 });
      assert.include(error["message"], "The project has 1 issue. Delete it, or move it");
      const { started } = yield* Runs.Runs.use((runs) => runs.heartbeat("bot"));
      assert.lengthOf(started, 1);
      yield* removeIssue(issue.id);
      const live = yield* refusal(admin(remove("shop")));
      assert.deepInclude(live, { _tag: "ProjectInUse", issues: 0 });
      assert.include(live["message"], "Retry when they have ended");
      yield* TestClock.adjust("1 hour");
      yield* admin(remove("shop"));
      const list = yield* Runs.Runs.use((runs) => runs.list("bot"));
      assert.deepStrictEqual(list.items, []);
    }),
  );

  WebhookWorld.check(
    "[projects.delete.wiped] what belongs to the project only goes with it, and what does not stays",
    Effect.gen(function* () {
      const views = yield* SavedViews.SavedViews;
      const store = yield* WebhookStore.WebhookStore;
      const hook = (name: string, projectId: string | null) =>
        WebhookWorld.hook({ name, projectId });
      const issue = yield* create("shop");
      const moved = yield* create("shop");
      yield* create("home");
      yield* Issues.Issues.use((issues) => issues.update(moved.id, { projectId: "home" }));
      yield* views.create({ name: "Ours", query: "label=bug", projectId: "shop" });
      yield* views.create({ name: "Theirs", query: "label=bug", projectId: "home" });
      yield* views.create({ name: "Mine", query: "project=shop" });
      const bound = yield* hook("shop", "shop");
      const others = [yield* hook("home", "home"), yield* hook("all", null)];
      yield* projects((service) => service.put("shop", { paused: true, agentsMay: "review" }));
      yield* removeIssue(issue.id);
      yield* admin(remove("shop"));

      const { items } = yield* views.list();
      assert.deepStrictEqual(
        items.map(({ name }) => name),
        ["Theirs", "Mine"],
      );
      assert.deepStrictEqual((yield* store.list).map(idOf), others.map(idOf));
      assert.deepStrictEqual(yield* store.secrets(bound.id), []);
      const list = yield* projects((service) => service.list());
      assert.deepStrictEqual(list.items.map(idOf), ["home"]);
      const kinds = (yield* (yield* EventStore.EventStore).list(
        { projects: null, kinds: null },
        { after: 0, until: Number.MAX_SAFE_INTEGER, limit: 100 },
      )).map(({ kind, projectId }) => `${kind} ${projectId}`);
      assert.deepStrictEqual(kinds.slice(-2), ["webhook.deleted null", "project.deleted shop"]);
      const audit = yield* admin(AuditLog.AuditLog.use((log) => log.list({ limit: 2 })));
      assert.deepStrictEqual(
        audit.items.map(({ action, subject }) => `${action} ${subject.name ?? subject.id}`),
        ["project.deleted shop", "webhook.deleted shop"],
      );
      // The key that the moved issue had in the project continues to work.
      const found = yield* Issues.Issues.use((issues) => issues.get(moved.key));
      assert.strictEqual(found.id, moved.id);
    }),
  );

  check(
    "[projects.delete.prefix] a prefix belongs to a deleted project, which gets it back when it is created again",
    Effect.gen(function* () {
      const issue = yield* create("shop");
      yield* removeIssue(issue.id);
      yield* admin(remove("shop"));
      const other = admin(projects((service) => service.create({ id: "s", prefix: "SHOP" })));
      assert.deepInclude(yield* refusal(other), { _tag: "Exists", name: "prefix" });
      const similar = yield* projects((service) => service.create({ id: "sh-op" }));
      assert.strictEqual(similar.prefix, "SHOP2");
      // A change that runs again leaves a gap in the numbers.
      assert.match((yield* create("shop")).key, /^SHOP-[2-9]$/);
      const project = yield* projects((service) => service.get("shop"));
      assert.deepInclude(project, { paused: false, agentsMay: "resolve", prefix: "SHOP" });
    }),
  );

  check(
    "[inbox.snooze.deleted] the deletion of an issue ends its snoozes",
    Effect.gen(function* () {
      const snoozes = yield* SnoozeStore.SnoozeStore;
      const issue = yield* create("shop", "bot");
      yield* Runs.Runs.use((runs) => runs.heartbeat("bot"));
      yield* Issues.Issues.use((issues) => issues.update(issue.id, { status: "PendingReview" }));
      const until = new Date(86_400_000).toISOString();
      yield* Inbox.Inbox.use((inbox) =>
        inbox.snooze({ items: [{ kind: "review", id: issue.id }], until }),
      );
      const now = new Date(0).toISOString();
      assert.lengthOf(yield* snoozes.list("User alice", now), 1);
      yield* removeIssue(issue.id);
      assert.deepStrictEqual(yield* snoozes.list("User alice", now), []);
    }),
  );
});
