import { assert, describe, it, type Vitest } from "@effect/vitest";
import { Issues, Links, Runs } from "@quartermaster/core";
import { Effect, Layer, Random, Result } from "effect";
import type { Storage } from "../Storage.ts";
import * as TestCore from "../TestCore.ts";
import { as, user } from "./Callers.ts";
import { agentIds, caller, projectId } from "./Hammer.ts";
import * as Invariants from "./Invariants.ts";

const alice = as(user("alice"));

const create = (assignedAgentId: string | null = null) =>
  Issues.Issues.use((issues) => issues.create(projectId, { title: "An issue", assignedAgentId }));

const createMany = (count: number, agentId?: string) =>
  Effect.forEach(Array.from({ length: count }), () => create(agentId));

const all = { concurrency: "unbounded" } as const;

export interface Options {
  /** The seed of the callers' actions. The storage still decides the order of concurrent calls. */
  readonly seed?: string | number | undefined;
  readonly callers: number;
  /** The number of calls per caller, made in sequence. */
  readonly steps: number;
}

/** The guarantees of a storage under many concurrent callers. Each test builds an empty storage. */
export const suite = <E>(
  name: string,
  storage: Layer.Layer<Storage, E>,
  { seed = 1, callers, steps }: Options,
): void => {
  const core = TestCore.layerWith({ storage: Layer.fresh(storage) });
  const check = <A, F>(
    title: string,
    body: Effect.Effect<A, F, Layer.Success<typeof core> | Issues.Issues>,
  ) => {
    const test: Vitest.TestFunction<A, unknown, never, []> = () =>
      body.pipe(Effect.provide(core), Random.withSeed(String(seed)));
    return it.effect(title, test, 300_000);
  };

  describe(`Many callers over ${name}`, () => {
    check(
      "[hammer.invariants] random calls leave every invariant true",
      Effect.gen(function* () {
        const issues = yield* Effect.forEach(agentIds, (agentId) => createMany(6, agentId));
        const ids = issues.flat().map(({ id }) => id);
        const busy = Effect.forEach(Array.from({ length: callers }), () => caller(ids, steps), all);
        const gaveUp = (yield* busy).reduce((sum, each) => sum + each, 0);
        assert.isAtMost(gaveUp, (callers * steps) / 20, "calls that the storage gave up");
        const left = yield* Invariants.check(projectId, agentIds);
        assert.lengthOf(left, ids.length);
      }).pipe(alice),
    );

    check(
      "[hammer.if-match] of many who demand the same version one wins; no update is lost",
      Effect.gen(function* () {
        const issues = yield* Issues.Issues;
        const { id } = yield* create();
        let version = 1;
        for (let round = 0; round < 5; round++) {
          const answers = yield* Effect.forEach(
            Array.from({ length: callers }, (_, n) => `Title ${round}.${n}`),
            (title) => Effect.result(issues.update(id, { title }, { ifMatch: [version] })),
            all,
          );
          const won = answers.filter(Result.isSuccess);
          assert.lengthOf(won, 1);
          version += 1;
          assert.deepInclude(won[0]?.success, yield* issues.get(id));
        }
        const each = Array.from({ length: callers }, (_, n) => n);
        yield* Effect.forEach(each, (n) => issues.update(id, { title: `Last ${n}` }), all);
        assert.strictEqual((yield* issues.get(id)).version, version + callers);
      }).pipe(alice),
    );

    check(
      "[hammer.cycle] links that race to close a cycle: one is refused",
      Effect.gen(function* () {
        const links = yield* Links.Links;
        for (let round = 0; round < callers; round++) {
          const ids = (yield* createMany(2 + (round % 4))).map(({ id }) => id);
          const answers = yield* Effect.forEach(
            ids,
            (id, n) => {
              const targetIssueId = ids[(n + 1) % ids.length] ?? "";
              return Effect.result(links.create(id, { linkType: "Blocks", targetIssueId }));
            },
            all,
          );
          const refused = answers.filter(Result.isFailure).map(({ failure }) => failure._tag);
          assert.deepStrictEqual(refused, ["DependencyCycle"]);
        }
        yield* Invariants.check(projectId, agentIds);
      }).pipe(alice),
    );

    check(
      "[hammer.link-exists] the same link made by many from both ends stands once",
      Effect.gen(function* () {
        const links = yield* Links.Links;
        const [one, other] = [yield* create(), yield* create()];
        const made = yield* Effect.forEach(
          Array.from({ length: callers }, (_, n) => n % 2 === 0),
          (outward) =>
            Effect.result(
              outward
                ? links.create(one.id, { linkType: "Blocks", targetIssueId: other.id })
                : links.create(other.id, { linkType: "BlockedBy", targetIssueId: one.id }),
            ),
          all,
        );
        assert.lengthOf(made.filter(Result.isSuccess), 1);
        assert.lengthOf((yield* links.list(one.id)).items, 1);
      }).pipe(alice),
    );

    check(
      "[hammer.claim] racing heartbeats give each issue one run",
      Effect.gen(function* () {
        const runs = yield* Runs.Runs;
        const [agentId = ""] = agentIds;
        const ids = (yield* createMany(10, agentId)).map(({ id }) => id);
        const answers = yield* Effect.forEach(
          Array.from({ length: callers }),
          () => runs.heartbeat(agentId, { capacity: 3 }),
          all,
        );
        const started = answers.flatMap((answer) => answer.started.map(({ issue }) => issue.id));
        assert.sameMembers(started, ids);
        yield* Invariants.check(projectId, agentIds);
      }).pipe(alice),
    );

    check(
      "[hammer.resolve-or-link] an issue is never left waiting for what is done",
      Effect.gen(function* () {
        const [issues, links] = [yield* Issues.Issues, yield* Links.Links];
        for (let round = 0; round < callers; round++) {
          const [blocker, issue] = [yield* create(), yield* create()];
          const wait = links.create(issue.id, {
            linkType: "BlockedBy",
            targetIssueId: blocker.id,
          });
          const resolve = issues.update(blocker.id, { status: "Resolved" });
          yield* Effect.all(round % 2 === 0 ? [wait, resolve] : [resolve, wait], all);
          assert.strictEqual((yield* issues.get(issue.id)).status, "Open");
        }
      }).pipe(alice),
    );
  });
};
