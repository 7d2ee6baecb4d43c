import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Permission, StoredAccess } from "./AccessEntry.ts";
import type { InstalledServerRow, SecretRow } from "./InstalledServer.ts";
import type { ToolRow } from "./Tool.ts";

/** A grant of a server. */
export interface Grant {
  readonly server: InstalledServerRow;
  readonly permission: Permission;
}

/** A server, and what one agent is granted of it; null for no grant. */
export interface Offer {
  readonly server: InstalledServerRow;
  readonly permission: Permission | null;
}

/** Port: stores installed MCP servers with their secrets, tools and access. */
export class McpServerStore extends Context.Service<
  McpServerStore,
  {
    /** Stores a new server and assigns its `seq`. Names are unique. */
    insert(
      server: Omit<InstalledServerRow, "seq">,
    ): Effect.Effect<InstalledServerRow, StorageError>;
    /** Replaces the row with the same id. */
    update(server: InstalledServerRow): Effect.Effect<void, StorageError>;
    /** Removes the server with its secrets, tools and access. */
    remove(serverId: string): Effect.Effect<void, StorageError>;
    get(serverId: string): Effect.Effect<Option.Option<InstalledServerRow>, StorageError>;
    getByName(name: string): Effect.Effect<Option.Option<InstalledServerRow>, StorageError>;
    /** Returns all servers, oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<InstalledServerRow>, StorageError>;

    /** Returns the server's secrets, by name. */
    secrets(serverId: string): Effect.Effect<ReadonlyArray<SecretRow>, StorageError>;
    /** Stores secrets and replaces secrets with the same names. */
    putSecrets(secrets: ReadonlyArray<SecretRow>): Effect.Effect<void, StorageError>;
    removeSecrets(
      serverId: string,
      names: ReadonlyArray<string>,
    ): Effect.Effect<void, StorageError>;
    /**
     * Returns secrets that are not sealed under the master key `keyId`, by server and name, after
     * `after`, at most `limit`.
     */
    secretsNotUnder(
      keyId: string,
      after: { readonly serverId: string; readonly name: string } | null,
      limit: number,
    ): Effect.Effect<ReadonlyArray<SecretRow>, StorageError>;

    /** Returns the server's tools, by position. */
    tools(serverId: string): Effect.Effect<ReadonlyArray<ToolRow>, StorageError>;
    /** Replaces all tools of the server. */
    putTools(serverId: string, tools: ReadonlyArray<ToolRow>): Effect.Effect<void, StorageError>;

    /**
     * Returns one entry per registered agent, by agent id; a slice of them, or all. An agent without a
     * stored entry has no grant.
     */
    access(
      serverId: string,
      slice?: Slice<string>,
    ): Effect.Effect<ReadonlyArray<StoredAccess>, StorageError>;
    putAccess(
      serverId: string,
      entries: ReadonlyArray<StoredAccess>,
    ): Effect.Effect<void, StorageError>;
    /** Returns the agent's grants, oldest server first. */
    grants(agentId: string): Effect.Effect<ReadonlyArray<Grant>, StorageError>;
    /** Returns the server with this name, and the agent's grant. */
    offer(name: string, agentId: string): Effect.Effect<Option.Option<Offer>, StorageError>;
  }
>()("@quartermaster/core/mcp/McpServerStore") {}
