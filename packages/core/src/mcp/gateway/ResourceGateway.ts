import { Clock, Context, Effect, Layer, Option, Stream } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { NotFound, type StorageError } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import * as Span from "../../internal/Span.ts";
import type { Permission } from "../AccessEntry.ts";
import { Connections } from "../connections/Connections.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { type ResourceKind, RpcError } from "../McpConnector.ts";
import { ToolUnavailable } from "../McpErrors.ts";
import { McpOptions } from "../McpOptions.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Outage from "../Outage.ts";
import * as ServerLimits from "../ServerLimits.ts";
import * as Resource from "../untrusted/Resource.ts";
import * as ResourceUri from "../untrusted/ResourceUri.ts";
import { Admissions } from "./internal/Admissions.ts";
import * as CallContext from "./internal/CallContext.ts";
import { SharedCallLimits } from "./internal/CallLimits.ts";
import { CallRecords } from "./internal/CallRecords.ts";
import * as FailedCalls from "./internal/FailedCalls.ts";
import * as ResourceLists from "./internal/ResourceLists.ts";
import { ResourceRead } from "./internal/ResourceRead.ts";
import * as ToolAccess from "./internal/ToolAccess.ts";

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

/**
 * Returns whether a grant covers the whole server, possibly read-only. A grant of single tools
 * gives no resources.
 */
const isWhole = ({ tools }: Permission): boolean => tools === null;

const lists = ({ hasResources }: InstalledServerRow): boolean => hasResources !== false;

/** The server with this name and its permission, if the agent may read its resources. */
const offerOf = (store: McpServerStore["Service"], agentId: string, name: string) =>
  Effect.map(store.offer(name, agentId), (found) =>
    Option.getOrNull(
      Option.flatMap(found, ({ permission, server }) =>
        permission !== null && isWhole(permission) && Outage.isOffered(server)
          ? Option.some({ permission, server })
          : Option.none(),
      ),
    ),
  );

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
    ): Effect.Effect<
      Resource.ResourceResult,
      Forbidden | NotFound | RpcError | StorageError | ToolUnavailable,
      Principal.CurrentPrincipal
    >;
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
      const failed = yield* FailedCalls.make;
      const records = yield* CallRecords;
      const admissions = yield* Admissions;
      const newId = yield* Id.generator;
      const limits = yield* SharedCallLimits;
      const listOf = yield* ResourceLists.make;
      const { toolSeconds } = yield* McpOptions;

      const granted = (agentId: string) =>
        Effect.map(store.grants(agentId), (grants) =>
          grants.flatMap(({ permission, server }) =>
            isWhole(permission) && Outage.isOffered(server) && lists(server) ? [server] : [],
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

      const attempt = Effect.fnUntraced(function* (
        call: ResourceRead,
        server: InstalledServerRow,
        uri: string,
      ) {
        const { agentId } = call;
        if (server.status === "error") return yield* ToolAccess.out(server);
        return yield* connections
          .use(
            server,
            agentId,
            (connection) =>
              Effect.gen(function* () {
                const admitted = Effect.catchTag(admissions.admit(call), "EffectHeld", Effect.die);
                const meta = yield* CallContext.metaOf(call, yield* admitted, server, null);
                call.sent();
                return yield* connection.readResource(uri, {
                  ...ServerLimits.times(server, toolSeconds),
                  maxResultBytes: server.maxResultBytes,
                  meta,
                });
              }),
            call.attempt(),
          )
          .pipe(
            Effect.tap(() => Effect.sync(() => failed.reached(server))),
            Effect.catchTag("ConnectorError", (error) => failed.refuse(call, server, error)),
          );
      });

      const read = Span.fn("ResourceGateway.read")(function* (agentId: string, uri: string) {
        yield* Principal.requireActingFor(agentId);
        const unknown = new NotFound({ resource: "resource", id: uri });
        const named = ResourceUri.parse(uri);
        if (named === null) return yield* unknown;
        const granted = Effect.flatMap(offerOf(store, agentId, named.server), (offer) =>
          offer === null ? Effect.fail(unknown) : Effect.succeed(offer),
        );
        const { permission, server } = yield* granted;
        const startedAt = yield* Clock.currentTimeMillis;
        const target = { server, tool: readMethod, toolDigest: null };
        const call = new ResourceRead(yield* newId("call"), agentId, startedAt, { uri }, target);
        const allowed = Effect.gen(function* () {
          yield* admissions.mayCall(agentId, yield* admissions.judge);
          return yield* limits.admit(call, permission, server);
        });
        return yield* Effect.flatMap(allowed, (message) =>
          message === null
            ? attempt(call, server, named.uri)
            : Effect.fail(new RpcError({ code: -32_603, message })),
        ).pipe(
          // The server changed in the meantime. Reading changes nothing, so read once more.
          Effect.catchTag("Dropped", () =>
            Effect.flatMap(granted, (changed) => attempt(call, changed.server, named.uri)),
          ),
          Effect.catchTag("Dropped", () =>
            ToolAccess.unavailable(
              "crashed",
              `The server ${server.name} changed repeatedly during the request.`,
            ),
          ),
          Effect.catchTag("ToolUnavailable", (refusal) =>
            Effect.fail(new ToolUnavailable({ ...refusal, advice: refusal.advice ?? notRead })),
          ),
          // Access may have ended in the meantime.
          Effect.tap(() => granted),
          Effect.map((result) => Resource.namespacedResult(server.name, result)),
          Effect.ensuring(
            Effect.sync(() => {
              limits.release(call);
              admissions.release(call);
            }),
          ),
          Effect.onExit((exit) => records.ended(call, exit)),
        );
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
