import { Context, Effect, Layer, Option, Stream } from "effect";
import * as Principal from "../../access/Principal.ts";
import { NotFound, type StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { Connections } from "../connections/Connections.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import type { ResourceKind } from "../McpConnector.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Outage from "../Outage.ts";
import * as Resource from "../untrusted/Resource.ts";
import * as ResourceUri from "../untrusted/ResourceUri.ts";
import * as Readings from "./internal/Readings.ts";
import * as ResourceLists from "./internal/ResourceLists.ts";

/** The tool name under which reads of resources appear in the records of calls. */
const readMethod = "resources/read";

/** The advice for a failed read without other information. */
const notRead = "The resource was not read; it is safe to repeat.";

export interface AgentResources {
  /**
   * The resources by server, oldest first, each in its server's order, with URIs that `read`
   * accepts.
   */
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** Servers whose resources are incomplete in this list, with the reason. */
  readonly incomplete: ReadonlyArray<{ readonly server: string; readonly reason: string }>;
}

const lists = ({ hasResources }: InstalledServerRow): boolean => hasResources !== false;

/**
 * The resources that agents may read. Their servers are enabled or in an outage, and granted
 * without a list of tools. URIs name the server: see `ResourceUri`.
 */
export class ResourceGateway extends Context.Service<
  ResourceGateway,
  {
    /**
     * Lists resources or templates, of all servers at the same time. For a server that does not
     * respond within 5 s, returns its previous list. `isNext`: for a page after the first, returns
     * the previous lists.
     */
    list(
      agentId: string,
      kind: ResourceKind,
      isNext?: boolean,
    ): Effect.Effect<AgentResources, StorageError>;
    /** Reads a resource. Fails with the server's own error as `RpcError`, without its secrets. */
    read(
      agentId: string,
      uri: string,
    ): Effect.Effect<Resource.ResourceResult, Readings.Unread, Principal.CurrentPrincipal>;
    /** Ids of the servers whose resources the agent may list, each followed by its generation. */
    servers(
      agentId: string,
    ): Effect.Effect<ReadonlyArray<readonly [serverId: string, generation: number]>, StorageError>;
    /** Ids of servers that announced a change to their resources to this node. */
    readonly changed: Stream.Stream<string>;
  }
>()("@quartermaster/core/mcp/gateway/ResourceGateway") {
  static readonly layerNoDeps = Layer.effect(
    ResourceGateway,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const connections = yield* Connections;
      const listOf = yield* ResourceLists.make;
      const reading = yield* Readings.make;

      const granted = (agentId: string) =>
        Effect.map(store.grants(agentId), (grants) =>
          grants.flatMap(({ permission, server }) =>
            Readings.isWhole(permission) && Outage.isOffered(server) && lists(server)
              ? [server]
              : [],
          ),
        );

      const list = Span.fn("ResourceGateway.list")(function* (
        agentId: string,
        kind: ResourceKind,
        isNext = false,
      ) {
        const found = yield* Effect.forEach(
          yield* granted(agentId),
          (server) =>
            Effect.map(listOf(server, agentId, kind, isNext), (list) => ({ server, ...list })),
          { concurrency: "unbounded" },
        );
        return {
          items: found.flatMap(({ listing, server }) =>
            (listing?.items ?? []).map((item) => Resource.namespaced(kind, server.name, item)),
          ),
          incomplete: found.flatMap(({ note, server }) =>
            note === null ? [] : [{ server: server.name, reason: note }],
          ),
        };
      });

      const read = Span.fn("ResourceGateway.read")(function* (agentId: string, uri: string) {
        const unknown = new NotFound({ resource: "resource", id: uri });
        const named = ResourceUri.parse(uri);
        yield* Principal.requireActingFor(agentId);
        if (named === null) return yield* unknown;
        const result = yield* reading({
          agentId,
          recordedAs: readMethod,
          content: { uri },
          granted: Effect.flatMap(store.offer(named.server, agentId), (offer) => {
            const granted = Option.getOrNull(Option.map(offer, Readings.grantedIn));
            return granted === null ? Effect.fail(unknown) : Effect.succeed(granted);
          }),
          toolDigest: () => null,
          send: (connection, _, options) => connection.readResource(named.uri, options),
          advice: notRead,
        });
        return Resource.namespacedResult(named.server, result);
      });

      return ResourceGateway.of({
        list,
        read,
        servers: (agentId) =>
          Effect.map(granted(agentId), (servers) =>
            servers.map(({ generation, id }) => [id, generation] as const),
          ),
        changed: Stream.map(connections.resourcesChanged, ({ serverId }) => serverId),
      });
    }),
  );
}
