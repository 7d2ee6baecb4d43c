import { assert } from "@effect/vitest";
import { type Issue, IssueStore, LinkStore, Transactor } from "@quartermaster/core";
import { Effect, Option, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";

const path = (from: { readonly id: string }, to: { readonly id: string }) =>
  LinkStore.LinkStore.use((links) => Effect.map(links.path(from.id, to.id), Option.getOrUndefined));

const issuesOf = (count: number) => Effect.replicateEffect(Fixtures.issue(), count);

/** Writes many rows in one transaction, which is faster if each transaction is a disk write. */
const atOnce = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Transactor.Transactor.use((transactor) => transactor.transact(change));

/**
 * The length of the shortest path from one issue to each issue that it blocks, directly or
 * indirectly.
 */
const distances = (
  from: string,
  edges: ReadonlyArray<readonly [source: string, target: string]>,
): ReadonlyMap<string, number> => {
  const found = new Map([[from, 0]]);
  for (const [id, distance] of found) {
    for (const [source, target] of edges) {
      if (source === id && !found.has(target)) {
        found.set(target, distance + 1);
      }
    }
  }
  return found;
};

const Node = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 }));

export const tests = (it: It<Storage>): void => {
  it.effect("follows only Blocks relations, from source to target", () =>
    Effect.gen(function* () {
      const a = yield* Fixtures.issue({ status: "Closed", projectId: "one" });
      const b = yield* Fixtures.issue({ status: "Resolved", projectId: "two" });
      const c = yield* Fixtures.issue();
      const d = yield* Fixtures.issue();
      yield* Fixtures.link(a, b);
      yield* Fixtures.link(b, c);
      yield* Fixtures.link(c, d, { relation: "RelatedTo" });
      yield* Fixtures.link(c, d, { relation: "DuplicateOf" });
      assert.deepStrictEqual(yield* path(a, b), ids([a, b]));
      assert.deepStrictEqual(yield* path(a, c), ids([a, b, c]));
      assert.isUndefined(yield* path(c, a));
      assert.isUndefined(yield* path(b, a));
      assert.isUndefined(yield* path(a, d));
      assert.isUndefined(yield* path(a, { id: "iss_unknown" }));
      assert.isUndefined(yield* path({ id: "iss_unknown" }, a));
    }),
  );

  it.effect("returns the shortest chain, whichever was created first", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = yield* Effect.all([
        Fixtures.issue(),
        Fixtures.issue(),
        Fixtures.issue(),
        Fixtures.issue(),
      ]);
      yield* Fixtures.link(a, b);
      yield* Fixtures.link(b, c);
      yield* Fixtures.link(c, d);
      assert.deepStrictEqual(yield* path(a, d), ids([a, b, c, d]));
      const short = yield* Fixtures.link(a, c);
      assert.deepStrictEqual(yield* path(a, d), ids([a, c, d]));
      const shortest = yield* Fixtures.link(a, d);
      assert.deepStrictEqual(yield* path(a, d), ids([a, d]));
      const links = yield* LinkStore.LinkStore;
      yield* transact(links.remove(shortest.id));
      yield* transact(links.remove(short.id));
      assert.deepStrictEqual(yield* path(a, d), ids([a, b, c, d]));
    }),
  );

  it.effect("an issue's removal breaks the chain", () =>
    Effect.gen(function* () {
      const [a, b, c] = yield* Effect.all([Fixtures.issue(), Fixtures.issue(), Fixtures.issue()]);
      yield* Fixtures.link(a, b);
      yield* Fixtures.link(b, c);
      yield* IssueStore.IssueStore.use((issues) => transact(issues.remove(b.id)));
      assert.isUndefined(yield* path(a, c));
    }),
  );

  it.effect(
    "finds a chain of 1,000",
    () =>
      Effect.gen(function* () {
        const chain = yield* atOnce(
          Effect.gen(function* () {
            const issues = yield* issuesOf(1_000);
            for (const [n, issue] of issues.entries()) {
              const next = issues[n + 1];
              if (next !== undefined) {
                yield* Fixtures.link(issue, next);
              }
            }
            return issues;
          }),
        );
        const [first, last] = [chain[0], chain.at(-1)];
        assert.isDefined(first);
        assert.isDefined(last);
        if (first !== undefined && last !== undefined) {
          assert.deepStrictEqual(yield* path(first, last), ids(chain));
          assert.isUndefined(yield* path(last, first));
        }
      }),
    60_000,
  );

  it.effect(
    "does not enumerate the paths through a mesh of 40 layers",
    () =>
      Effect.gen(function* () {
        const first = yield* Fixtures.issue();
        const last = yield* atOnce(
          Effect.gen(function* () {
            let layer: ReadonlyArray<Issue.IssueRow> = [first];
            for (let depth = 0; depth < 40; depth += 1) {
              const next = yield* issuesOf(3);
              for (const source of layer) {
                yield* Effect.forEach(next, (target) => Fixtures.link(source, target));
              }
              layer = next;
            }
            const end = yield* Fixtures.issue();
            yield* Effect.forEach(layer, (source) => Fixtures.link(source, end));
            return end;
          }),
        );
        const found = yield* path(first, last);
        assert.lengthOf(found ?? [], 42);
        assert.isUndefined(yield* path(last, first));
      }),
    60_000,
  );

  it.effect.prop(
    "is a shortest chain of links",
    {
      links: Schema.Array(Schema.Tuple([Node, Node])).check(Schema.isMaxLength(14)),
      from: Node,
    },
    ({ from, links }) =>
      Effect.gen(function* () {
        const issues = yield* issuesOf(8);
        const edges: Array<readonly [string, string]> = [];
        for (const [a, b] of links) {
          const [source, target] = [issues[Math.min(a, b)], issues[Math.max(a, b)]];
          if (a !== b && source !== undefined && target !== undefined) {
            // A storage may refuse a second link with the same ends and relation.
            if (edges.some(([s, t]) => s === source.id && t === target.id)) continue;
            yield* Fixtures.link(source, target);
            edges.push([source.id, target.id]);
          }
        }
        const start = issues[from];
        const lengths = distances(start?.id ?? "", edges);
        for (const to of issues.filter((issue) => issue !== start)) {
          const found = yield* path({ id: start?.id ?? "" }, to);
          assert.strictEqual(found?.length, (lengths.get(to.id) ?? Number.NaN) + 1 || undefined);
          const steps = (found ?? []).slice(1).map((id, n) => [found?.[n], id]);
          assert.isTrue(
            steps.every(([a, b]) => edges.some(([s, t]) => s === a && t === b)),
            "each blocks the next",
          );
          assert.strictEqual(found?.[0] ?? start?.id, start?.id);
          assert.strictEqual(found?.at(-1) ?? to.id, to.id);
        }
      }),
    { arbitrary: { runs: 30 } },
  );
};
