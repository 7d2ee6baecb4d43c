import {
  Clock,
  Context,
  Deferred,
  Effect,
  Latch,
  Layer,
  Option,
  RcMap,
  type Scope,
  Stream,
} from "effect";
import * as Actor from "../Actor.ts";
import type { StorageError } from "../Errors.ts";
import { CurrentPrincipal, system } from "../access/Principal.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { type CatalogEntry, isStdio } from "./CatalogEntry.ts";
import { Failures } from "./Failures.ts";
import type { InstalledServerRow } from "./InstalledServer.ts";
import { type Connection, ConnectorError, McpConnector } from "./McpConnector.ts";
import { McpOptions } from "./McpOptions.ts";
import { McpServerStore } from "./McpServerStore.ts";
import { Pins } from "./Pins.ts";
import * as Scrubber from "./Scrubber.ts";
import { Targets } from "./Targets.ts";

/** A connection, and what takes the server's secrets out of what it says. */
export interface Opened {
  readonly connection: Connection;
  readonly scrubber: Scrubber.Scrubber;
}

/** A warm connection: who uses it waits at the gate while its tools are looked at. */
interface Warm extends Opened {
  readonly gate: Latch.Latch;
  readonly cut: Deferred.Deferred<never, ConnectorError>;
}

/** Which warm connection: of a server, at a generation, for one agent or (empty) for all. */
const keyOf = (server: InstalledServerRow, agentId: string | null): string => {
  const { manifest } = server.entry;
  const own = isStdio(manifest) && manifest.isolation === "agent" ? agentId : null;
  return JSON.stringify([server.id, server.generation, own]);
};

const parseKey = (key: string) => JSON.parse(key) as [string, number, string | null];

const closed = (message: string) => new ConnectorError({ reason: "closed", message, sent: true });

/**
 * Connections to installed servers: one warm connection per server (per agent where its entry's
 * isolation says so), opened on first use, closed when idle, opened again when it fails, given up
 * when it fails too often.
 */
export class Connections extends Context.Service<
  Connections,
  {
    /** A fresh connection, for a verify. Secrets are decrypted within its scope alone. */
    open(
      server: { readonly id: string; readonly entry: CatalogEntry },
      values: Scrubber.Values,
      agentId: string | null,
    ): Effect.Effect<Opened, ConnectorError, Scope.Scope>;
    /** Uses the warm connection. Fails with `closed` if the server is dropped meanwhile. */
    use<A, E, R>(
      server: InstalledServerRow,
      agentId: string | null,
      f: (opened: Opened) => Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | ConnectorError | StorageError, R>;
    /** Opens the warm connection in the background, where one serves all. */
    warm(server: InstalledServerRow): Effect.Effect<void>;
    /** Closes the server's warm connections, cutting off what is under way, and forgets its failures. */
    drop(serverId: string): Effect.Effect<void>;
    /** How many are open. */
    readonly count: Effect.Effect<number>;
  }
>()("@quartermaster/core/mcp/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const connector = yield* McpConnector;
      const targets = yield* Targets;
      const store = yield* McpServerStore;
      const pins = yield* Pins;
      const events = yield* EventLog;
      const { transact } = yield* Transactor;
      const { verifySeconds, idleSeconds } = yield* McpOptions;
      const layerScope = yield* Effect.scope;
      const failures = new Failures();
      const warmOnes = new Map<string, Warm>();

      const open = Effect.fn("Connections.open")(function* (
        server: { readonly id: string; readonly entry: CatalogEntry },
        values: Scrubber.Values,
        agentId: string | null,
      ) {
        const secret = server.entry.envVars.filter((one) => one.secret).map(({ name }) => name);
        const scrubber = Scrubber.make(values, new Set(secret));
        const scrubbed = (error: ConnectorError) =>
          new ConnectorError({ ...error, message: scrubber.text(error.message) });
        const target = yield* targets.make(server, values, agentId);
        const connection = yield* connector
          .connect(target, { timeoutMillis: verifySeconds * 1_000 })
          .pipe(Effect.mapError(scrubbed));
        return {
          scrubber,
          connection: {
            ...connection,
            listTools: Effect.mapError(connection.listTools, scrubbed),
            closed: Effect.map(connection.closed, scrubbed),
          },
        };
      });

      const giveUp = Effect.fnUntraced(function* (serverId: string, error: ConnectorError) {
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server?.status !== "enabled") return;
        const updatedAt = yield* Timestamp.now;
        yield* store.update({ ...server, status: "error", formerStatus: "enabled", updatedAt });
        yield* events.record([
          {
            kind: "mcp.failed",
            projectId: null,
            relatedProjectId: null,
            subjectId: serverId,
            actor: Actor.system,
            data: { name: server.name, reason: error.message },
          },
        ]);
      }, transact);

      /** Notes a failure of a warm connection. Answers whether it is worth another try. */
      const failed = Effect.fnUntraced(function* (serverId: string, error: ConnectorError) {
        const last = failures.note(serverId, yield* Clock.currentTimeMillis);
        yield* Effect.logWarning("An MCP server failed").pipe(
          Effect.annotateLogs({ serverId, reason: error.message }),
        );
        if (!last) return true;
        failures.forget(serverId);
        yield* Effect.catch(giveUp(serverId, error), (cause) =>
          Effect.logError("The state of an MCP server could not be kept", cause),
        );
        return false;
      });

      const lookAtTools = (serverId: string, connection: Connection) =>
        Effect.flatMap(connection.listTools, (tools) => pins.observe(serverId, tools, false));

      /** Opens the warm connection of a key, looks at its tools, and watches over it. */
      const lookup = (
        key: string,
      ): Effect.Effect<Warm, ConnectorError | StorageError, Scope.Scope> =>
        Effect.gen(function* () {
          const [serverId, generation, agentId] = parseKey(key);
          const now = yield* Clock.currentTimeMillis;
          yield* Effect.sleep(failures.delay(serverId, now));
          const server = Option.getOrNull(yield* store.get(serverId));
          if (server === null || server.generation !== generation) {
            return yield* closed("The server was changed or uninstalled; try again.");
          }
          const values = yield* targets.values(serverId, server.entry);
          const opened = yield* open(server, values, agentId);
          yield* lookAtTools(serverId, opened.connection);
          const gate = Latch.makeUnsafe(true);
          const cut = Deferred.makeUnsafe<never, ConnectorError>();
          const warm: Warm = { ...opened, gate, cut };
          warmOnes.set(key, warm);
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              if (warmOnes.get(key) === warm) warmOnes.delete(key);
            }),
          );
          yield* opened.connection.toolsChanged.pipe(
            Stream.runForEach(() =>
              Effect.gen(function* () {
                yield* gate.close;
                yield* lookAtTools(serverId, opened.connection);
                yield* gate.open;
              }),
            ),
            Effect.catch((error) =>
              Deferred.fail(cut, closed(`Its tools could not be read again: ${error.message}`)),
            ),
            Effect.forkScoped,
          );
          yield* opened.connection.closed.pipe(
            Effect.flatMap((error) => lost(key, serverId, error)),
            Effect.forkScoped,
          );
          return warm;
        }).pipe(
          Effect.tapError((error) =>
            Effect.andThen(
              Effect.forkIn(RcMap.invalidate(map, key), layerScope),
              error._tag === "ConnectorError" && error.reason !== "closed"
                ? failed(parseKey(key)[0], error)
                : Effect.void,
            ),
          ),
        );

      const map: RcMap.RcMap<string, Warm, ConnectorError | StorageError> = yield* RcMap.make({
        lookup,
        idleTimeToLive: `${idleSeconds} seconds`,
      });

      /** A warm connection was lost: who uses it is told, and it is opened again in a while. */
      const lost = Effect.fnUntraced(function* (
        key: string,
        serverId: string,
        error: ConnectorError,
      ) {
        const warm = warmOnes.get(key);
        if (warm !== undefined) yield* Deferred.fail(warm.cut, error);
        const again = yield* failed(serverId, error);
        yield* RcMap.invalidate(map, key).pipe(
          Effect.andThen(again ? reopen(key) : Effect.void),
          Effect.forkIn(layerScope),
        );
      });

      /** Opens the connection of a key and leaves it to its idle time. */
      const reopen = (key: string): Effect.Effect<void> =>
        Effect.scoped(RcMap.get(map, key)).pipe(
          Effect.asVoid,
          Effect.catch((error) =>
            error._tag === "ConnectorError" && error.reason !== "closed"
              ? Effect.suspend(() =>
                  failures.pending(parseKey(key)[0]) ? reopen(key) : Effect.void,
                )
              : Effect.void,
          ),
        );

      const use = <A, E, R>(
        server: InstalledServerRow,
        agentId: string | null,
        f: (opened: Opened) => Effect.Effect<A, E, R>,
      ) =>
        Effect.scoped(
          Effect.flatMap(RcMap.get(map, keyOf(server, agentId)), (warm) =>
            Effect.andThen(warm.gate.await, f(warm)).pipe(
              Effect.raceFirst(Deferred.await(warm.cut)),
            ),
          ),
        );

      const warm = (server: InstalledServerRow) => {
        const { manifest } = server.entry;
        return isStdio(manifest) && manifest.isolation === "agent"
          ? Effect.void
          : Effect.asVoid(Effect.forkIn(reopen(keyOf(server, null)), layerScope));
      };

      const drop = Effect.fn("Connections.drop")(function* (serverId: string) {
        failures.forget(serverId);
        for (const [key, one] of warmOnes) {
          if (parseKey(key)[0] !== serverId) continue;
          yield* Deferred.fail(one.cut, closed("The server was changed, disabled or uninstalled."));
        }
        const keys = yield* RcMap.keys(map);
        for (const key of keys) {
          if (parseKey(key)[0] === serverId) yield* RcMap.invalidate(map, key);
        }
      });

      // What another node changed drops the connections here, too.
      const changes = yield* Effect.provideService(
        events.subscribe({
          filter: { kinds: ["mcp.updated", "mcp.disabled", "mcp.uninstalled"] },
        }),
        CurrentPrincipal,
        system,
      ).pipe(Effect.orDie);
      yield* changes.pipe(
        Stream.runForEach((event) => drop(event.subjectId)),
        Effect.catch((error) => Effect.logError("MCP servers are not watched any more", error)),
        Effect.forkScoped,
      );

      const count = Effect.sync(() => warmOnes.size);

      return Connections.of({ open, use, warm, drop, count });
    }),
  );
}
