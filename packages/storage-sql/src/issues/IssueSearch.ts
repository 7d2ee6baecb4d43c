import type { Issue, IssueStore, Matching } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { and, type Clause, clause, list } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as IssueList from "./IssueList.ts";
import * as ListFilters from "./ListFilters.ts";
import type * as ListOrder from "./ListOrder.ts";
import * as SearchDocuments from "./SearchDocuments.ts";
import * as SearchKeys from "./SearchKeys.ts";
import * as SearchQuery from "./SearchQuery.ts";
import * as SearchRebuild from "./SearchRebuild.ts";

/** Issues that have all words. */
export const search = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { issueId, keyStart, projects, sort, words, ...query }: IssueStore.SearchQuery,
  slice: ListOrder.FoundSlice,
): Effect.fn.Return<IssueStore.Found, SqlError.SqlError> {
  const asOf = yield* SearchRebuild.asOf(sql);
  if (ListFilters.isNothing(query)) return { hits: [], isTruncated: false, asOf };
  const conditions = ListFilters.of(query);
  const filter = conditions.size === 0 ? undefined : and([...conditions.values()]);
  const few = filter && (yield* IssueList.fewOf(sql, { ...query, projects }, conditions));
  const keyWords = yield* SearchKeys.find(sql, words, projects);
  const search = { projects, words, keyWords, issueId, keyStart, sort, filter, few };
  const { isTruncated, keyed, places } = yield* SearchQuery.find(sql, search, slice);
  const issues = new Map((yield* IssueList.rowsAt(sql, places)).map((issue) => [issue.seq, issue]));
  const hits = places.flatMap(([seq, tier]) => {
    const issue = issues.get(seq);
    return issue === undefined ? [] : [{ issue, tier, isKey: keyed.has(seq) }];
  });
  return { hits, isTruncated, asOf };
});

/** The comments that start in the first characters of all comments of their issue. */
const mostCharacters = 65_536;

/** The texts that a search covers, for pages of found issues. */
export const texts = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  issues: ReadonlyArray<Issue.IssueRow>,
): Effect.fn.Return<ReadonlyArray<Matching.Texts>, SqlError.SqlError> {
  const ids = list(issues.map(({ id }) => id));
  const read = (statement: Clause) =>
    Effect.map(Prepared.run<readonly [id: string, text: string]>(sql, statement), (rows) =>
      Map.groupBy(rows, ([id]) => id),
    );
  const files = yield* read(
    clause`SELECT issue_id, file_name FROM attachments WHERE issue_id IN ${ids} ORDER BY seq`,
  );
  const comments = yield* read(clause`SELECT issue_id, content FROM (
      SELECT issue_id, seq, content, sum(length(content))
        OVER (PARTITION BY issue_id ORDER BY seq) - length(content) AS start
      FROM comments WHERE issue_id IN ${ids}
    ) AS part WHERE start < ${mostCharacters} ORDER BY seq`);
  const prefixes = yield* read(
    clause`SELECT project_id, prefix FROM project_prefixes
      WHERE project_id IN ${list(issues.map(({ projectId }) => projectId))} ORDER BY prefix`,
  );
  const textsIn = (rows: ReadonlyArray<readonly [string, string]> = []) =>
    rows.map(([, text]) => text);
  return issues.map((issue) =>
    SearchDocuments.textsOf(
      { ...issue, files: textsIn(files.get(issue.id)) },
      textsIn(comments.get(issue.id)),
      textsIn(prefixes.get(issue.projectId)),
    ),
  );
});
