import { assert } from "@effect/vitest";
import { type Issue, IssueStore, Matching, ProjectStore, Transactor } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "./Fixtures.ts";

/** Searches over several blocks of an index of words, beside a scan of all texts. */

const blockSize = 65_536;

/** Eleven words with a common start, which are too many for one block, and some others. */
const words = [..."abcdefghijk"].map((end) => `pre${end}`).concat("pre", "roof", "tile", "tiles");

const prefix = "ROOFER";

const textOf = (seed: number, length: number) =>
  Array.from({ length }, (_, n) => words[(seed * 7 + n * n * 5 + seed * n) % words.length]);

const textsOf = (issue: Issue.IssueRow): Matching.Texts => ({
  title: [issue.title],
  labels: issue.labels,
  description: issue.description === null ? [] : [issue.description],
  files: [],
  comments: [],
  key: Matching.keyOf(issue.number, [prefix]),
});

/** Creates issues in four blocks. `jump` lets the next issue have a `seq` after this one. */
export const make = Effect.fnUntraced(function* <E, R>(
  projectId: string,
  jump: (seq: number) => Effect.Effect<unknown, E, R>,
) {
  const { transact } = yield* Transactor.Transactor;
  const made: Array<Issue.IssueRow> = [];
  for (let block = 0; block < 4; block++) {
    const rows = Effect.forEach(Array.from({ length: 30 }), (_, n) =>
      Fixtures.issue({
        projectId,
        title: textOf(n + block * 11, n % 3).join(" "),
        labels: [...new Set(textOf(n * 3 + block, n % 2))].map(String),
        description: textOf(n * 5 + block, block % 2 === 0 ? 3 : 0).join(" "),
        updatedAt: Fixtures.at(n % 4),
      }),
    );
    made.push(...(yield* transact(rows)));
    yield* transact(jump((block + 1) * blockSize));
  }
  return made;
});

export const search = (projectId: string, q: string, order: "asc" | "desc" = "desc") =>
  IssueStore.IssueStore.use((issues) =>
    issues.search(
      { projects: [projectId], words: Matching.wordsOf(q), sort: "relevance" },
      { limit: 500, order, after: null },
    ),
  );

/** The ids of the issues that have all words, best tier and newest first. */
const scan = (issues: ReadonlyArray<Issue.IssueRow>, q: string) =>
  issues
    .map((issue) => [issue, Matching.tierOf(textsOf(issue), Matching.wordsOf(q))] as const)
    .filter(([, tier]) => tier !== undefined)
    .toSorted(
      ([a, one = 0], [b, other = 0]) =>
        one - other ||
        (a.updatedAt === b.updatedAt
          ? Number(a.id < b.id) - Number(a.id > b.id)
          : Number(a.updatedAt < b.updatedAt) - Number(a.updatedAt > b.updatedAt)),
    )
    .map(([{ id }, tier]) => [id, tier]);

/** Asserts that searches in both orders find what a scan finds: all searches, or one in `of`. */
export const check = Effect.fnUntraced(function* <E, R>(
  jump: (seq: number) => Effect.Effect<unknown, E, R>,
  of = 1,
) {
  const projectId = yield* Fixtures.id("project");
  const { transact } = yield* Transactor.Transactor;
  const { put } = yield* ProjectStore.ProjectStore;
  yield* transact(put({ id: projectId, prefix, name: null, description: null }));
  const made = yield* make(projectId, jump);
  assert.lengthOf(new Set(made.map(({ seq }) => Math.floor(seq / blockSize))), 4);
  const queries = [...words, "roofer", "ro", "11", "7"].flatMap((word) => [
    word,
    ...["roof", "tile", "pre", "prea", "ti", "tile roof", "pre pre", "roofe", "10"].flatMap(
      (other) => [`${word} ${other}`, `${other} ${word}`],
    ),
  ]);
  let hitCount = 0;
  for (const q of [...new Set(queries)].filter((_, index) => index % of === 0)) {
    const expected = scan(made, q);
    for (const order of ["desc", "asc"] as const) {
      const { hits } = yield* search(projectId, q, order);
      const found = hits.map(({ issue, tier }) => [issue.id, tier]);
      assert.deepStrictEqual(found, order === "asc" ? expected.toReversed() : expected, q);
      hitCount += hits.length;
    }
  }
  assert.isAbove(hitCount, 2_000 / of);
});
