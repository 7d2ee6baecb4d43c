import { assert } from "@effect/vitest";
import { IssueStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";
import { check, type Made, make, plain, ranked, withPrefixes } from "./IssueRanking.ts";

/** Tests of searches for the words of keys. */

export const tests = (it: It<Storage>): void => {
  it.effect("[search.key-words] the words of keys are searched, after all other fields", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const prefixes = yield* withPrefixes(projectId, ["OLD", "NEW"]);
      const [old = "", prefix = ""] = prefixes;
      const texts: Readonly<Record<number, Partial<Made>>> = {
        3: { title: "slate 12", second: 1 },
        4: { title: prefix, labels: ["12 slates"] },
        5: { description: `${prefix} 1` },
        6: { comments: [`slate of ${old}`], second: 9 },
        12: { title: "slate" },
        13: { title: `${prefix} 12` },
      };
      const documents = yield* Effect.forEach(
        Array.from({ length: 25 }, (_, index) => index + 1),
        (number) => make(projectId, { ...plain, ...texts[number] }, prefixes),
      );
      yield* withPrefixes(`${projectId}x`, ["NEW"]);
      yield* make(`${projectId}x`, plain);
      const counts: Readonly<Record<string, number>> = {
        NE: 25,
        [prefix]: 25,
        [`${prefix.slice(0, -1)}-`]: 25,
        [old.toLowerCase()]: 25,
        N: 0,
        NW: 0,
        // 4 has no other word, and neither has 13.
        [`${prefix} 1`]: 2,
        [`${prefix}-12`]: 4,
        [`12 ${prefix}`]: 4,
        "#12": 4,
        12: 4,
        20: 1,
        26: 0,
        [`slate ${prefix}`]: 3,
        [`slate ${prefix.slice(0, 4)}`]: 3,
        [`${prefix.slice(0, 4)} slate`]: 0,
        [`${prefix} sla`]: 4,
        [`${prefix} ${old}`]: 25,
        "slate 12": 2,
        [`slate 12 ${old}`]: 2,
        [`x ${prefix} 2`]: 1,
        "02": 0,
      };
      for (const [q, count] of Object.entries(counts)) {
        assert.strictEqual(yield* check(projectId, documents, q), count, q);
      }
      // A moved issue has the key of its project only.
      const issues = yield* IssueStore.IssueStore;
      const target = `${projectId}y`;
      const [moved] = yield* withPrefixes(target, ["TO"]);
      const first = documents[0]?.issue ?? assert.fail("no issue");
      const row = { id: target, prefix: moved ?? "", name: null, description: null };
      yield* transact(issues.relocate(first, row));
      assert.deepStrictEqual(
        (yield* ranked(target, `${moved} 1`)).map(({ id }) => id),
        [first.id],
      );
      assert.deepStrictEqual(yield* ranked(target, prefix), []);
      assert.lengthOf(yield* ranked(projectId, prefix), 24);
      assert.deepStrictEqual(yield* ranked(projectId, `${prefix} 1`), [
        { id: documents[4]?.issue.id ?? "", updatedAt: Fixtures.at(5), tier: 2 },
      ]);
    }),
  );

  it.effect(
    "[search.key-words] two digits are a prefix of a number, also of one in a comment",
    () =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const documents = yield* Effect.forEach(
          Array.from({ length: 103 }, (_, index) => index + 1),
          (number) => make(projectId, { ...plain, comments: number === 102 ? ["102"] : [] }),
        );
        assert.strictEqual(yield* check(projectId, documents, "10"), 5);
        assert.strictEqual(yield* check(projectId, documents, "102"), 1);
        assert.strictEqual(yield* check(projectId, documents, "1"), 1);
      }),
  );

  it.effect("[search.key-words] a key has words that the comments of a long issue lack", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const prefixes = yield* withPrefixes(projectId, ["LONG"]);
      const [prefix = ""] = prefixes;
      const filler = "lorem ipsum dolor ".repeat(3_600);
      const comments = ["alpha", "beta", "gamma"].map((word) => `${word} ${filler}`);
      const documents = yield* Effect.forEach(
        [
          { ...plain, comments },
          { ...plain, title: "alpha", comments: ["gamma"] },
          { ...plain, comments: comments.slice(0, 2) },
        ],
        (made) => make(projectId, made, prefixes),
      );
      const counts: Readonly<Record<string, number>> = {
        "alpha gamma": 2,
        [`alpha gamma ${prefix}`]: 2,
        [`beta ${prefix.slice(0, 3)}`]: 2,
        "gamma beta 1": 1,
        "gamma 2": 1,
        [`${prefix} gam`]: 2,
        "beta 2": 0,
      };
      for (const [q, count] of Object.entries(counts)) {
        assert.strictEqual(yield* check(projectId, documents, q), count, q);
      }
    }),
  );
};
