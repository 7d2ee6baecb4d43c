import { assert } from "@effect/vitest";
import { ActivityStore, Issues, Questions, QuestionStore, Runs } from "@quartermaster/core";
import { Effect, Result } from "effect";
import { TestClock } from "effect/testing";
import * as Callers from "../model/Callers.ts";
import { everything } from "../Suite.ts";
import { create, type Race } from "./World.ts";

/** Races over questions. */

type Input = Parameters<(typeof Questions.Questions)["Service"]["ask"]>[1];

const ask = (issueId: string, input: Partial<Input> = {}) =>
  Questions.Questions.use((questions) =>
    questions.ask(issueId, { prompt: "Which one?", ...input }),
  );

const answer = (questionId: string, text: string) =>
  Questions.Questions.use((questions) => questions.answer(questionId, { answer: text }));

const resolve = (issueId: string) =>
  Issues.Issues.use((issues) => issues.update(issueId, { status: "Resolved" }));

const open = (issueId: string) =>
  QuestionStore.QuestionStore.use((questions) => questions.open(issueId));

/** Counts the timeline entries of each kind. */
const times = (issueId: string, ...kinds: ReadonlyArray<string>) =>
  ActivityStore.ActivityStore.use((activities) =>
    Effect.map(activities.list(issueId, null, everything), (entries) =>
      kinds.map((kind) => entries.filter((entry) => entry.kind === kind).length),
    ),
  );

const successes = (results: ReadonlyArray<Result.Result<unknown, unknown>>): number =>
  results.filter(Result.isSuccess).length;

export const races: ReadonlyArray<Race> = [
  {
    name: "of two answers to a question one counts",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id } = yield* run(create(world));
      const { question } = yield* run(ask(id));
      const bob = Callers.as(Callers.user("bob"));
      const results = yield* world.both(
        answer(question.id, "this"),
        bob(answer(question.id, "that")),
      );
      assert.strictEqual(successes(results), 1);
      assert.deepStrictEqual(yield* run(times(id, "answered", "commented")), [1, 1]);
    }),
  },
  {
    name: "an answer and a resolve close a question once",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id } = yield* run(create(world));
      const { question } = yield* run(ask(id));
      const [answered, resolved] = yield* world.both(answer(question.id, "this"), resolve(id));
      assert.isTrue(Result.isSuccess(resolved));
      const isAnswered = Number(Result.isSuccess(answered));
      assert.deepStrictEqual(yield* run(times(id, "answered", "questionWithdrawn")), [
        isAnswered,
        1 - isAnswered,
      ]);
    }),
  },
  {
    name: "a resolved issue has no open question",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id } = yield* run(create(world));
      yield* world.both(ask(id), resolve(id));
      assert.deepStrictEqual(yield* run(open(id)), []);
    }),
  },
  {
    name: "a key asks one question at a time",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id } = yield* run(create(world));
      yield* world.both(ask(id, { key: "which" }), ask(id, { key: "which" }));
      assert.lengthOf(yield* run(open(id)), 1);
    }),
  },
  {
    name: "an expiry is recorded once, by an answer or by housekeeping",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const { id } = yield* run(create(world));
      const { question } = yield* run(ask(id, { expiresInSeconds: 60, onExpiry: "pause" }));
      yield* TestClock.adjust("1 minute");
      const expire = Questions.Questions.use((questions) => questions.expireDue);
      const [late] = yield* world.both(answer(question.id, "this"), expire);
      assert.isTrue(Result.isFailure(late));
      assert.deepStrictEqual(yield* run(times(id, "questionExpired", "paused")), [1, 1]);
    }),
  },
  {
    name: "an expiry is recorded once, by a turn or by housekeeping",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, run } = world;
      const { id } = yield* run(create(world, { assignedAgentId: agentId }));
      const { started } = yield* run(Runs.Runs.use((runs) => runs.heartbeat(agentId)));
      yield* run(ask(id, { expiresInSeconds: 60, onExpiry: "pause" }));
      yield* TestClock.adjust("1 minute");
      const turn = Runs.Runs.use((runs) => runs.turn(agentId, started[0]?.runId ?? ""));
      const expire = Questions.Questions.use((questions) => questions.expireDue);
      yield* world.both(turn, expire);
      assert.deepStrictEqual(yield* run(times(id, "questionExpired", "paused")), [1, 1]);
    }),
  },
];
