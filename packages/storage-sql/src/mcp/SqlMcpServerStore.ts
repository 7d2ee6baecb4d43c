import { type InstalledServer, McpServerStore, type Tool } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import { Wiping } from "../Wiping.ts";
import * as ServerAccess from "./ServerAccess.ts";
import { changing, secrets, servers, tools } from "./ServerTables.ts";

type Sql = SqlClient.SqlClient;

/** The secrets of a server. Each change wipes the encrypted values that it removes or replaces. */
const secretsOf = (sql: Sql, wipe: Effect.Effect<void>) => {
  const select = Prepared.select(sql, secrets);
  const put = Prepared.upsert(sql, secrets, ["server_id", "name"]);
  return {
    secrets: (serverId: string) =>
      mapped(select(clause`WHERE server_id = ${serverId} ORDER BY name`)),
    putSecrets: (rows: ReadonlyArray<InstalledServer.SecretRow>) =>
      mapped(Effect.andThen(put(rows), wipe)),
    removeSecrets: (serverId: string, names: ReadonlyArray<string>) =>
      mapped(
        Effect.andThen(
          Prepared.execute(
            sql,
            clause`DELETE FROM mcp_secrets WHERE server_id = ${serverId} AND name IN ${list(names)}`,
          ),
          wipe,
        ),
      ),
    secretsNotUnder: (
      keyId: string,
      after: { readonly serverId: string; readonly name: string } | null,
      count: number,
    ) =>
      mapped(
        select(clause`WHERE (server_id, name) > (${after?.serverId ?? ""}, ${after?.name ?? ""})
          AND key_id <> ${keyId} ORDER BY server_id, name ${limit(count)}`),
      ),
  };
};

const toolsOf = (sql: Sql) => {
  const select = Prepared.select(sql, tools);
  const insert = Prepared.insert(sql, tools);
  return {
    tools: (serverId: string) =>
      mapped(
        Effect.map(
          select(clause`WHERE server_id = ${serverId} ORDER BY position`),
          (rows): ReadonlyArray<Tool.ToolRow> => rows.map(({ serverId: _, ...tool }) => tool),
        ),
      ),
    putTools: (serverId: string, rows: ReadonlyArray<Tool.ToolRow>) =>
      mapped(
        Effect.andThen(
          Prepared.execute(sql, clause`DELETE FROM mcp_tools WHERE server_id = ${serverId}`),
          Effect.asVoid(insert(rows.map((row) => ({ ...row, serverId })))),
        ),
      ),
  };
};

/** Installed MCP servers in the current `SqlClient`. */
export const layer: Layer.Layer<
  McpServerStore.McpServerStore,
  never,
  SqlClient.SqlClient | Wiping
> = Layer.effect(
  McpServerStore.McpServerStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    const { afterCommit: wipe } = yield* Wiping;
    const insert = Prepared.insertOne(sql, servers);
    const update = Prepared.update(sql, "mcp_servers", changing);
    const get = Prepared.one(sql, servers, "WHERE id = ?");
    const getByName = Prepared.one(sql, servers, "WHERE name = ?");
    const select = Prepared.select(sql, servers);
    return McpServerStore.McpServerStore.of({
      insert: (server) => mapped(insert(server)),
      update: (server) => mapped(Effect.asVoid(update([server]))),
      remove: (serverId) =>
        mapped(
          Effect.andThen(
            Prepared.execute(sql, clause`DELETE FROM mcp_servers WHERE id = ${serverId}`),
            wipe,
          ),
        ),
      get: (serverId) => mapped(get(serverId)),
      getByName: (name) => mapped(getByName(name)),
      list: mapped(select(clause`ORDER BY seq`)),
      ...secretsOf(sql, wipe),
      ...toolsOf(sql),
      ...ServerAccess.make(sql),
    });
  }),
);
