import { Effect, Layer, Option } from "effect";
import { type IssueLink, LinkStore, type Page } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Keyset from "../sql/Keyset.ts";
import * as LinkPath from "./LinkPath.ts";
import { mapped } from "../client/StorageErrors.ts";

type Sql = SqlClient.SqlClient;

interface Columns {
  readonly seq: number;
  readonly id: string;
  readonly relation: IssueLink.Relation;
  readonly source_id: string;
  readonly source_project_id: string;
  readonly target_id: string;
  readonly target_project_id: string;
  readonly created_by_type: IssueLink.LinkRow["createdBy"]["type"];
  readonly created_by_id: string;
  readonly created_at: string;
}

const toRow = (columns: Columns): IssueLink.LinkRow => ({
  seq: columns.seq,
  id: columns.id,
  relation: columns.relation,
  sourceId: columns.source_id,
  sourceProjectId: columns.source_project_id,
  targetId: columns.target_id,
  targetProjectId: columns.target_project_id,
  createdBy: { type: columns.created_by_type, id: columns.created_by_id },
  createdAt: columns.created_at,
});

const first = (rows: ReadonlyArray<Columns>) => Option.map(Option.fromNullishOr(rows[0]), toRow);

const count = (sql: Sql, by: 1 | -1, ends: readonly [string, string]) =>
  sql`UPDATE issues SET link_count = link_count + ${by} WHERE id IN ${sql.in(ends)}`;

const insert = Effect.fnUntraced(function* (sql: Sql, link: Omit<IssueLink.LinkRow, "seq">) {
  const rows = yield* sql<Columns>`INSERT INTO links ${sql.insert({
    id: link.id,
    relation: link.relation,
    source_id: link.sourceId,
    source_project_id: link.sourceProjectId,
    target_id: link.targetId,
    target_project_id: link.targetProjectId,
    created_by_type: link.createdBy.type,
    created_by_id: link.createdBy.id,
    created_at: link.createdAt,
  })} RETURNING seq`;
  yield* count(sql, 1, [link.sourceId, link.targetId]);
  return { ...link, seq: rows[0]?.seq ?? 0 };
});

const remove = Effect.fnUntraced(function* (sql: Sql, linkId: string) {
  const [link] = yield* sql<Columns>`
    DELETE FROM links WHERE id = ${linkId} RETURNING source_id, target_id`;
  if (link !== undefined) yield* count(sql, -1, [link.source_id, link.target_id]);
});

const list = (
  sql: Sql,
  issueId: string,
  projects: ReadonlyArray<string> | null,
  slice: Page.Slice,
) => {
  const end = (own: "source" | "target", other: "source" | "target") =>
    sql`SELECT * FROM links
      WHERE ${sql.literal(own)}_id = ${issueId} AND ${Keyset.beyond(sql, slice)}
        AND ${
          projects === null
            ? sql`1 = 1`
            : sql`${sql.literal(other)}_project_id IN ${Batch.list(sql, projects)}`
        }`;
  return Effect.map(
    sql<Columns>`${end("source", "target")} UNION ALL ${end("target", "source")}
      ${Keyset.ordered(sql, slice)}`,
    (rows) => rows.map(toRow),
  );
};

const find = (sql: Sql, relation: IssueLink.Relation, sourceId: string, targetId: string) => {
  const between = (source: string, target: string) =>
    sql`SELECT * FROM links
      WHERE source_id = ${source} AND target_id = ${target} AND relation = ${relation}`;
  return Effect.map(
    relation === "RelatedTo"
      ? sql<Columns>`${between(sourceId, targetId)} UNION ALL ${between(targetId, sourceId)}`
      : sql<Columns>`${between(sourceId, targetId)}`,
    first,
  );
};

/** Links in the present `SqlClient`. */
export const layer: Layer.Layer<LinkStore.LinkStore, never, SqlClient.SqlClient> = Layer.effect(
  LinkStore.LinkStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    LinkStore.LinkStore.of({
      insert: (link) => mapped(insert(sql, link)),
      remove: (linkId) => mapped(remove(sql, linkId)),
      get: (linkId) =>
        mapped(Effect.map(sql<Columns>`SELECT * FROM links WHERE id = ${linkId}`, first)),
      find: (relation, sourceId, targetId) => mapped(find(sql, relation, sourceId, targetId)),
      list: (issueId, projects, slice) => mapped(list(sql, issueId, projects, slice)),
      path: (from, to) => mapped(LinkPath.find(sql, from, to)),
    }),
  ),
);
