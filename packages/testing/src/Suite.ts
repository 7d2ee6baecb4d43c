import { assert, layer, type Vitest } from "@effect/vitest";
import type { IssueOrder, Page } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import type { SecureRandom } from "effect/crypto";
import * as SeededRandom from "./SeededRandom.ts";

/** The functions that register the tests of a suite. */
export type It<R> = Vitest.MethodsNonLive<R | SecureRandom.SecureRandom>;

/**
 * A block of tests that share one build of the storage. Each test sees the data of the tests before
 * it.
 */
export const block = <R, E>(
  name: string,
  storage: Layer.Layer<R, E>,
  tests: (it: It<R>) => void,
): void => layer(Layer.merge(storage, SeededRandom.layer), { timeout: "1 minute" })(name, tests);

export const everything = { limit: 500, order: "asc", after: null } as const;

/** The ids of rows, in row order. */
export const ids = (rows: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  rows.map(({ id }) => id);

/** Checks the ids of rows, including their order. */
export const assertIds = (
  actual: ReadonlyArray<string>,
  expected: ReadonlyArray<string | undefined>,
): void => assert.deepStrictEqual<ReadonlyArray<string | undefined>>(actual, expected);

/** Texts that careless storages truncate, case-fold, escape or reject. */
export const texts: ReadonlyArray<string> = [
  "",
  " padded ",
  "Ärger mit “Anführungszeichen”",
  "cafe\u0301 and caf\u00e9",
  "日本語のテキスト、한국어",
  "👩‍🚀 astral 𝒳 and flags 🇨🇭",
  "before\u0000after\u0000",
  "'; DROP TABLE issues; -- \\ \" ` ? $1 :id %s",
  "line\r\nbreak\ttab\u2028separator\ufeff",
  "\uffff\u{10ffff}\u0001",
  "مرحبا \u202eright to left",
  "NULL",
  "1e999",
];

interface Listed {
  readonly id: string;
  readonly seq: number;
}

/** A list of issues in creation order, by `seq`. */
export const bySeq =
  <A>(list: (slice: Page.Slice<IssueOrder.IssueKey>) => A) =>
  ({ after, ...slice }: Page.Slice): A =>
    list({
      ...slice,
      after: after === null ? null : { seq: after, updatedAt: "", priority: "normal" },
    });

/**
 * Checks an initially empty list: its order, its limit, and that pages stay stable while rows are
 * added. `insert` adds a row that the list contains and returns its id.
 */
export const checkPaging = Effect.fnUntraced(function* <Row extends Listed, E, R, E2, R2>(
  list: (slice: Page.Slice) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  insert: Effect.Effect<string, E2, R2>,
) {
  const page = Effect.fnUntraced(function* (
    order: Page.Order,
    limit: number,
    after: number | null = null,
  ) {
    const rows = yield* list({ order, limit, after });
    return { ids: ids(rows), last: rows.at(-1)?.seq ?? after };
  });

  assert.deepStrictEqual(yield* list(everything), []);
  const made = yield* Effect.all([insert, insert, insert, insert, insert]);
  const [first, second, third, fourth, fifth] = made;
  const rows = yield* list(everything);
  assertIds(ids(rows), made);
  assert.isTrue(rows.every((row, n) => row.seq > (rows[n - 1]?.seq ?? 0)));
  assert.deepStrictEqual((yield* page("desc", 500)).ids, made.toReversed());
  assert.deepStrictEqual((yield* page("asc", 5)).ids, made);

  const forth = yield* page("asc", 2);
  assert.deepStrictEqual(forth.ids, [first, second]);
  const back = yield* page("desc", 2);
  assert.deepStrictEqual(back.ids, [fifth, fourth]);

  const sixth = yield* insert;
  const forth2 = yield* page("asc", 2, forth.last);
  assert.deepStrictEqual(forth2.ids, [third, fourth]);
  const back2 = yield* page("desc", 2, back.last);
  assert.deepStrictEqual(back2.ids, [third, second]);

  const seventh = yield* insert;
  const forth3 = yield* page("asc", 3, forth2.last);
  assert.deepStrictEqual(forth3.ids, [fifth, sixth, seventh]);
  assert.deepStrictEqual((yield* page("asc", 3, forth3.last)).ids, []);
  const back3 = yield* page("desc", 3, back2.last);
  assert.deepStrictEqual(back3.ids, [first]);
  assert.deepStrictEqual((yield* page("desc", 3, back3.last)).ids, []);
});
