import { assert, describe } from "@effect/vitest";
import {
  EventLog,
  EventStore,
  Housekeeping,
  Issues,
  Questions,
  Runs,
  Timestamp,
} from "@quartermaster/core";
import { Storage } from "@quartermaster/testing";
import { Effect, Option } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  deliver,
  deliveries,
  hook,
  hooks,
  issue,
  kinds,
  received,
  responding,
  script,
  store,
} from "../support/WebhookWorld.ts";

const failing = responding({ status: 500 });

/** The status and the attempts of each delivery, oldest first. */
const states = (webhookId: string) =>
  Effect.map(deliveries(webhookId), (rows) =>
    rows.toReversed().map(({ attempts, status }) => `${status} ${attempts}`),
  );

const statusOf = (webhookId: string) =>
  Effect.map(
    hooks((service) => service.get(webhookId)),
    ({ status, statusReason }) => [status, statusReason],
  );

/** Advances the clock, a delivery at each step. */
const pass = (...hours: ReadonlyArray<number>) =>
  Effect.forEach(hours, (count) => Effect.andThen(TestClock.adjust(count * 3_600_000), deliver));

/** Longer than each wait of the schedule, by more than a tenth. */
const waits = [0.002, 0.1, 0.6, 2.3, 5.6, 11.1, 15.5, 22.1, 26.5];

describe("Deliveries", () => {
  check(
    "[webhooks.deliver] a webhook gets the events after its creation, once each, with their issues",
    Effect.gen(function* () {
      const before = yield* issue("Before");
      const { id } = yield* hook();
      const { key } = yield* issue("Mend <the> roof");
      yield* Issues.Issues.use((issues) => issues.update(before.id, { title: "After" }));
      yield* deliver;
      yield* deliver;
      const bodies = yield* received;
      assert.deepStrictEqual(
        bodies.map(({ data, type }) => [type, data.kind, data.issue.title]),
        [
          ["issue.created", "issue.created", "Mend <the> roof"],
          ["issue.updated", "issue.updated", "After"],
        ],
      );
      const [{ data, timestamp }] = bodies;
      assert.strictEqual(timestamp, data.createdAt);
      assert.hasAllKeys(data, [
        "id",
        "kind",
        "projectId",
        "subjectId",
        "issueKey",
        "actor",
        "data",
        "createdAt",
        "issue",
      ]);
      assert.deepInclude(data.issue, { key, projectId: "shop", status: "Open", url: null });
      assert.deepStrictEqual(yield* states(id), ["delivered 1", "delivered 1"]);
      const [last = null] = yield* deliveries(id);
      assert.deepInclude(yield* hooks((service) => service.get(id)), { lastDelivery: last });
    }),
  );

  check(
    "[webhooks.request] a request has the headers of Standard Webhooks, equal ids and new timestamps",
    Effect.gen(function* () {
      yield* hook();
      yield* issue();
      yield* failing;
      yield* deliver;
      yield* TestClock.adjust("10 seconds");
      yield* deliver;
      const [first, second] = (yield* script).received;
      assert.match(first?.headers["user-agent"] ?? "", /^Quartermaster\//);
      assert.match(first?.headers["webhook-signature"] ?? "", /^v1,[A-Za-z0-9+/]{43}=$/);
      assert.strictEqual(first?.headers["webhook-timestamp"], "0");
      assert.strictEqual(second?.headers["webhook-timestamp"], "10");
      assert.match(first?.headers["webhook-id"] ?? "", /^evt_/);
      assert.strictEqual(first?.headers["webhook-id"], second?.headers["webhook-id"]);
      assert.strictEqual(first?.body, second?.body);
    }),
  );

  check(
    "[webhooks.body] above 20,000 bytes the event's own data is null",
    Effect.gen(function* () {
      yield* hook({ kinds: ["project.*"] });
      const log = yield* EventLog.EventLog;
      const base = { kind: "project.updated", relatedProjectId: null, subjectId: "shop" } as const;
      const event = { ...base, projectId: "shop", actor: { type: "User", id: "ada" } as const };
      yield* Storage.transact(log.record([{ ...event, data: { a: "ä".repeat(9_800) } }]));
      yield* Storage.transact(log.record([{ ...event, data: { a: "ä".repeat(10_000) } }]));
      yield* deliver;
      const [small, large] = yield* received;
      assert.lengthOf(small.data.data.a, 9_800);
      assert.notProperty(small.data, "truncated");
      assert.deepInclude(large.data, { data: null, truncated: true, kind: "project.updated" });
    }),
  );

  check(
    "[webhooks.text] the format text is one sentence that a chat shows as it is",
    Effect.gen(function* () {
      yield* hook({ format: "text", kinds: ["issue.*", "project.*"] });
      const { id, key } = yield* issue("Mend <!channel> the\nroof & @here");
      yield* Questions.Questions.use((questions) => questions.ask(id, { prompt: "Which?" }));
      yield* Issues.Issues.use((issues) => issues.update(id, { status: "PendingReview" }));
      yield* Issues.Issues.use((issues) => issues.remove(id, { confirm: true }));
      yield* issue("Other");
      yield* deliver;
      const texts = (yield* received).map(({ text }) => text);
      const title = "Mend &lt;!channel&gt; the roof &amp; @\u200bhere";
      assert.include(texts, `root deleted ${title}.`.replace(title, `${key} (${title})`));
      assert.include(texts.join("\n"), "root created");
      assert.notInclude(texts.join("\n"), "<!channel>");
    }),
  );

  check(
    "[webhooks.project] with a project a webhook gets what a Viewer of the project sees",
    Effect.gen(function* () {
      yield* hook({ projectId: "shop", kinds: ["issue.*", "attention"] });
      const inside = yield* issue("Inside");
      const outside = yield* issue("Outside", "web");
      yield* Issues.Issues.use((issues) =>
        issues.create("web", { title: "Linked", blockedByIssueId: inside.id }),
      );
      yield* Issues.Issues.use((issues) => issues.update(outside.id, { title: "Still outside" }));
      yield* deliver;
      const bodies = yield* received;
      assert.deepStrictEqual([...new Set(bodies.map(({ data }) => data.projectId))], ["shop"]);
      assert.notInclude(JSON.stringify(bodies), "Linked");
      assert.notInclude(JSON.stringify(bodies), "utside");
    }),
  );

  check(
    "[webhooks.attention] attention is what waits for a person",
    Effect.gen(function* () {
      yield* hook({ kinds: ["attention"] });
      const { id } = yield* Issues.Issues.use((issues) =>
        issues.create("shop", { title: "Mend", assignedAgentId: "bot" }),
      );
      const beat = Runs.Runs.use((runs) => runs.heartbeat("bot", { capacity: 1 }));
      const { started } = yield* beat;
      yield* Questions.Questions.use((questions) => questions.ask(id, { prompt: "Which?" }));
      yield* deliver;
      assert.deepStrictEqual(yield* kinds, ["issue.asked"]);
      const runId = started[0]?.runId ?? "";
      yield* Runs.Runs.use((runs) =>
        runs.finish("bot", runId, { outcome: "failed", comment: "No slates." }),
      );
      yield* deliver;
      const [paused, ...others] = yield* received;
      assert.deepStrictEqual(others, []);
      assert.deepInclude(paused, { type: "issue.paused" });
      assert.deepStrictEqual(paused.data.data, { cause: "failed" });
      const issues = yield* Issues.Issues;
      yield* issues.resume(id);
      yield* issues.update(id, { status: "PendingReview" });
      yield* issues.update(id, { status: "Resolved" });
      yield* deliver;
      assert.deepStrictEqual(yield* kinds, ["issue.statusChanged"]);
    }),
  );

  check(
    "[webhooks.schedule] a failure is tried again ten times in 76 hours, then the webhook is failing",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* hook({ kinds: ["webhook.failing"], name: "Ops" });
      yield* issue();
      yield* failing;
      yield* deliver;
      const [first] = yield* deliveries(id);
      assert.deepInclude(first, {
        status: "pending",
        attempts: 1,
        lastStatus: 500,
        lastError: "The receiver responded with HTTP status 500.",
        deliveredAt: null,
      });
      const wait = Timestamp.secondsBetween("1970-01-01T00:00:00.000Z", first?.nextAttemptAt ?? "");
      assert.isTrue(wait >= 4.5 && wait <= 5.5, String(wait));
      for (const [at, hours] of waits.entries()) {
        assert.deepStrictEqual(yield* states(id), [`pending ${at + 1}`]);
        yield* pass(hours);
      }
      assert.deepStrictEqual(yield* states(id), ["failed 10"]);
      assert.deepStrictEqual(yield* statusOf(id), ["failing", "noSuccess"]);
      yield* responding({ status: 200 });
      yield* received;
      yield* pass(0.01);
      const [report] = yield* received;
      assert.deepInclude(report, { type: "webhook.failing" });
      assert.deepInclude(report.data, { subjectId: id });
      // Nothing waits for it, and enabled starts with the next event.
      yield* issue("While failing");
      yield* deliver;
      yield* hooks((service) => service.update(id, { status: "enabled" }));
      yield* issue("After");
      yield* deliver;
      assert.deepStrictEqual(
        (yield* received).map(({ data }) => data.issue.title),
        ["After"],
      );
      assert.deepStrictEqual(yield* statusOf(id), ["enabled", null]);
    }),
  );

  check(
    "[webhooks.one-failure] an event that fails holds no other back, and a success keeps the webhook enabled",
    Effect.gen(function* () {
      const { id } = yield* hook();
      const { id: bad } = yield* issue("Bad");
      const found = yield* script;
      found.respond = ({ body }) => Effect.succeed({ status: body.includes(bad) ? 500 : 204 });
      yield* deliver;
      for (const hours of waits) {
        yield* issue("Good");
        yield* pass(hours);
      }
      const rows = yield* states(id);
      assert.strictEqual(rows[0], "failed 10");
      assert.lengthOf(
        rows.filter((row) => row === "delivered 1"),
        9,
      );
      assert.deepStrictEqual(yield* statusOf(id), ["enabled", null]);
    }),
  );

  check(
    "[webhooks.retry-after] Retry-After wins if it is longer, up to a day",
    Effect.gen(function* () {
      const { id } = yield* hook();
      for (const [retryAfter, expected] of [
        ["3600", 3_600],
        ["1", 5],
        ["9999999", 86_400],
        ["Thu, 01 Jan 1970 01:00:00 GMT", 3_600],
        ["nonsense", 5],
      ] as const) {
        yield* responding({ status: 503, retryAfter });
        yield* issue();
        yield* deliver;
        const [row] = yield* deliveries(id);
        const wait = Timestamp.secondsBetween(row?.createdAt ?? "", row?.nextAttemptAt ?? "");
        assert.approximately(wait, expected, expected === 5 ? 0.5 : 0, retryAfter);
      }
    }),
  );

  check(
    "[webhooks.gone] 410 disables the webhook, and what waited is skipped",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* failing;
      yield* deliver;
      yield* responding({ status: 410 });
      yield* issue();
      yield* deliver;
      assert.deepStrictEqual(yield* statusOf(id), ["disabled", "gone"]);
      assert.deepStrictEqual(yield* states(id), ["skipped 1", "failed 1"]);
      yield* received;
      yield* pass(1);
      assert.deepStrictEqual(yield* received, []);
      const enabled = { status: "enabled" } as const;
      yield* hooks((service) => service.update(id, enabled));
      const { attempts, status } = yield* hooks((service) => service.test(id));
      assert.deepStrictEqual([status, attempts], ["failed", 1]);
      assert.deepStrictEqual(yield* statusOf(id), ["disabled", "gone"]);
    }),
  );

  check(
    "[webhooks.disabled] nothing is sent or queued while a webhook is disabled, and a replay gets it",
    Effect.gen(function* () {
      const { id } = yield* hook();
      const first = yield* issue("First");
      yield* hooks((service) => service.update(id, { status: "disabled" }));
      yield* issue("Second");
      yield* deliver;
      const late = hooks((service) => service.replay(id, { from: "1970-01-01T00:00:00Z" }));
      assert.match((yield* Effect.flip(late)).message, /disabled/);
      yield* hooks((service) => service.update(id, { status: "enabled" }));
      yield* deliver;
      assert.deepStrictEqual(yield* received, []);
      assert.deepStrictEqual(yield* late, { events: 2 });
      yield* deliver;
      assert.deepStrictEqual(
        (yield* received).map(({ data }) => data.issue.title),
        ["First", "Second"],
      );
      const events = yield* EventStore.EventStore;
      const [created] = yield* events.list(
        { projects: null, kinds: ["issue.created"] },
        { after: 0, until: 1_000, limit: 1 },
      );
      assert.strictEqual(created?.subjectId, first.id);
      const after = hooks((service) => service.replay(id, { after: created?.id ?? "" }));
      assert.deepStrictEqual(yield* after, { events: 1 });
      const unknown = hooks((service) => service.replay(id, { after: "evt_none" }));
      assert.match((yield* Effect.flip(unknown)).message, /not a retained event/);
      const none = hooks((service) => service.replay(id, {}));
      assert.match((yield* Effect.flip(none)).message, /exactly one/);
    }),
  );

  check(
    "[webhooks.replay] from is inclusive, and finds its place among many events",
    Effect.gen(function* () {
      const { id } = yield* hook();
      for (let count = 0; count < 20; count += 1) {
        yield* issue(`Issue ${count}`);
        yield* TestClock.adjust("1 hour");
      }
      yield* deliver;
      yield* received;
      const from = "1970-01-01T17:00:00.000Z";
      assert.deepStrictEqual(yield* hooks((service) => service.replay(id, { from })), {
        events: 3,
      });
      yield* deliver;
      assert.deepStrictEqual(
        (yield* received).map(({ data }) => data.issue.title),
        ["Issue 17", "Issue 18", "Issue 19"],
      );
    }),
  );

  check(
    "[webhooks.retry] a retry is due now with all attempts, and not while one is in flight",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* deliver;
      const [row] = yield* deliveries(id);
      const deliveryId = row?.id ?? "";
      const retry = hooks((service) => service.retry(id, deliveryId));
      assert.deepInclude(yield* retry, { status: "pending", attempts: 0, deliveredAt: null });
      yield* deliver;
      assert.deepStrictEqual(yield* kinds, ["issue.created", "issue.created"]);
      const found = yield* store;
      const stored = Option.getOrThrow(yield* found.delivery(deliveryId));
      const nextAttemptAt = "1970-01-01T00:01:00.000Z";
      const claimed = { ...stored, status: "pending", claim: "x", nextAttemptAt } as const;
      yield* Storage.transact(found.putDelivery(claimed));
      assert.strictEqual((yield* Effect.flip(retry))._tag, "DeliveryPending");
      const unknown = hooks((service) => service.retry(id, "dlv_none"));
      assert.strictEqual((yield* Effect.flip(unknown))._tag, "NotFound");
      const test = yield* hooks((service) => service.test(id));
      yield* hooks((service) => service.retry(id, test.id));
      yield* received;
      yield* deliver;
      assert.deepStrictEqual(yield* kinds, ["webhook.test"]);
    }),
  );

  check(
    "[webhooks.skipped] deliveries of deleted issues and of removed events are skipped",
    Effect.gen(function* () {
      const { id } = yield* hook({ kinds: ["issue.created", "issue.deleted"] });
      const { id: issueId } = yield* issue();
      yield* failing;
      yield* deliver;
      yield* Issues.Issues.use((issues) => issues.remove(issueId, { confirm: true }));
      yield* responding({ status: 200 });
      yield* received;
      yield* pass(1);
      assert.deepStrictEqual(yield* kinds, ["issue.deleted"]);
      const [deleted, skipped] = yield* deliveries(id);
      assert.deepInclude(deleted, { status: "delivered" });
      assert.deepInclude(skipped, { status: "skipped", lastError: "The issue was deleted." });
    }),
  );

  check(
    "[webhooks.retention] deliveries are retained for 14 days, and events while a delivery is pending",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* deliver;
      const day = TestClock.adjust("24 hours");
      yield* Effect.repeat(day, { times: 12 });
      const retention = Housekeeping.Housekeeping.use(({ once }) => once);
      yield* retention;
      assert.lengthOf(yield* deliveries(id), 1);
      yield* Effect.repeat(day, { times: 20 });
      yield* failing;
      yield* issue();
      yield* deliver;
      const found = yield* store;
      const oldest = Option.getOrThrow(yield* found.oldestPending);
      const log = yield* EventLog.EventLog;
      yield* Storage.transact(log.prune("1970-01-01T00:00:00.000Z"));
      const events = yield* EventStore.EventStore;
      const all = { projects: null, kinds: null };
      const [first] = yield* events.list(all, { after: 0, until: oldest, limit: 1 });
      assert.isDefined(first);
      yield* TestClock.adjust("1 hour");
      yield* retention;
      assert.lengthOf(yield* deliveries(id), 1);
    }),
  );
});
