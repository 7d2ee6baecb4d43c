import { assert, describe, it } from "@effect/vitest";
import { EventStore, Issues, Runs } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import type { Storage } from "../Storage.ts";
import * as TestCore from "../TestCore.ts";
import { as, user } from "./Callers.ts";
import { agentCount, type Command, programs } from "./Command.ts";
import * as Invariants from "./Invariants.ts";
import * as Model from "./Model.ts";
import { view } from "./ModelView.ts";
import { agentId, Names, seconds, viewIssue } from "./Names.ts";
import { predict, requestOf } from "./Request.ts";
import * as Subject from "./Subject.ts";

const agentIds = Array.from({ length: agentCount }, (_, n) => agentId(n));

/** The visible state of the service, in the form of `ModelView.view`. */
const observe = Effect.fnUntraced(function* (names: Names, model: Model.Model) {
  const issues = yield* Issues.Issues;
  const runs = yield* Runs.Runs;
  const listed = yield* Invariants.everything((request) => issues.list(Subject.projectId, request));
  const readiness = yield* Effect.forEach(listed, ({ id }) => issues.readiness(id));
  const perAgent = yield* Effect.forEach([...model.agents.keys()], (agent) =>
    Invariants.everything((request) => runs.list(agentId(agent), request)),
  );
  return {
    issues: listed.map((issue) => viewIssue(names, issue)),
    readiness: readiness.map(({ ready, reasons }) => ({
      ready,
      codes: reasons.map(({ code }) => code),
    })),
    runs: perAgent.map((found) =>
      found.map((run) => ({
        n: names.runs.indexOf(run.id),
        issue: names.issues.indexOf(run.issueId),
        status: run.status,
        leaseUntil: seconds(run.leaseExpiresAt),
        attempt: run.attempt,
        reason: run.stopReason,
      })),
    ),
  };
});

/** The status changes in events after `after`. */
const movesSince = Effect.fnUntraced(function* (names: Names, after: number) {
  const events = yield* EventStore.EventStore;
  const until = yield* events.lastSeq;
  const rows = yield* events.list(
    { projects: null, kinds: ["issue.statusChanged"] },
    { after, until, limit: 1_000 },
  );
  const moves = rows.map(({ data, subjectId }) => ({
    issue: names.issues.indexOf(subjectId),
    from: data["from"],
    to: data["to"],
  }));
  return { moves, until };
});

const byIssue = <A extends { readonly issue: number }>(moves: ReadonlyArray<A>) =>
  moves.toSorted((a, b) => a.issue - b.issue);

const run = Effect.fnUntraced(
  function* (program: ReadonlyArray<Command>) {
    const model = Model.make();
    const names = new Names();
    const subject = yield* Subject.make(names);
    let seen = 0;
    for (const command of program) {
      if (command._tag === "wait") {
        model.now += command.seconds;
        yield* TestClock.adjust(command.seconds * 1_000);
        continue;
      }
      const request = requestOf(model, command);
      const what = JSON.stringify(request);
      const expected = predict(model, request);
      assert.deepStrictEqual<unknown>(yield* subject(request), expected, `answer to ${what}`);
      assert.deepStrictEqual<unknown>(yield* observe(names, model), view(model), `after ${what}`);
      const { moves, until } = yield* movesSince(names, seen);
      assert.deepStrictEqual<unknown>(byIssue(moves), byIssue(model.moves), `moves of ${what}`);
      seen = until;
    }
    yield* Invariants.check(Subject.projectId, agentIds);
  },
  as(user("observer")),
);

export interface Options {
  /** The seed of the commands. Without it, every run of the suite is different. */
  readonly seed?: string | number | undefined;
  /** The token that a failure printed. Repeats only that failure. */
  readonly replay?: string | undefined;
  /** The number of sequences of commands. */
  readonly runs: number;
  /** The approximate number of commands per sequence. */
  readonly steps: number;
}

/**
 * Compares the service with the model: runs random commands, and checks that response and state are
 * equal after each. A failure is shrunk to few commands and prints its replay token. Each sequence
 * builds the storage, which must be empty.
 */
export const suite = <E>(
  name: string,
  storage: Layer.Layer<Storage, E>,
  { runs, steps, ...draw }: Options,
): void => {
  describe(`Model of ${name}`, () => {
    it.effect.prop(
      "[model.equivalence] the service does what the model says",
      [programs(steps)],
      ([program]) =>
        Effect.provide(run(program), TestCore.layerWith({ storage: Layer.fresh(storage) })),
      { timeout: 600_000, arbitrary: { runs, size: 2 * steps, maxShrinks: 2_000, ...draw } },
    );
  });
};
