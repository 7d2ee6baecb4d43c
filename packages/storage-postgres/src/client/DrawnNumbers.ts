import { Clause, Grouping, IssueNumbers, Prepared } from "@quartermaster/storage-sql";
import { Effect } from "effect";
import type { SqlClient } from "effect/sql";

/**
 * The numbers of issues, drawn outside of the transactions that use them. Inside, two issues of a
 * project would write one row, and all but one would run again. A number whose transaction rolls back
 * leaves a gap.
 */

/**
 * The draws of a project, in the order of their locks. They survive a crash of the database if an issue
 * that uses them does, whose commit comes later and is synchronous.
 */
const drawn = (counts: ReadonlyArray<readonly [projectId: string, count: number]>) =>
  Clause.clause`WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO issue_numbers (project_id, last)
    SELECT ids.value, CAST(counts.value AS BIGINT)
    FROM json_each(${JSON.stringify(counts.map(([id]) => id))}) AS ids
    JOIN json_each(${JSON.stringify(counts.map(([, count]) => count))}) AS counts
      ON counts.key = ids.key, relaxed
    ORDER BY ids.value
    ON CONFLICT (project_id) DO UPDATE SET last = issue_numbers.last + excluded.last
    RETURNING project_id, last`;

/** Draws of one statement. */
const most = 1_000;

/** Draws with a client of one connection, which no transaction holds. */
export const make = (sql: SqlClient.SqlClient): IssueNumbers["Service"] =>
  IssueNumbers.of({
    draw: Grouping.make((projectIds: ReadonlyArray<string>) => {
      const counts = new Map<string, number>();
      for (const id of projectIds) counts.set(id, (counts.get(id) ?? 0) + 1);
      return Effect.map(Prepared.alone(sql, drawn([...counts])), (rows) => {
        const next = new Map(
          rows.map(([id, last]) => [id, Number(last) - (counts.get(String(id)) ?? 0)]),
        );
        return projectIds.map((id) => {
          const number = (next.get(id) ?? 0) + 1;
          next.set(id, number);
          return number;
        });
      });
    }, most),
  });
