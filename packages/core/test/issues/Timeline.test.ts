import { assert, describe } from "@effect/vitest";
import {
  Activity,
  Attachments,
  Comments,
  EffectStore,
  EventLog,
  IssueEffects,
  Issues,
  Links,
  Questions,
  type Principal,
  Transactor,
} from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Stream } from "effect";
import { TestClock } from "effect/testing";
import {
  check,
  create,
  executing,
  finish,
  get,
  heartbeat,
  inStatus,
  link,
  put,
  type Services,
  turn,
  waiting,
} from "../support/World.ts";

type Step<A = unknown> = Effect.Effect<A, unknown, Services | Principal.CurrentPrincipal>;

const close = (id: string) => Issues.Issues.use((issues) => issues.close(id));
const pause = (id: string) => Issues.Issues.use((issues) => issues.pause(id));
const resume = (id: string) => Issues.Issues.use((issues) => issues.resume(id));

/** The data of the issue's last `statusChanged` entry. */
const lastMove = Effect.fnUntraced(function* (id: string) {
  const { items } = yield* Issues.Issues.use((issues) => issues.activity(id, { limit: 500 }));
  return items.findLast(({ kind }) => kind === "statusChanged")?.data;
});

/** For each cause, calls that produce it. Each returns the id of the issue whose status changed. */
const causes: Record<Activity.StatusCause, Step<string>> = {
  update: Effect.map(inStatus("PendingReview"), ({ id }) => id),
  close: Effect.tap(
    Effect.map(create(), ({ id }) => id),
    close,
  ),
  pause: Effect.tap(
    Effect.map(executing(), ({ issue }) => issue.id),
    pause,
  ),
  resume: Effect.gen(function* () {
    const { issue, runId } = yield* executing();
    yield* pause(issue.id);
    yield* turn(runId);
    yield* resume(issue.id);
    return issue.id;
  }),
  linked: Effect.gen(function* () {
    const [issue, blocker] = [yield* create(), yield* create()];
    yield* link(issue.id, "BlockedBy", blocker.id);
    return issue.id;
  }),
  unlinked: Effect.gen(function* () {
    const { issue } = yield* waiting();
    yield* Links.Links.use((links) => links.remove(issue.links[0]?.id ?? ""));
    return issue.id;
  }),
  blockerResolved: Effect.gen(function* () {
    const { blocker, issue } = yield* waiting();
    yield* put(blocker.id, { status: "Resolved" });
    return issue.id;
  }),
  blockerClosed: Effect.gen(function* () {
    const { blocker, issue } = yield* waiting();
    yield* Issues.Issues.use((issues) => issues.close(blocker.id, { force: true }));
    return issue.id;
  }),
  blockerDeleted: Effect.gen(function* () {
    const { blocker, issue } = yield* waiting();
    yield* Issues.Issues.use((issues) => issues.remove(blocker.id, { confirm: true }));
    return issue.id;
  }),
  blockerReopened: Effect.gen(function* () {
    const { blocker, issue } = yield* waiting();
    yield* put(blocker.id, { status: "Resolved" });
    yield* put(blocker.id, { status: "Open" });
    return issue.id;
  }),
  pickedUp: Effect.map(executing(), ({ issue }) => issue.id),
  finished: Effect.gen(function* () {
    const { issue, runId } = yield* executing();
    yield* finish(runId, "review");
    return issue.id;
  }),
};

describe("The timeline", () => {
  check(
    "[activity.kinds] the timeline has every kind of change once, and each emits an event",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const attachments = yield* Attachments.Attachments;
      const told = yield* EventLog.EventLog.use((log) => log.subscribe());
      const { id } = yield* create({ assignedAgentId: "bot" });
      yield* put(id, { title: "Mend the whole roof" });
      yield* put(id, { notBefore: "1970-01-01T00:00:00Z" });
      yield* Comments.Comments.use(({ create, remove, update }) =>
        Effect.gen(function* () {
          const comment = yield* create(id, { content: "Soon", authorType: "User" });
          yield* update(id, comment.id, { content: "Later" });
          yield* remove(id, comment.id);
        }),
      );
      const file = yield* attachments.upload(id, {
        fileName: "a.txt",
        contentType: "text/plain",
        bytes: Stream.make(new Uint8Array([1])),
      });
      yield* attachments.remove(file.id);
      const other = yield* create();
      const related = yield* link(id, "RelatedTo", other.id);
      yield* Links.Links.use((links) => links.remove(related.id));
      const [first] = (yield* heartbeat("bot")).started;
      yield* pause(id);
      yield* turn(first?.runId ?? "");
      yield* resume(id);
      yield* heartbeat("bot", { leaseSeconds: 5 });
      yield* TestClock.adjust("6 seconds");
      const [third] = (yield* heartbeat("bot")).started;
      yield* finish(third?.runId ?? "", "review");
      const questions = yield* Questions.Questions;
      const ask = Effect.map(
        questions.ask(id, { prompt: "Which slates?", expiresInSeconds: 60 }),
        ({ question }) => question.id,
      );
      yield* questions.answer(yield* ask, { answer: "The blue ones" });
      yield* questions.withdraw(yield* ask);
      yield* ask;
      yield* TestClock.adjust("1 minute");
      yield* questions.expireDue;

      const effect = yield* Fixtures.effectSlot({ issueId: id, state: "unknown" });
      yield* Transactor.Transactor.use(({ transact }) =>
        EffectStore.EffectStore.use((store) => transact(store.insert(effect))),
      );
      const settlement = { happened: true, note: "Seen" };
      yield* IssueEffects.IssueEffects.use((effects) =>
        Effect.andThen(effects.settle(id, effect.callId, settlement), effects.reset(id)),
      );

      const { items } = yield* issues.activity(id, { limit: 500 });
      const kinds = items.map(({ kind }) => kind);
      const times = (kind: Activity.ActivityKind) => kinds.filter((one) => one === kind).length;
      const expected = { pickedUp: 3, statusChanged: 4, asked: 3, commented: 2 } as const;
      for (const kind of Activity.ActivityKind.literals) {
        assert.strictEqual(times(kind), (expected as Record<string, number>)[kind] ?? 1, kind);
      }
      const events = yield* Stream.runCollect(
        Stream.take(
          Stream.filter(told, ({ subjectId }) => subjectId === id),
          items.length,
        ),
      );
      assert.deepStrictEqual(
        events.map((event) => [event.id, event.kind, event.data]),
        items.map((item) => [item.id, `issue.${item.kind}`, item.data]),
      );
    }),
  );

  for (const [cause, step] of Object.entries(causes)) {
    check(
      `[activity.kinds] a change of status has from, to and the cause ${cause}`,
      Effect.gen(function* () {
        const id = yield* step;
        const move = yield* lastMove(id);
        assert.deepInclude(move, { to: (yield* get(id)).status, cause });
        assert.isString(move?.["from"]);
        assert.notStrictEqual(move?.["from"], move?.["to"]);
      }),
    );
  }
});
