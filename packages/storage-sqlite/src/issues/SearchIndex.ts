import { Effect } from "effect";
import { SearchText } from "@quartermaster/core";
import type { SqlClient, SqlError } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";

/**
 * SQLite alone: full text with FTS5.
 *
 * An issue's text is cut into chapters of about `chapterSize`. The first has title, description
 * and the oldest comments, and is the document of `issue_text` whose rowid is the issue's `seq`;
 * so matches come in the order of lists. Further ones, of the few issues that are so long, are
 * documents of `chapter_text` under a `seq` of their own. A comment is added to the last chapter
 * or begins one, so that it never costs more than to index one chapter again.
 *
 * A word is indexed as `project:word`, so that a search walks the entries of one project alone,
 * however many others have the word. A first chapter that others follow has `continued` besides,
 * which no word can be.
 */

const chapterSize = 65_536;
/** In the place of a word: the token of first chapters that others follow. */
export const continued = "^^";

type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

/** ASCII letters are compared without case by the tokenizer, but project ids are not. */
const prefixOf = (projectId: string): string =>
  `${projectId.replace(/[^a-z0-9._:-]/gu, (char) => `^${char.codePointAt(0)?.toString(16)}^`)}:`;

/** The document of these texts: each word once. */
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

/** The query for documents of a project that have all these tokens. */
export const match = (projectId: string, tokens: ReadonlyArray<string>): string => {
  const prefix = prefixOf(projectId);
  return tokens.map((token) => `"${prefix}${token}"`).join(" ");
};

interface Indexed {
  readonly seq: number;
  readonly id: string;
  readonly project_id: string;
  readonly title: string;
  readonly description: string | null;
}

const insertText = "INSERT INTO issue_text (rowid, body) VALUES (?, ?)";

export const insert = (sql: Sql, issue: Indexed): Result<unknown> =>
  Prepared.change(sql, insertText)(
    issue.seq,
    documentOf(issue.project_id, [issue.title, issue.description]),
  );

export const remove = (sql: Sql, seq: number): Result<unknown> =>
  Effect.andThen(
    sql`DELETE FROM chapter_text WHERE rowid IN (SELECT seq FROM chapters WHERE issue_seq = ${seq})`,
    Effect.andThen(
      sql`DELETE FROM chapters WHERE issue_seq = ${seq}`,
      sql`DELETE FROM issue_text WHERE rowid = ${seq}`,
    ),
  );

const commentsOf = (sql: Sql, issueId: string, chapter: number) =>
  Effect.map(
    sql<{ readonly content: string }>`
      SELECT content FROM comments WHERE issue_id = ${issueId} AND chapter = ${chapter}`,
    (rows) => rows.map((row) => row.content),
  );

const lastChapter = (sql: Sql, issueSeq: number) =>
  Effect.map(
    sql<{ readonly seq: number; readonly size: number }>`
      SELECT seq, size FROM chapters WHERE issue_seq = ${issueSeq} ORDER BY seq DESC LIMIT 1`,
    (rows) => rows[0],
  );

const writeFirst = Effect.fnUntraced(function* (
  sql: Sql,
  issue: Indexed,
  comments: ReadonlyArray<string>,
  isContinued: boolean,
) {
  const texts = [issue.title, issue.description, ...comments];
  yield* sql`DELETE FROM issue_text WHERE rowid = ${issue.seq}`;
  yield* sql`INSERT INTO issue_text (rowid, body)
    VALUES (${issue.seq}, ${documentOf(issue.project_id, texts, isContinued)})`;
});

const issueOf = (sql: Sql, issueId: string) =>
  Effect.map(
    sql<Indexed>`SELECT seq, id, project_id, title, description FROM issues WHERE id = ${issueId}`,
    (rows) => rows[0],
  );

/** Indexes title and description again, after they changed. */
export const update = Effect.fnUntraced(function* (sql: Sql, issueId: string) {
  const issue = yield* issueOf(sql, issueId);
  if (issue === undefined) return;
  const comments = yield* commentsOf(sql, issueId, 0);
  const last = yield* lastChapter(sql, issue.seq);
  yield* writeFirst(sql, issue, comments, last !== undefined);
});

/** Indexes a comment that is about to be kept, and answers its chapter. */
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
    yield* sql`UPDATE chapters SET size = size + ${content.length} WHERE seq = ${last.seq}`;
    yield* sql`DELETE FROM chapter_text WHERE rowid = ${last.seq}`;
    yield* sql`INSERT INTO chapter_text (rowid, body)
      VALUES (${last.seq}, ${documentOf(issue.project_id, [...comments, content])})`;
    return last.seq;
  }
  const [chapter] = yield* sql<{ readonly seq: number }>`
    INSERT INTO chapters (issue_seq, size) VALUES (${issue.seq}, ${content.length}) RETURNING seq`;
  const seq = chapter?.seq ?? 0;
  yield* sql`INSERT INTO chapter_text (rowid, body)
    VALUES (${seq}, ${documentOf(issue.project_id, [content])})`;
  return seq;
});
