import { assert, describe } from "@effect/vitest";
import { Inbox, type InboxItem, Questions } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Clock, Effect } from "effect";
import { TestClock } from "effect/testing";
import { check, create, executing, finish, put, refusal } from "../support/World.ts";

type Request = Parameters<(typeof Inbox.Inbox)["Service"]["list"]>[0];

const page = (request: Request = {}) => Inbox.Inbox.use((inbox) => inbox.list(request));

/** The items as `kind title`. */
const shown = (request: Request = {}) =>
  Effect.map(page(request), ({ items }) => items.map(({ kind, title }) => `${kind} ${title}`));

const snooze = (items: (typeof InboxItem.InboxSnooze.Encoded)["items"], until: string | null) =>
  Inbox.Inbox.use((inbox) => inbox.snooze({ items, until }));

const inSeconds = (seconds: number) =>
  Effect.map(Clock.currentTimeMillis, (now) => new Date(now + seconds * 1_000).toISOString());

const ask = (issueId: string) =>
  Questions.Questions.use((questions) =>
    Effect.map(questions.ask(issueId, { prompt: "Which slates?" }), ({ question }) => question),
  );

const review = Effect.fnUntraced(function* (title: string, projectId?: string) {
  const { id } = yield* create({ title }, projectId);
  yield* put(id, { status: "PendingReview" });
  return { kind: "review", id } as const;
});

const asEve = Callers.as(Callers.user("eve"));

const day = 86_400;

describe("Inbox", () => {
  check(
    "[inbox.snooze] a snoozed item is hidden from its caller until the time",
    Effect.gen(function* () {
      const a = yield* review("a");
      yield* review("b");
      yield* ask(a.id);
      yield* snooze([a], yield* inSeconds(60));
      assert.deepStrictEqual(yield* shown(), ["review b", "question a"]);
      assert.lengthOf(yield* asEve(shown()), 3);
      yield* TestClock.adjust("59999 millis");
      assert.lengthOf(yield* shown(), 2);
      yield* TestClock.adjust("1 millis");
      assert.lengthOf(yield* shown(), 3);
    }),
  );

  check(
    "[inbox.snooze] a snooze is replaced by the next, and null ends it",
    Effect.gen(function* () {
      const a = yield* review("a");
      yield* snooze([a], yield* inSeconds(60));
      yield* snooze([a], yield* inSeconds(120));
      yield* TestClock.adjust("60 seconds");
      assert.deepStrictEqual(yield* shown(), []);
      yield* snooze([a], null);
      assert.deepStrictEqual(yield* shown(), ["review a"]);
    }),
  );

  check(
    "[inbox.snooze-key] an item of an issue is snoozed by the key of the issue",
    Effect.gen(function* () {
      yield* review("a");
      yield* review("b");
      const key = (yield* page()).items[0]?.issueKey ?? "";
      assert.match(key, /^PROJECT-\d+$/);
      const byKey = { kind: "review", id: key.toLowerCase() } as const;
      yield* snooze([byKey, { kind: "review", id: "PROJECT-999" }], yield* inSeconds(60));
      assert.deepStrictEqual(yield* shown(), ["review b"]);
      yield* snooze([byKey], null);
      assert.lengthOf(yield* shown(), 2);
    }),
  );

  check(
    "[inbox.snooze-ends] a snooze ends when the item's time changes",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing("bot");
      yield* finish(runId, "failed");
      const item = { kind: "failed", id: issue.id } as const;
      yield* snooze([item], yield* inSeconds(day));
      yield* TestClock.adjust("1 seconds");
      assert.deepStrictEqual(yield* shown(), []);
      yield* put(issue.id, { title: "Changed" });
      assert.deepStrictEqual(yield* shown(), ["failed Changed"]);
      yield* snooze([item], yield* inSeconds(day));
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.snooze-pages] pages are as long as requested while items between are snoozed",
    Effect.gen(function* () {
      const all = [];
      for (const title of ["a", "b", "c", "d", "e", "f", "g"]) {
        all.push(yield* review(title));
        yield* TestClock.adjust("1 seconds");
      }
      yield* snooze(
        all.filter((_, index) => index % 2 === 1),
        yield* inSeconds(day),
      );
      const first = yield* page({ limit: 3 });
      const second = yield* page({ limit: 3, cursor: first.next ?? undefined });
      assert.deepStrictEqual(
        [first, second].map(({ items }) => items.map(({ title }) => title)),
        [["a", "c", "e"], ["g"]],
      );
      assert.isNull(second.next);
      const back = yield* page({ limit: 4, order: "desc" });
      assert.deepStrictEqual(
        [back.items.map(({ title }) => title), back.next],
        [["g", "e", "c", "a"], null],
      );
    }),
  );

  check(
    "[inbox.snooze-invalid] a time that is over or more than 30 days away is refused",
    Effect.gen(function* () {
      const a = yield* review("a");
      for (const seconds of [-1, 0, 30 * day + 1]) {
        const { _tag } = yield* refusal(snooze([a], yield* inSeconds(seconds)));
        assert.strictEqual(_tag, "InvalidRequest", String(seconds));
      }
      assert.deepStrictEqual(yield* shown(), ["review a"]);
      yield* snooze([a], yield* inSeconds(30 * day));
      assert.deepStrictEqual(yield* shown(), []);
    }),
  );

  check(
    "[inbox.snooze-invalid] items that are gone, or that the caller may not see, are ignored",
    Effect.gen(function* () {
      const a = yield* review("a");
      const hidden = yield* review("hidden", "other");
      const asGuest = Callers.as({ ...Callers.user("guest"), projects: ["project"] });
      const until = yield* inSeconds(day);
      const none = { kind: "failed", id: "iss_none" } as const;
      const server = { kind: "toolsChanged", id: "mcp_none" } as const;
      yield* asGuest(snooze([none, server, hidden, a], until));
      assert.deepStrictEqual(yield* asGuest(shown()), []);
      const asViewer = Callers.as({ ...Callers.user("eve"), role: "Viewer" });
      const { _tag } = yield* refusal(asViewer(snooze([a], until)));
      assert.strictEqual(_tag, "Forbidden");
    }),
  );

  check(
    "[inbox.mine] items are the caller's by assignment, and questions also by creation",
    Effect.gen(function* () {
      const mine = yield* asEve(create({ title: "assigned", assigneeUserId: "eve" }));
      const made = yield* asEve(create({ title: "made" }));
      const others = yield* create({
        title: "other's",
        assigneeUserId: "zoe",
        assignedAgentId: "bot",
      });
      for (const { id } of [mine, made, others]) {
        yield* ask(id);
        yield* put(id, { status: "PendingReview" });
      }
      assert.sameMembers(yield* asEve(shown({ mine: true })), [
        "question assigned",
        "question made",
        "review assigned",
      ]);
      assert.lengthOf(yield* asEve(shown()), 6);
      assert.deepStrictEqual(yield* asEve(shown({ mine: true, kind: ["question"] })), [
        "question assigned",
        "question made",
      ]);
    }),
  );
});
