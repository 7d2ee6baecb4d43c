import { Matching } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { among, clause, limit, list } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";

/** The projects whose keys have words of a search: the index has projects, and no prefixes of them. */

/** The projects of one search, as conditions on the index. */
const most = 50;

/** After any prefix. */
const beyond = "\u{10ffff}";

export interface Keyed {
  /** For each word the projects of which a prefix, now or earlier, is the word or starts with it. */
  readonly projects: ReadonlyArray<ReadonlyArray<string>>;
  /** Whether more projects have such a prefix. */
  readonly isTruncated: boolean;
}

export const find = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  words: ReadonlyArray<string>,
  projects: ReadonlyArray<string> | null,
): Effect.fn.Return<Keyed, SqlError.SqlError> {
  const last = words.at(-1) ?? "";
  const isStart = Matching.isPrefix(last, "key");
  const whole = words.slice(0, isStart ? -1 : undefined).map((word) => word.toUpperCase());
  const start = isStart ? last.toUpperCase() : beyond;
  const visible = among("project_id", projects);
  const rows = yield* Prepared.run<readonly [prefix: string, projectId: string]>(
    sql,
    clause`SELECT prefix, project_id FROM project_prefixes
        WHERE prefix IN ${list(whole)} AND ${visible}
      UNION SELECT prefix, project_id FROM (
        SELECT prefix, project_id FROM project_prefixes
        WHERE prefix >= ${start} AND prefix < ${start + beyond} AND ${visible}
        ORDER BY prefix ${limit(most + 1)}
      ) AS starting`,
  );
  const found = words.map((_, index) => {
    const has = Matching.matcher(words, index, "key");
    return [...new Set(rows.flatMap(([prefix, id]) => (has(prefix.toLowerCase()) ? [id] : [])))];
  });
  return {
    projects: found.map((ids) => ids.slice(0, most)),
    isTruncated: found.some((ids) => ids.length > most),
  };
});
