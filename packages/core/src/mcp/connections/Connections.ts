import { Clock, Context, type Deferred, Effect, Layer, Option, Scope, type Stream } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import { isStdio } from "../CatalogEntry.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { ConnectorError } from "../McpConnector.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Outage from "../Outage.ts";
import type * as Passed from "../Passed.ts";
import * as ServerEvents from "../ServerEvents.ts";
import type { Server } from "../values/Targets.ts";
import type { Changes } from "../values/Values.ts";
import { Dropped, type Failure, isIsolated, type Key, keyOf } from "./internal/ConnectionSlot.ts";
import type { GuardedConnection } from "./internal/GuardedConnection.ts";
import * as Healing from "./internal/Healing.ts";
import * as Opening from "./internal/Opening.ts";
import * as Outages from "./internal/Outages.ts";
import * as Placing from "./internal/Placing.ts";
import * as ProcessLeases from "./internal/ProcessLeases.ts";
import * as SlotOwner from "./internal/SlotOwner.ts";
import * as Slots from "./internal/Slots.ts";

export { Dropped, type Failure, type GuardedConnection, type Key, keyOf };
export { notListed } from "./internal/SlotOwner.ts";

/**
 * Connections to installed servers. Each server has one warm connection (each agent has its own if
 * the entry's `isolation` is `agent`). It is opened on first use, closed when idle, and opened
 * again after a failure. A server that fails too often is out and is retried later: `Outages` has
 * the rules. `ConnectionSlot` lists the states and the invariants. Nothing that a connection
 * returns contains a secret of its server.
 */
export class Connections extends Context.Service<
  Connections,
  {
    /**
     * Runs `f` with a connection that is used once, for a verify. `changes` replace stored values.
     * Without changes it is the warm connection of a server that has one process in the whole service.
     */
    verify<A, E, R>(
      server: Server,
      changes: Changes | undefined,
      f: (connection: GuardedConnection) => Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | ConnectorError | StorageError, R>;
    /**
     * Runs `f` with the warm connection, once its tools are known. Fails with `Dropped` if the
     * server is dropped first. A failure of `until` also interrupts `f`.
     */
    use<A, E, R, E2 = never>(
      server: InstalledServerRow,
      agentId: string | null,
      f: (connection: GuardedConnection) => Effect.Effect<A, E, R>,
      until?: Deferred.Deferred<never, E2 | Failure>,
    ): Effect.Effect<A, E | E2 | Failure, R>;
    /**
     * Opens the shared connection in the background, after closing connections of earlier generations.
     * For per-agent servers whose tools are still unknown, opens one only to list them.
     */
    warm(server: InstalledServerRow): Effect.Effect<void>;
    /**
     * Closes the connections to earlier generations of the server, or all if it was uninstalled.
     * Interrupts their users and waits until the processes are gone.
     */
    drop(serverId: string): Effect.Effect<void>;
    /**
     * Returns the start of the outage for this agent, and the time of the next retry; null without
     * an outage.
     */
    retryOf(
      server: InstalledServerRow,
      agentId: string,
    ): Effect.Effect<Outage.Retry | null, StorageError>;
    /** Whether this node is the node that a request means, and runs the server. */
    runsHere(request: Pick<Passed.Request, "nodeId" | "serverId">): boolean;
    /**
     * The number of times that this node recorded the tools of a server. If it is the same before a
     * decision about a tool and in `f`, the decision still holds.
     */
    readonly listings: Effect.Effect<number>;
    /** Servers that announced a change to their resources over a connection of this node. */
    readonly resourcesChanged: Stream.Stream<Key>;
    /** Connections that are not closed. */
    readonly count: Effect.Effect<number>;
  }
>()("@quartermaster/core/mcp/connections/Connections") {
  static readonly layerNoDeps = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const open = yield* Opening.make;
      const outages = yield* Outages.make;
      const leases = yield* ProcessLeases.make;
      const owner = yield* SlotOwner.make(outages, leases);
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const { keepWarm, latestOf, scope, slots, useKey } = yield* Slots.make(owner, outages);
      /** A remote server may be gone although its connection, which is only a URL, is not lost. */
      const counted = <A, E, R>(
        server: InstalledServerRow,
        key: Key,
        use: Effect.Effect<A, E, R>,
      ) =>
        isStdio(server.entry.manifest)
          ? use
          : Effect.tapError(use, (error) =>
              error instanceof ConnectorError && error.reason === "unreachable"
                ? outages.failed(key, error, "calling")
                : Effect.void,
            );

      /** The stored server, if its warm connection also serves a verify. */
      const warmOf = (server: Server, changes: Changes | undefined) =>
        leases.nodes === null || changes !== undefined
          ? Effect.succeed(null)
          : Effect.map(store.get(server.id), (found) => {
              const stored = Option.getOrNull(found);
              return stored !== null && Placing.isSingle(stored) && Outage.isOffered(stored)
                ? stored
                : null;
            });

      const drop = Span.fn("Connections.drop")(function* (serverId: string) {
        const server = Option.getOrNull(
          yield* Effect.catch(store.get(serverId), () => Effect.succeedNone),
        );
        const stale = [...slots].filter(
          ({ key }) => key.serverId === serverId && key.generation !== server?.generation,
        );
        for (const slot of stale) {
          slot.stop();
          slot.failUsers(new Dropped({ serverId }));
          slot.release();
        }
        yield* Effect.forEach(stale, ({ whenClosed }) => whenClosed, {
          concurrency: "unbounded",
          discard: true,
        });
        if (server === null) {
          outages.failures.forgetServer(serverId);
          outages.agents.forgetServer(serverId);
        }
      });

      const warm = (server: InstalledServerRow) => {
        const opens = !isIsolated(server) || !server.known;
        outages.agents.forgetServer(server.id);
        return Effect.andThen(
          drop(server.id),
          opens ? keepWarm(keyOf(server, null)) : Effect.void,
        ).pipe(Effect.forkIn(scope), Effect.asVoid);
      };

      // Another node may have made the change.
      yield* ServerEvents.follow(
        events,
        ["mcp.updated", "mcp.enabled", "mcp.disabled", "mcp.uninstalled"],
        (event) => Effect.asVoid(Effect.forkIn(drop(event.subjectId), scope)),
      );

      yield* ServerEvents.follow(events, ["mcp.verified"], ({ data, subjectId }) =>
        Effect.sync(() => {
          if (data["status"] === "ok") outages.agents.forgetServer(subjectId);
        }),
      );

      /**
       * Retries a server. A connection that is already open has to list its tools. If that fails,
       * it is closed, so that the next attempt opens another one.
       */
      const attempt = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const key = keyOf(server, null);
        yield* useKey(
          key,
          Effect.fnUntraced(function* (connection) {
            if (Option.getOrNull(yield* store.get(server.id))?.status !== "error") return;
            const slot = latestOf(key);
            yield* Effect.tapError(owner.recordTools(server.id, connection), () =>
              slot === undefined ? Effect.void : owner.retire(slot),
            );
            yield* outages.end(key);
          }),
        );
      });
      yield* Healing.run(outages, attempt).pipe(Scope.provide(scope));

      const retryOf = Effect.fnUntraced(function* (server: InstalledServerRow, agentId: string) {
        const key = keyOf(server, agentId);
        const now = yield* Clock.currentTimeMillis;
        return (
          leases.unreachable.get(server.id) ??
          outages.agents.get(key) ??
          outages.failures.retry(key, now) ??
          Option.getOrNull(yield* store.get(server.id))?.outage ??
          null
        );
      });

      return Connections.of({
        verify: (server, changes, f) =>
          Effect.flatMap(warmOf(server, changes), (warm) =>
            warm === null
              ? Effect.scoped(Effect.flatMap(open(server, { changes }), f))
              : Effect.catchTag(useKey(keyOf(warm, null), f), "Dropped", () =>
                  Effect.fail(changedDuringVerify),
                ),
          ),
        use: (server, agentId, f, until) => {
          const key = keyOf(server, agentId);
          return useKey(
            key,
            (connection) => counted(server, key, f(boundTo(agentId, connection))),
            until,
          );
        },
        runsHere: leases.isHere,
        warm,
        drop,
        retryOf,
        listings: owner.listings,
        resourcesChanged: owner.resourcesChanged,
        count: Effect.sync(() => slots.size),
      });
    }),
  );
}

const changedDuringVerify = new ConnectorError({
  reason: "closed",
  message: "The server changed during the verify.",
  sent: false,
});

const boundTo = (agentId: string | null, connection: GuardedConnection) =>
  (agentId === null ? null : connection.boundTo?.(agentId)) ?? connection;
