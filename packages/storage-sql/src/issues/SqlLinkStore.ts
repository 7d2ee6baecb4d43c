import { type IssueLink, LinkStore, type Page } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import { among, beyond, clause, limit, list as listed, ordered, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as LinkPath from "./LinkPath.ts";

type Sql = SqlClient.SqlClient;

const table = Table.make<IssueLink.LinkRow>("links", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  id: cells.plain("id", row.id),
  relation: cells.plain("relation", row.relation),
  sourceId: cells.plain("source_id", row.sourceId),
  sourceProjectId: cells.plain("source_project_id", row.sourceProjectId),
  targetId: cells.plain("target_id", row.targetId),
  targetProjectId: cells.plain("target_project_id", row.targetProjectId),
  createdBy: cells.actor("created_by", row.createdBy),
  createdAt: cells.plain("created_at", row.createdAt),
}));

const selected = raw(`SELECT ${table.select()} FROM links`);

/**
 * Updates the link counts of both ends, and the number of issues that the source of a Blocks link
 * blocks.
 */
const count = (
  sql: Sql,
  by: 1 | -1,
  { relation, sourceId, targetId }: Pick<IssueLink.LinkRow, "relation" | "sourceId" | "targetId">,
) =>
  Prepared.execute(
    sql,
    relation === "Blocks"
      ? clause`UPDATE issues SET link_count = link_count + ${by},
          blocks = blocks + CASE WHEN id = ${sourceId} THEN ${by} ELSE 0 END WHERE id IN (${sourceId}, ${targetId})`
      : clause`UPDATE issues SET link_count = link_count + ${by} WHERE id IN (${sourceId}, ${targetId})`,
  );

const rows = Effect.map((found: ReadonlyArray<ReadonlyArray<unknown>>) =>
  found.map((cells) => table.toRow(cells)),
);

const remove = Effect.fnUntraced(function* (sql: Sql, linkId: string) {
  const [link] = yield* Prepared.run(
    sql,
    clause`DELETE FROM links WHERE id = ${linkId} RETURNING ${raw(table.columns.join(", "))}`,
  ).pipe(rows);
  if (link !== undefined) yield* count(sql, -1, link);
});

const list = (
  sql: Sql,
  issueId: string,
  projects: ReadonlyArray<string> | null,
  slice: Page.Slice,
) => {
  const end = (own: "source" | "target", other: "source" | "target") =>
    clause`${selected} WHERE ${raw(own)}_id = ${issueId} AND ${beyond(slice)}
      AND ${among(`${other}_project_id`, projects)}`;
  return Prepared.run(
    sql,
    clause`${end("source", "target")} UNION ALL ${end("target", "source")} ${ordered(slice)}`,
  ).pipe(rows);
};

const find = (sql: Sql, relation: IssueLink.Relation, sourceId: string, targetId: string) => {
  const between = (source: string, target: string) =>
    clause`${selected}
      WHERE source_id = ${source} AND target_id = ${target} AND relation = ${relation}`;
  return Prepared.run(
    sql,
    relation === "RelatedTo"
      ? clause`${between(sourceId, targetId)} UNION ALL ${between(targetId, sourceId)}`
      : between(sourceId, targetId),
  ).pipe(
    rows,
    Effect.map(([link]) => Option.fromNullishOr(link)),
  );
};

const neighbors = (sql: Sql, query: Parameters<LinkStore.LinkStore["Service"]["neighbors"]>[0]) => {
  const [own, other] = query.side === "blockers" ? ["target", "source"] : ["source", "target"];
  return Effect.map(
    Prepared.run<readonly [id: string, seq: number]>(
      sql,
      clause`SELECT ${raw(`${other}_id`)}, min(seq) FROM links
        WHERE ${raw(`${own}_id`)} IN ${listed(query.issueIds)} AND relation = 'Blocks'
          AND ${among(`${other}_project_id`, query.projects)}
        GROUP BY 1 ORDER BY 2 ${limit(query.limit)}`,
    ),
    (found) => found.map(([id]) => id),
  );
};

const edges = (sql: Sql, issueIds: ReadonlyArray<string>) =>
  Effect.map(
    Prepared.run<readonly [from: string, to: string]>(
      sql,
      clause`SELECT source_id, target_id FROM links
        WHERE target_id IN ${listed(issueIds)} AND relation = 'Blocks'
          AND +source_id IN ${listed(issueIds)}
        ORDER BY seq`,
    ),
    (found) => found.map(([from, to]) => ({ from, to })),
  );

/** Links in the current `SqlClient`. */
export const layer: Layer.Layer<LinkStore.LinkStore, never, SqlClient.SqlClient> = Layer.effect(
  LinkStore.LinkStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insertRow = Prepared.insertOne(sql, table);
    const get = Prepared.one(sql, table, "WHERE id = ?");
    const insert = Effect.fnUntraced(function* (link: Table.New<IssueLink.LinkRow>) {
      const row = yield* insertRow(link);
      yield* count(sql, 1, link);
      return row;
    });
    return LinkStore.LinkStore.of({
      insert: (link) => mapped(insert(link)),
      remove: (linkId) => mapped(remove(sql, linkId)),
      get: (linkId) => mapped(get(linkId)),
      find: (relation, sourceId, targetId) => mapped(find(sql, relation, sourceId, targetId)),
      list: (issueId, projects, slice) => mapped(list(sql, issueId, projects, slice)),
      neighbors: (query) => mapped(neighbors(sql, query)),
      edges: (issueIds) => mapped(edges(sql, issueIds)),
      path: (from, to) => mapped(LinkPath.find(sql, from, to)),
    });
  }),
);
