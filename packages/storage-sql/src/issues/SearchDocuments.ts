import { Matching } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { type Clause, clause, list, numbers, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as SearchTokens from "./SearchTokens.ts";

/** The documents of the search index, from the texts of a database. */

type Sql = SqlClient.SqlClient;
type Result<A> = Effect.Effect<A, SqlError.SqlError>;

/** A document, and the row id that it has. */
export type Document = readonly [rowid: number, text: string];

export interface Indexed {
  readonly seq: number;
  readonly id: string;
  readonly projectId: string;
  readonly number: number;
  readonly title: string;
  readonly description: string | null;
  readonly labels: ReadonlyArray<string>;
  readonly files: ReadonlyArray<string>;
}

/** The names of an issue's files as JSON. */
const files = (sql: Sql): Clause =>
  raw(
    Dialect.either(
      sql,
      "(SELECT json_group_array(file_name) FROM attachments WHERE issue_id = issues.id)",
      "(SELECT coalesce(json_agg(file_name), '[]')::text FROM attachments WHERE issue_id = issues.id)",
    ),
  );

/** The texts of issues without their comments. The clause follows `WHERE`. */
export const issuesWhere = (sql: Sql, where: Clause): Result<ReadonlyArray<Indexed>> =>
  Effect.map(
    Prepared.run<
      readonly [
        seq: number,
        id: string,
        projectId: string,
        number: number,
        title: string,
        description: string | null,
        labels: string,
        files: string,
      ]
    >(
      sql,
      clause`SELECT seq, id, project_id, number, title, description, labels, ${files(sql)}
        FROM issues WHERE ${where}`,
    ),
    (rows) =>
      rows.map(([seq, id, projectId, number, title, description, labels, files]) => ({
        seq,
        id,
        projectId,
        number,
        title,
        description,
        labels: JSON.parse(labels) as ReadonlyArray<string>,
        files: JSON.parse(files) as ReadonlyArray<string>,
      })),
  );

/** The texts of an issue that a search covers. The index has no prefixes: see `SearchKeys`. */
export const textsOf = (
  { description, files, labels, number, title }: Omit<Indexed, "seq" | "id" | "projectId">,
  comments: ReadonlyArray<string>,
  prefixes: ReadonlyArray<string> = [],
): Matching.Texts => ({
  title: [title],
  labels,
  description: description === null ? [] : [description],
  files,
  comments,
  key: Matching.keyOf(number, prefixes),
});

/** Texts of comments by a column of them. */
const commentsBy = (from: Sql, key: "chapter" | "issue_id", condition: Clause) =>
  Effect.map(
    Prepared.run<readonly [key: string | number, content: string]>(
      from,
      clause`SELECT ${raw(key)}, content FROM comments WHERE ${condition}`,
    ),
    (rows) => Map.groupBy(rows, ([key]) => key),
  );

const contents = (rows: ReadonlyArray<readonly [unknown, string]> = []) =>
  rows.map(([, content]) => content);

/** The documents of issues of `from` for the index of `to`. */
export const ofIssues = Effect.fnUntraced(function* (from: Sql, to: Sql, where: Clause) {
  const issues = yield* issuesWhere(from, where);
  const comments = yield* commentsBy(
    from,
    "issue_id",
    clause`issue_id IN ${list(issues.map(({ id }) => id))} AND chapter = 0`,
  );
  return issues.map((issue): Document => {
    const texts = textsOf(issue, contents(comments.get(issue.id)));
    return [
      issue.seq,
      SearchTokens.documentOf(to, SearchTokens.blockOf(issue.seq), issue.projectId, texts),
    ];
  });
});

/** The documents of chapters of `from` for the index of `to`. */
export const ofChapters = Effect.fnUntraced(function* (from: Sql, to: Sql, where: Clause) {
  const chapters = yield* Prepared.run<readonly [seq: number, id: string]>(
    from,
    clause`SELECT chapters.seq, issues.id FROM chapters
      JOIN issues ON issues.seq = chapters.issue_seq WHERE ${where}`,
  );
  const comments = yield* commentsBy(
    from,
    "chapter",
    clause`issue_id IN ${list(chapters.map(([, id]) => id))}
      AND chapter IN ${numbers(chapters.map(([seq]) => seq))}`,
  );
  return chapters.map(([seq]): Document => [
    seq,
    SearchTokens.chapterOf(to, contents(comments.get(seq))),
  ]);
});

/** Adds documents to a table of the index. */
export const insert = (sql: Sql, table: "issue_text" | "chapter_text") => {
  const body = SearchTokens.put(sql, "").text.replace("?", "texts.value");
  const add = Prepared.query(
    sql,
    `INSERT INTO ${table} (rowid, body) SELECT CAST(ids.value AS BIGINT), ${body}
      FROM json_each(?) AS ids JOIN json_each(?) AS texts ON texts.key = ids.key`,
  );
  return (documents: ReadonlyArray<Document>): Result<unknown> =>
    add(
      JSON.stringify(documents.map(([rowid]) => rowid)),
      JSON.stringify(documents.map(([, text]) => text)),
    );
};
