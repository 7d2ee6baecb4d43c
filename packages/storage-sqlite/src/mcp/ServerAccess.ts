import type { InstalledServer, McpServerStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, raw } from "../sql/Clause.ts";
import { access, servers } from "./ServerTables.ts";

/** Which agents may use which servers and tools. */

type Cells = ReadonlyArray<unknown>;

const grantColumns = `${access.select("access")}, ${servers.select("server")}`;
const toAccess = (cells: Cells) => access.toRow(cells);
const toServer = (cells: Cells) => servers.toRow(cells, access.columns.length);

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
    entries: ReadonlyArray<InstalledServer.StoredAccess>,
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
    access: (serverId: string) =>
      mapped(
        Effect.map(
          Prepared.run<readonly [agentId: string, ...Cells]>(
            sql,
            // An agent without a row in mcp_access has NULL in all of its columns.
            clause`SELECT agents.id, ${raw(access.select("access"))} FROM agents
              LEFT JOIN mcp_access access ON access.agent_id = agents.id
                AND access.server_seq = (SELECT seq FROM mcp_servers WHERE id = ${serverId})
              ORDER BY agents.id`,
          ),
          (rows): ReadonlyArray<InstalledServer.StoredAccess> =>
            rows.map((cells) => {
              const { granted, tools } = access.toRow(cells, 1);
              return { agentId: cells[0], granted, tools };
            }),
        ),
      ),
    putAccess: (serverId: string, entries: ReadonlyArray<InstalledServer.StoredAccess>) =>
      mapped(putAccess(serverId, entries)),
    grants: (agentId: string) =>
      mapped(
        Effect.map(grants(agentId), (rows) =>
          rows.map((cells) => ({ server: toServer(cells), tools: toAccess(cells).tools })),
        ),
      ),
    offer: (name: string, agentId: string) =>
      mapped(
        Effect.map(offer(agentId, name), ([cells]) =>
          Option.map(Option.fromNullishOr(cells), (found): McpServerStore.Offer => {
            const { granted, tools } = toAccess(found);
            return { server: toServer(found), grant: granted ? { tools } : null };
          }),
        ),
      ),
  };
};
