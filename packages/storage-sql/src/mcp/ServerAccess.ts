import type { AccessEntry, McpServerStore, Page } from "@quartermaster/core";
import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";
import { always, clause, limit, raw } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import { access, servers } from "./ServerTables.ts";

/** Agents' access to servers and tools. */

type Cells = ReadonlyArray<unknown>;

const grantColumns = `${access.select("access")}, ${servers.select("server")}`;
const permissionOf = (cells: Cells) => {
  const { agentId: _, granted, serverSeq: __, ...permission } = access.toRow(cells);
  return { granted, permission };
};
const toServer = (cells: Cells) => servers.toRow(cells, access.columns.length);

const sliced = (slice: Page.Slice<string> | undefined) => {
  if (slice === undefined) return clause`ORDER BY agents.id`;
  const { after, limit: count, order } = slice;
  const beyond =
    after === null ? always : clause`agents.id ${raw(order === "asc" ? ">" : "<")} ${after}`;
  return clause`WHERE ${beyond} ORDER BY agents.id ${raw(order)} ${limit(count)}`;
};

export const make = (sql: SqlClient.SqlClient) => {
  const put = Prepared.upsert(sql, access, ["agent_id", "server_seq"]);
  const grants = Prepared.query(
    sql,
    `SELECT ${grantColumns} FROM mcp_access access
      JOIN mcp_servers server ON server.seq = access.server_seq
      WHERE access.agent_id = ? AND access.granted = 1
      ORDER BY access.server_seq`,
  );
  const offer = Prepared.query(
    sql,
    `SELECT ${grantColumns} FROM mcp_servers server
      LEFT JOIN mcp_access access
        ON access.server_seq = server.seq AND access.agent_id = ? AND access.granted = 1
      WHERE server.name = ?`,
  );

  const putAccess = Effect.fnUntraced(function* (
    serverId: string,
    entries: ReadonlyArray<AccessEntry.StoredAccess>,
  ) {
    const [server] = yield* Prepared.run<readonly [seq: number]>(
      sql,
      clause`SELECT seq FROM mcp_servers WHERE id = ${serverId}`,
    );
    if (server !== undefined) {
      yield* put(entries.map((entry) => ({ ...entry, serverSeq: server[0] })));
    }
  });

  return {
    access: (serverId: string, slice?: Page.Slice<string>) =>
      mapped(
        Effect.map(
          Prepared.run<readonly [agentId: string, ...Cells]>(
            sql,
            // For an agent without a row in mcp_access all columns are NULL.
            clause`SELECT agents.id, ${raw(access.select("access"))} FROM agents
              LEFT JOIN mcp_access access ON access.agent_id = agents.id
                AND access.server_seq = (SELECT seq FROM mcp_servers WHERE id = ${serverId})
              ${sliced(slice)}`,
          ),
          (rows): ReadonlyArray<AccessEntry.StoredAccess> =>
            rows.map((cells) => {
              const { agentId: _, serverSeq: __, ...entry } = access.toRow(cells, 1);
              return { ...entry, agentId: cells[0] };
            }),
        ),
      ),
    putAccess: (serverId: string, entries: ReadonlyArray<AccessEntry.StoredAccess>) =>
      mapped(putAccess(serverId, entries)),
    grants: (agentId: string) =>
      mapped(
        Effect.map(grants(agentId), (rows) =>
          rows.map((cells) => ({
            server: toServer(cells),
            permission: permissionOf(cells).permission,
          })),
        ),
      ),
    offer: (name: string, agentId: string) =>
      mapped(
        Effect.map(offer(agentId, name), ([cells]) =>
          Option.map(Option.fromNullishOr(cells), (found): McpServerStore.Offer => {
            const { granted, permission } = permissionOf(found);
            return { server: toServer(found), permission: granted ? permission : null };
          }),
        ),
      ),
  };
};
