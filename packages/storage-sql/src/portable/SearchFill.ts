import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as SearchDocuments from "../issues/SearchDocuments.ts";
import { clause, limit, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";

/** Makes the index of words again, from the texts of another database with the same issues. */

type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;
type Documents = ReadonlyArray<SearchDocuments.Document>;

const rows = 500;

/** Continues after the last document that `to` has. */
const fill = Effect.fnUntraced(function* (
  to: Sql,
  table: "issue_text" | "chapter_text",
  documentsAfter: (rowid: number) => Result<Documents>,
) {
  const insert = SearchDocuments.insert(to, table);
  const [last] = yield* Prepared.run<readonly [rowid: number]>(
    to,
    clause`SELECT coalesce(max(rowid), 0) FROM ${raw(table)}`,
  );
  let after = last?.[0] ?? 0;
  for (;;) {
    const documents = yield* documentsAfter(after);
    const end = documents.at(-1);
    if (end === undefined) return;
    yield* to.withTransaction(insert(documents));
    [after] = end;
  }
});

export const run = (from: Sql, to: Sql): Result<void> =>
  Effect.andThen(
    fill(to, "issue_text", (after) =>
      SearchDocuments.ofIssues(from, to, clause`seq > ${after} ORDER BY seq ${limit(rows)}`),
    ),
    fill(to, "chapter_text", (after) =>
      SearchDocuments.ofChapters(
        from,
        to,
        clause`chapters.seq > ${after} ORDER BY chapters.seq ${limit(rows)}`,
      ),
    ),
  );
