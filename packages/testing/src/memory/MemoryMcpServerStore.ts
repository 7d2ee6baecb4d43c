import { AccessEntry, Errors, type InstalledServer, McpServerStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

type Server = InstalledServer.InstalledServerRow;
type Secret = InstalledServer.SecretRow;

const key = (...parts: ReadonlyArray<string>) => JSON.stringify(parts);

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const oldestFirst = ({ servers }: Tables): ReadonlyArray<Server> =>
  Array.from(servers.values()).toSorted((a, b) => a.seq - b.seq);

const named = (tables: Tables, name: string): Option.Option<Server> =>
  Option.fromNullishOr(oldestFirst(tables).find((server) => server.name === name));

const sorted = ({ secrets }: Tables): ReadonlyArray<Secret> =>
  Array.from(secrets.values()).toSorted(compare);

const compare = (
  a: Pick<Secret, "serverId" | "name">,
  b: Pick<Secret, "serverId" | "name">,
): number => byText(a.serverId, b.serverId) || byText(a.name, b.name);

/** Stores the server. Fails if another server has its name. */
const keep = ({ servers }: Tables, server: Server): Effect.Effect<Server, Errors.StorageError> => {
  const taken = Array.from(servers.values()).some(
    ({ id, name }) => name === server.name && id !== server.id,
  );
  if (taken) {
    return Effect.fail(
      new Errors.StorageError({ reason: "The server's name is in use", isRetryable: false }),
    );
  }
  servers.set(server.id, server);
  return Effect.succeed(server);
};

const grantOf = ({ access }: Tables, server: Server, agentId: string) =>
  Option.fromNullishOr(access.get(key(server.id, agentId))).pipe(
    Option.filter(({ granted }) => granted),
    Option.map(({ agentId: _, granted: __, serverId: ___, ...permission }) => ({
      server,
      permission,
    })),
  );

export const layer = Layer.effect(
  McpServerStore.McpServerStore,
  Effect.map(Database, (database) =>
    McpServerStore.McpServerStore.of({
      insert: (server) =>
        Effect.flatten(
          database.write((tables) => keep(tables, { ...server, seq: database.nextSeq() })),
        ),
      update: (server) =>
        Effect.flatten(
          database.write((tables) =>
            tables.servers.get(server.id) === undefined
              ? Effect.void
              : Effect.asVoid(keep(tables, server)),
          ),
        ),
      remove: (serverId) =>
        database.write(({ access, secrets, servers, tools }) => {
          servers.delete(serverId);
          tools.delete(serverId);
          Rows.prune(secrets, Infinity, (secret) => secret.serverId === serverId);
          Rows.prune(access, Infinity, (entry) => entry.serverId === serverId);
        }),
      get: (serverId) =>
        database.read(({ servers }) => Option.fromNullishOr(servers.get(serverId))),
      getByName: (name) => database.read((tables) => named(tables, name)),
      list: database.read(oldestFirst),

      secrets: (serverId) =>
        database.read((tables) => sorted(tables).filter((row) => row.serverId === serverId)),
      putSecrets: (rows) =>
        database.write(({ secrets }) => {
          for (const row of rows) {
            secrets.set(key(row.serverId, row.name), row);
          }
        }),
      removeSecrets: (serverId, names) =>
        database.write(({ secrets }) => {
          for (const name of names) {
            secrets.delete(key(serverId, name));
          }
        }),
      secretsNotUnder: (keyId, after, limit) =>
        database.read((tables) =>
          sorted(tables)
            .filter((row) => row.keyId !== keyId && (after === null || compare(row, after) > 0))
            .slice(0, limit),
        ),

      tools: (serverId) => database.read(({ tools }) => tools.get(serverId) ?? []),
      putTools: (serverId, rows) =>
        database.write(({ tools }) =>
          tools.set(
            serverId,
            rows.toSorted((a, b) => a.position - b.position),
          ),
        ),

      access: (
        serverId,
        { after, limit, order } = { limit: Infinity, order: "asc", after: null },
      ) =>
        database.read(({ access, agents }) => {
          const sign = order === "asc" ? 1 : -1;
          const entries = Array.from(agents.values(), ({ id }) => {
            const { serverId: _, ...entry } = access.get(key(serverId, id)) ?? {
              serverId,
              granted: false,
              ...AccessEntry.everything,
            };
            return { ...entry, agentId: id };
          });
          return entries
            .filter(({ agentId }) => after === null || byText(agentId, after) * sign > 0)
            .toSorted((a, b) => byText(a.agentId, b.agentId) * sign)
            .slice(0, limit);
        }),
      putAccess: (serverId, entries) =>
        database.write(({ access }) => {
          for (const entry of entries) {
            access.set(key(serverId, entry.agentId), { ...entry, serverId });
          }
        }),
      grants: (agentId) =>
        database.read((tables) =>
          oldestFirst(tables).flatMap((server) => Option.toArray(grantOf(tables, server, agentId))),
        ),
      offer: (name, agentId) =>
        database.read((tables) =>
          Option.map(named(tables, name), (server) => {
            const grant = Option.getOrNull(grantOf(tables, server, agentId));
            return { server, permission: grant?.permission ?? null };
          }),
        ),
    }),
  ),
);
