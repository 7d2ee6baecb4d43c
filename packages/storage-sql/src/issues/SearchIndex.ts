import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { type Clause, clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchDocuments from "./SearchDocuments.ts";
import * as SearchTokens from "./SearchTokens.ts";

/**
 * Full-text search with FTS5, or with `tsvector` in PostgreSQL.
 *
 * An issue's text is split into chapters of about `chapterSize`. The first chapter contains title,
 * labels, description, file names and the oldest comments. It is the document of `issue_text` whose
 * rowid is the issue's `seq`. Longer issues, which are few, have more chapters: documents of
 * `chapter_text` with their own `seq`. A comment is added to the last chapter or starts a new one,
 * so it never costs more than reindexing one chapter. `SearchTokens` has the tokens of documents.
 */

const chapterSize = 65_536;
type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

type Indexed = SearchDocuments.Indexed;

/** The document of a new issue. */
export const documentOf = (
  sql: Sql,
  issue: Omit<Indexed, "files" | "seq">,
  block: number | "#",
): string =>
  SearchTokens.documentOf(
    sql,
    block,
    issue.projectId,
    SearchDocuments.textsOf({ ...issue, files: [] }, []),
  );

/** Indexes a new issue. */
export const insert = (sql: Sql) => {
  const change = Prepared.query(
    sql,
    `INSERT INTO issue_text (rowid, body) VALUES (?, ${SearchTokens.put(sql, "").text})`,
  );
  return (issue: Omit<Indexed, "files">): Result<unknown> =>
    change(issue.seq, documentOf(sql, issue, SearchTokens.blockOf(issue.seq)));
};

const execute = (sql: Sql, statements: ReadonlyArray<Clause>): Result<void> =>
  Effect.forEach(statements, (statement) => Prepared.execute(sql, statement), { discard: true });

export const remove = (sql: Sql, seq: number): Result<void> =>
  execute(sql, [
    clause`DELETE FROM chapter_text
      WHERE rowid IN (SELECT seq FROM chapters WHERE issue_seq = ${seq})`,
    clause`DELETE FROM chapters WHERE issue_seq = ${seq}`,
    clause`DELETE FROM issue_text WHERE rowid = ${seq}`,
  ]);

const commentsOf = (sql: Sql, issueId: string, chapter: number) =>
  Effect.map(
    Prepared.run<readonly [content: string]>(
      sql,
      clause`SELECT content FROM comments WHERE issue_id = ${issueId} AND chapter = ${chapter}`,
    ),
    (rows) => rows.map(([content]) => content),
  );

interface Chapter {
  readonly seq: number;
  readonly size: number;
}

const lastChapter = (sql: Sql, issueSeq: number) =>
  Effect.map(
    Prepared.run<readonly [seq: number, size: number]>(
      sql,
      clause`SELECT seq, size FROM chapters WHERE issue_seq = ${issueSeq} ORDER BY seq DESC LIMIT 1`,
    ),
    ([row]): Chapter | undefined => row && { seq: row[0], size: row[1] },
  );

const writeFirst = (sql: Sql, issue: Indexed, comments: ReadonlyArray<string>) => {
  const { projectId, seq } = issue;
  const texts = SearchDocuments.textsOf(issue, comments);
  const document = SearchTokens.documentOf(sql, SearchTokens.blockOf(seq), projectId, texts);
  return execute(sql, [
    clause`DELETE FROM issue_text WHERE rowid = ${seq}`,
    clause`INSERT INTO issue_text (rowid, body) VALUES (${seq}, ${SearchTokens.put(sql, document)})`,
  ]);
};

const issueOf = (sql: Sql, issueId: string) =>
  Effect.map(
    SearchDocuments.issuesWhere(sql, clause`id = ${issueId}`),
    ([issue]): Indexed | undefined => issue,
  );

/** Indexes title, labels, description and file names again after a change. */
export const update = Effect.fnUntraced(function* (sql: Sql, issueId: string) {
  const issue = yield* issueOf(sql, issueId);
  if (issue === undefined) return;
  yield* writeFirst(sql, issue, yield* commentsOf(sql, issueId, 0));
});

const resize = (sql: Sql, seq: number, by: number) =>
  Prepared.execute(sql, clause`UPDATE chapters SET size = size + ${by} WHERE seq = ${seq}`);

const writeChapter = (sql: Sql, seq: number, comments: ReadonlyArray<string>) => {
  const document = SearchTokens.chapterOf(sql, comments);
  return execute(sql, [
    clause`DELETE FROM chapter_text WHERE rowid = ${seq}`,
    clause`INSERT INTO chapter_text (rowid, body) VALUES (${seq}, ${SearchTokens.put(sql, document)})`,
  ]);
};

/** Indexes a new comment before it is stored. Returns its chapter. */
export const addComment = Effect.fnUntraced(function* (sql: Sql, issueId: string, content: string) {
  const issue = yield* issueOf(sql, issueId);
  if (issue === undefined) return 0;
  const last = yield* lastChapter(sql, issue.seq);
  const comments = yield* commentsOf(sql, issueId, last?.seq ?? 0);
  if (last === undefined) {
    const size = [issue.title, issue.description ?? "", ...comments].join("").length;
    const fits = size + content.length <= chapterSize;
    if (fits) {
      yield* writeFirst(sql, issue, [...comments, content]);
      return 0;
    }
  } else if (last.size + content.length <= chapterSize) {
    yield* resize(sql, last.seq, content.length);
    yield* writeChapter(sql, last.seq, [...comments, content]);
    return last.seq;
  }
  const seq = yield* Prepared.change(sql, "INSERT INTO chapters (issue_seq, size) VALUES (?, ?)")(
    issue.seq,
    content.length,
  );
  yield* writeChapter(sql, seq, [content]);
  return seq;
});

/**
 * Indexes a comment with another text, and removes the text that the row has. The new text goes to
 * the last chapter, as if the comment were new. Returns its chapter.
 */
export const changeComment = Effect.fnUntraced(function* (
  sql: Sql,
  commentId: string,
  content: string,
) {
  const [row] = yield* Prepared.run<readonly [issueId: string, chapter: number, content: string]>(
    sql,
    clause`SELECT issue_id, chapter, content FROM comments WHERE id = ${commentId}`,
  );
  if (row === undefined) return 0;
  const [issueId, chapter, before] = row;
  yield* Prepared.execute(sql, clause`UPDATE comments SET content = '' WHERE id = ${commentId}`);
  if (chapter === 0) {
    yield* update(sql, issueId);
  } else {
    yield* resize(sql, chapter, -before.length);
    yield* writeChapter(sql, chapter, yield* commentsOf(sql, issueId, chapter));
  }
  return content === "" ? chapter : yield* addComment(sql, issueId, content);
});
