import { assert, describe, it } from "@effect/vitest";
import {
  Comments,
  EffectStore,
  IssueEffects,
  Issues,
  type Principal,
  Questions,
  Runs,
  RunStore,
  Transactor,
  Workers,
} from "@quartermaster/core";
import { Callers, Fixtures, MemoryStorage, TestCore } from "@quartermaster/testing";
import { Effect } from "effect";
import {
  alice,
  create,
  executing,
  heartbeat,
  link,
  put,
  type Services,
  waiting,
} from "./support/World.ts";

/** A test over storage that lets a change die that locks rows in another order than `Transactor` says. */
const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void =>
  it.effect(name, () =>
    body.pipe(
      Callers.as(alice),
      Effect.provide(TestCore.layerWith({ storage: MemoryStorage.layerRerun })),
    ),
  );

const remove = (id: string) => Issues.Issues.use((issues) => issues.remove(id, { confirm: true }));

const ask = (id: string) =>
  Effect.map(
    Questions.Questions.use((questions) => questions.ask(id, { prompt: "Which?" })),
    ({ question }) => question.id,
  );

describe("A change locks an issue before its rows, and a blocker before its dependents", () => {
  check(
    "the storage of these tests refuses a change that locks a run before its issue",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      const runs = yield* RunStore.RunStore;
      const { transact } = yield* Transactor.Transactor;
      const comments = yield* Comments.Comments;
      const change = Effect.gen(function* () {
        yield* runs.update([yield* Effect.flatMap(runs.get(runId), Effect.fromOption)]);
        yield* comments.create(issue.id, { content: "Late" });
      });
      const exit = yield* Effect.exit(transact(change));
      assert.include(String(exit), "after its run");
    }),
  );

  check("a claim", executing());

  check(
    "the deletion of an issue with a run",
    Effect.flatMap(executing(), ({ issue }) => remove(issue.id)),
  );

  check(
    "the deletion of a blocker",
    Effect.flatMap(waiting(), ({ blocker }) => remove(blocker.id)),
  );

  check(
    "the deletion of an issue with a question and a link",
    Effect.gen(function* () {
      const [issue, other] = [yield* create(), yield* create()];
      yield* link(other.id, "RelatedTo", issue.id);
      yield* ask(issue.id);
      yield* remove(issue.id);
    }),
  );

  check(
    "a turn of a run that has to stop, with a note",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* Issues.Issues.use((issues) => issues.pause(issue.id));
      const runs = yield* Runs.Runs;
      const { action } = yield* runs.turn("bot", runId, { note: "I stop" });
      assert.strictEqual(action, "stop");
      const run = yield* RunStore.RunStore.use((store) =>
        Effect.flatMap(store.get(runId), Effect.fromOption),
      );
      assert.strictEqual(run.note, "I stop");
    }),
  );

  check(
    "a takeover",
    Effect.gen(function* () {
      const worker = { id: "worker", runId: null, isShared: false };
      const { runId } = yield* executing();
      const workers = yield* Workers.Workers;
      yield* workers.turn("bot", worker, runId);
      const { run } = yield* workers.takeOver("bot", worker, runId);
      assert.isNotNull(run);
    }),
  );

  check(
    "a finish whose issue blocks another",
    Effect.gen(function* () {
      const { issue, runId } = yield* executing();
      yield* create({ blockedByIssueId: issue.id });
      yield* Runs.Runs.use((runs) => runs.finish("bot", runId, { outcome: "resolved" }));
    }),
  );

  check(
    "a resolve of an issue with a run, a question and a dependent",
    Effect.gen(function* () {
      const { issue } = yield* executing();
      yield* create({ blockedByIssueId: issue.id });
      yield* ask(issue.id);
      yield* put(issue.id, { status: "Resolved" });
    }),
  );

  check(
    "an answer, and a withdrawal of a question",
    Effect.gen(function* () {
      const issue = yield* create();
      const questions = yield* Questions.Questions;
      yield* questions.answer(yield* ask(issue.id), { answer: "This" });
      yield* questions.withdraw(yield* ask(issue.id));
    }),
  );

  check(
    "a settlement and a reset of effects",
    Effect.gen(function* () {
      const issue = yield* create();
      const effects = yield* EffectStore.EffectStore;
      const { transact } = yield* Transactor.Transactor;
      const slot = yield* Fixtures.effectSlot({ issueId: issue.id, state: "unknown" });
      yield* transact(effects.insert(slot));
      const service = yield* IssueEffects.IssueEffects;
      yield* service.settle(issue.id, slot.callId, { happened: true, note: "It is paid" });
      yield* service.reset(issue.id);
    }),
  );

  check(
    "a heartbeat that ends one run, renews another and claims an issue",
    Effect.gen(function* () {
      yield* executing("bot", { title: "First" });
      const { runId } = yield* executing("bot", { title: "Second" });
      yield* create({ assignedAgentId: "bot" });
      yield* heartbeat("bot", { runs: [{ runId, note: "Half" }], capacity: 5 });
    }),
  );
});
