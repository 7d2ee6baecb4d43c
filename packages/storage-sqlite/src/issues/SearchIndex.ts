import { SearchText } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { type Clause, clause } from "../sql/Clause.ts";

/**
 * Full-text search with FTS5.
 *
 * An issue's text is split into chapters of about `chapterSize`. The first chapter contains title,
 * description and the oldest comments. It is the document of `issue_text` whose rowid is the
 * issue's `seq`, so matches come in list order. Longer issues, which are few, have more chapters:
 * documents of `chapter_text` with their own `seq`. A comment is added to the last chapter or
 * starts a new one, so it never costs more than reindexing one chapter.
 *
 * A word is indexed as `project:word`, so that a search reads only the entries of one project,
 * regardless of how many others contain the word. If an issue has more chapters, the first one also
 * has the token `continued`, which cannot be a word.
 */

const chapterSize = 65_536;
/** The token of a first chapter that has successors. */
export const continued = "^^";

type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

/** The tokenizer ignores the case of ASCII letters, but project ids are case-sensitive. */
const prefixOf = (projectId: string): string =>
  `${projectId.replace(/[^a-z0-9._:-]/gu, (char) => `^${char.codePointAt(0)?.toString(16)}^`)}:`;

/** The document of these texts, with each word once. */
export const documentOf = (
  projectId: string,
  texts: ReadonlyArray<string | null>,
  isContinued = false,
): string => {
  const prefix = prefixOf(projectId);
  const words = new Set(isContinued ? [continued] : []);
  for (const text of texts) {
    if (text !== null) for (const word of SearchText.words(text)) words.add(word);
  }
  let document = "";
  for (const word of words) document += `${prefix}${word} `;
  return document;
};

/** The query for documents of a project that contain all tokens. */
export const match = (projectId: string, tokens: ReadonlyArray<string>): string => {
  const prefix = prefixOf(projectId);
  return tokens.map((token) => `"${prefix}${token}"`).join(" ");
};

interface Indexed {
  readonly seq: number;
  readonly projectId: string;
  readonly title: string;
  readonly description: string | null;
}

/** Indexes a new issue. */
export const insert = (sql: Sql) => {
  const change = Prepared.change(sql, "INSERT INTO issue_text (rowid, body) VALUES (?, ?)");
  return (issue: Indexed): Result<unknown> =>
    change(issue.seq, documentOf(issue.projectId, [issue.title, issue.description]));
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

const writeFirst = (
  sql: Sql,
  { description, projectId, seq, title }: Indexed,
  comments: ReadonlyArray<string>,
  isContinued: boolean,
) => {
  const document = documentOf(projectId, [title, description, ...comments], isContinued);
  return execute(sql, [
    clause`DELETE FROM issue_text WHERE rowid = ${seq}`,
    clause`INSERT INTO issue_text (rowid, body) VALUES (${seq}, ${document})`,
  ]);
};

const issueOf = (sql: Sql, issueId: string) =>
  Effect.map(
    Prepared.run<
      readonly [seq: number, projectId: string, title: string, description: string | null]
    >(sql, clause`SELECT seq, project_id, title, description FROM issues WHERE id = ${issueId}`),
    ([row]): Indexed | undefined =>
      row && { seq: row[0], projectId: row[1], title: row[2], description: row[3] },
  );

/** Indexes title and description again after a change. */
export const update = Effect.fnUntraced(function* (sql: Sql, issueId: string) {
  const issue = yield* issueOf(sql, issueId);
  if (issue === undefined) return;
  const comments = yield* commentsOf(sql, issueId, 0);
  const last = yield* lastChapter(sql, issue.seq);
  yield* writeFirst(sql, issue, comments, last !== undefined);
});

/** Indexes a new comment before it is stored. Returns its chapter. */
export const addComment = Effect.fnUntraced(function* (sql: Sql, issueId: string, content: string) {
  const issue = yield* issueOf(sql, issueId);
  if (issue === undefined) return 0;
  const last = yield* lastChapter(sql, issue.seq);
  const comments = yield* commentsOf(sql, issueId, last?.seq ?? 0);
  if (last === undefined) {
    const size = [issue.title, issue.description ?? "", ...comments].join("").length;
    const fits = size + content.length <= chapterSize;
    yield* writeFirst(sql, issue, fits ? [...comments, content] : comments, !fits);
    if (fits) return 0;
  } else if (last.size + content.length <= chapterSize) {
    const document = documentOf(issue.projectId, [...comments, content]);
    yield* execute(sql, [
      clause`UPDATE chapters SET size = size + ${content.length} WHERE seq = ${last.seq}`,
      clause`DELETE FROM chapter_text WHERE rowid = ${last.seq}`,
      clause`INSERT INTO chapter_text (rowid, body) VALUES (${last.seq}, ${document})`,
    ]);
    return last.seq;
  }
  const seq = yield* Prepared.change(sql, "INSERT INTO chapters (issue_seq, size) VALUES (?, ?)")(
    issue.seq,
    content.length,
  );
  const document = documentOf(issue.projectId, [content]);
  yield* Prepared.execute(
    sql,
    clause`INSERT INTO chapter_text (rowid, body) VALUES (${seq}, ${document})`,
  );
  return seq;
});
