import { Effect } from "effect";
import { SqlClient, Statement } from "effect/sql";

/** One step of a plan, such as `SEARCH issues USING INDEX issues_project (project_id=?)`. */
export type Step = string;

/** Runs `effect`. Returns the plans of its statements, by their text. */
export const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient;
  const ran = new Map<string, ReadonlyArray<unknown>>();
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      const [text, params] = statement.compile();
      ran.set(text.replace(/\s+/g, " ").trim(), params);
      return statement;
    }),
  );
  const plans: Array<{ readonly text: string; readonly steps: ReadonlyArray<Step> }> = [];
  for (const [text, params] of ran) {
    if (!/^(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text)) continue;
    const rows = yield* sql.unsafe<{ readonly detail: string }>(
      `EXPLAIN QUERY PLAN ${text}`,
      params,
    );
    plans.push({ text, steps: rows.map((row) => row.detail) });
  }
  return plans;
});

const harmless = [
  // Lists and rows that are parameters or parts of the statement.
  /^SCAN (json_each|n|part|\d+ CONSTANT ROWS?|CONSTANT ROW|\(subquery-\d+\))/,
  // FTS5 finds the words, in the order of rowid.
  /^SCAN (issue_text|chapter_text) VIRTUAL TABLE INDEX \d+:.*M/,
];

/** Steps that read a whole table, or sort. */
export const dear = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.filter(
    (step) =>
      (step.startsWith("SCAN ") && !harmless.some((pattern) => pattern.test(step))) ||
      step.includes("TEMP B-TREE") ||
      step.includes("AUTOMATIC"),
  );
