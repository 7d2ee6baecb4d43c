import { Effect, Layer, Option } from "effect";
import { type InstalledServer, McpServerStore, type Tool } from "@quartermaster/core";
import { SqlClient } from "effect/sql";
import * as Batch from "../sql/Batch.ts";
import * as Prepared from "../client/Prepared.ts";
import * as ServerColumns from "./ServerColumns.ts";
import { Wiping } from "../client/Wiping.ts";
import { mapped } from "../client/StorageErrors.ts";

type Sql = SqlClient.SqlClient;
type Columns = ServerColumns.ServerColumns;

interface SecretColumns {
  readonly server_id: string;
  readonly name: string;
  readonly key_id: string;
  readonly nonce: string;
  readonly sealed: string;
}

interface ToolColumns {
  readonly position: number;
  readonly name: string;
  readonly accepted: string | null;
  readonly current: string | null;
}

const text = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const definition = (column: string | null) =>
  column === null ? null : (JSON.parse(column) as Tool.ToolDefinition);
const names = (column: string | null) =>
  column === null ? null : (JSON.parse(column) as ReadonlyArray<string>);

const first = ([columns]: ReadonlyArray<Columns>) =>
  Option.map(Option.fromNullishOr(columns), ServerColumns.toRow);

const toSecret = (columns: SecretColumns): InstalledServer.SecretRow => ({
  serverId: columns.server_id,
  name: columns.name,
  keyId: columns.key_id,
  nonce: columns.nonce,
  sealed: columns.sealed,
});

const toTool = (columns: ToolColumns): Tool.ToolRow => ({
  name: columns.name,
  position: columns.position,
  accepted: definition(columns.accepted),
  current: definition(columns.current),
});

interface GrantColumns extends Columns {
  readonly granted_tools: string | null;
}

interface OfferColumns extends GrantColumns {
  readonly granted: 1 | null;
}

const toGrant = (columns: GrantColumns) => ({
  server: ServerColumns.toRow(columns),
  tools: names(columns.granted_tools),
});

const toOffer = (columns: OfferColumns): McpServerStore.Offer => {
  const { server, tools } = toGrant(columns);
  return { server, grant: columns.granted === null ? null : { tools } };
};

const insert = Effect.fnUntraced(function* (
  sql: Sql,
  server: Omit<InstalledServer.InstalledServerRow, "seq">,
) {
  const [row] = yield* sql<Columns>`
    INSERT INTO mcp_servers ${sql.insert(ServerColumns.toColumns(server))} RETURNING seq`;
  return { ...server, seq: row?.seq ?? 0 };
});

const putSecrets = Effect.fnUntraced(function* (
  sql: Sql,
  secrets: ReadonlyArray<InstalledServer.SecretRow>,
) {
  for (const chunk of Batch.chunks(secrets)) {
    const rows = chunk.map((secret) => ({
      server_id: secret.serverId,
      name: secret.name,
      key_id: secret.keyId,
      nonce: secret.nonce,
      sealed: secret.sealed,
    }));
    yield* sql`${Batch.insert("mcp_secrets", rows)} ON CONFLICT (server_id, name)
      DO UPDATE SET key_id = excluded.key_id, nonce = excluded.nonce, sealed = excluded.sealed`;
  }
});

const putTools = Effect.fnUntraced(function* (
  sql: Sql,
  serverId: string,
  tools: ReadonlyArray<Tool.ToolRow>,
) {
  yield* sql`DELETE FROM mcp_tools WHERE server_id = ${serverId}`;
  for (const chunk of Batch.chunks(tools)) {
    const rows = chunk.map((tool) => ({
      server_id: serverId,
      position: tool.position,
      name: tool.name,
      accepted: text(tool.accepted),
      current: text(tool.current),
    }));
    yield* sql`${Batch.insert("mcp_tools", rows)}`;
  }
});

const access = (sql: Sql, serverId: string) =>
  Effect.map(
    sql<{
      readonly id: string;
      readonly granted: number | null;
      readonly tools: string | null;
    }>`SELECT agents.id, access.granted, access.tools FROM agents
      LEFT JOIN mcp_access access ON access.agent_id = agents.id
        AND access.server_seq = (SELECT seq FROM mcp_servers WHERE id = ${serverId})
      ORDER BY agents.id`,
    (rows) =>
      rows.map((row) => ({
        agentId: row.id,
        granted: row.granted === 1,
        tools: names(row.tools),
      })),
  );

const putAccess = Effect.fnUntraced(function* (
  sql: Sql,
  serverId: string,
  entries: ReadonlyArray<InstalledServer.AccessEntry>,
) {
  const [server] = yield* sql<Columns>`SELECT seq FROM mcp_servers WHERE id = ${serverId}`;
  if (server === undefined) return;
  for (const chunk of Batch.chunks(entries)) {
    const rows = chunk.map((entry) => ({
      agent_id: entry.agentId,
      server_seq: server.seq,
      granted: Number(entry.granted),
      tools: text(entry.tools),
    }));
    yield* sql`${Batch.insert("mcp_access", rows)} ON CONFLICT (agent_id, server_seq)
      DO UPDATE SET granted = excluded.granted, tools = excluded.tools`;
  }
});

/** Installed MCP servers in the present `SqlClient`. */
export const layer: Layer.Layer<
  McpServerStore.McpServerStore,
  never,
  SqlClient.SqlClient | Wiping
> = Layer.effect(
  McpServerStore.McpServerStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const { afterCommit: wipe } = yield* Wiping;
    // What a call of a tool asks.
    const get = Prepared.objects<Columns>(sql, "SELECT * FROM mcp_servers WHERE id = ?");
    const getByName = Prepared.objects<Columns>(sql, "SELECT * FROM mcp_servers WHERE name = ?");
    const grants = Prepared.objects<GrantColumns>(
      sql,
      `SELECT server.*, access.tools AS granted_tools FROM mcp_access access
          JOIN mcp_servers server ON server.seq = access.server_seq
          WHERE access.agent_id = ? AND access.granted = 1
          ORDER BY access.server_seq`,
    );
    const offer = Prepared.objects<OfferColumns>(
      sql,
      `SELECT server.*, access.granted, access.tools AS granted_tools FROM mcp_servers server
          LEFT JOIN mcp_access access
            ON access.server_seq = server.seq AND access.agent_id = ? AND access.granted = 1
          WHERE server.name = ?`,
    );
    return McpServerStore.McpServerStore.of({
      insert: (server) => mapped(insert(sql, server)),
      update: (server) =>
        mapped(
          Effect.asVoid(
            sql`UPDATE mcp_servers SET ${sql.update(ServerColumns.toColumns(server), ["id"])}
                WHERE id = ${server.id}`,
          ),
        ),
      remove: (serverId) =>
        mapped(Effect.andThen(sql`DELETE FROM mcp_servers WHERE id = ${serverId}`, wipe)),
      get: (serverId) => mapped(Effect.map(get(serverId), first)),
      getByName: (name) => mapped(Effect.map(getByName(name), first)),
      list: mapped(
        Effect.map(sql<Columns>`SELECT * FROM mcp_servers ORDER BY seq`, (rows) =>
          rows.map(ServerColumns.toRow),
        ),
      ),

      secrets: (serverId) =>
        mapped(
          Effect.map(
            sql<SecretColumns>`SELECT * FROM mcp_secrets
                WHERE server_id = ${serverId} ORDER BY name`,
            (rows) => rows.map(toSecret),
          ),
        ),
      putSecrets: (secrets) => mapped(Effect.andThen(putSecrets(sql, secrets), wipe)),
      removeSecrets: (serverId, removed) =>
        mapped(
          Effect.andThen(
            sql`DELETE FROM mcp_secrets
                WHERE server_id = ${serverId} AND name IN ${Batch.list(sql, removed)}`,
            wipe,
          ),
        ),
      secretsNotUnder: (keyId, after, limit) =>
        mapped(
          Effect.map(
            sql<SecretColumns>`SELECT * FROM mcp_secrets
                WHERE (server_id, name) > (${after?.serverId ?? ""}, ${after?.name ?? ""})
                  AND key_id <> ${keyId}
                ORDER BY server_id, name LIMIT ${limit}`,
            (rows) => rows.map(toSecret),
          ),
        ),

      tools: (serverId) =>
        mapped(
          Effect.map(
            sql<ToolColumns>`SELECT * FROM mcp_tools
                WHERE server_id = ${serverId} ORDER BY position`,
            (rows) => rows.map(toTool),
          ),
        ),
      putTools: (serverId, tools) => mapped(putTools(sql, serverId, tools)),

      access: (serverId) => mapped(access(sql, serverId)),
      putAccess: (serverId, entries) => mapped(putAccess(sql, serverId, entries)),
      grants: (agentId) => mapped(Effect.map(grants(agentId), (rows) => rows.map(toGrant))),
      offer: (name, agentId) =>
        mapped(
          Effect.map(offer(agentId, name), ([columns]) =>
            Option.map(Option.fromNullishOr(columns), toOffer),
          ),
        ),
    });
  }),
);
