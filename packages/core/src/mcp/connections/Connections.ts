import {
  Clock,
  Context,
  Deferred,
  Effect,
  Exit,
  Latch,
  Layer,
  Option,
  RcMap,
  Schema,
  type Scope,
  Stream,
} from "effect";
import * as Actor from "../../Actor.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type CatalogEntry, isStdio } from "../CatalogEntry.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { type Connection, ConnectorError } from "../McpConnector.ts";
import { McpOptions } from "../McpOptions.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as ServerEvents from "../ServerEvents.ts";
import type * as Scrubber from "../values/internal/Scrubber.ts";
import { Targets } from "../values/internal/Targets.ts";
import { Failures } from "./internal/Failures.ts";
import * as Opening from "./internal/Opening.ts";
import { Pins } from "./internal/Pins.ts";

/** The server was changed, disabled or uninstalled while it was used, or about to be. */
export class Dropped extends Schema.TaggedError<Dropped>()("Dropped", {
  serverId: Schema.String,
}) {}

/** Why a connection cannot be used. */
export type Failure = ConnectorError | Dropped | StorageError;

/** A connection, from before it is opened until it is closed. */
interface Line {
  readonly key: string;
  /** How those who use it, or open it, are cut off. */
  readonly users: Set<(error: Failure) => void>;
  /** Why it is of no use any more. */
  lost: Failure | null;
  /** Done when nothing of it is left. */
  readonly closed: Deferred.Deferred<void>;
}

/** A warm connection: who uses it waits at the gate while its tools are looked at. */
interface Warm {
  readonly line: Line;
  readonly connection: Connection;
  readonly gate: Latch.Latch;
}

/** Cuts off all who use it, and who is about to. */
const cut = (line: Line, error: Failure): void => {
  line.lost ??= error;
  for (const end of line.users) end(line.lost);
};

/** Which warm connection: of a server, at a generation, for one agent or (null) for all. */
const keyOf = (server: InstalledServerRow, agentId: string | null): string =>
  JSON.stringify([server.id, server.generation, isolated(server) ? agentId : null]);

const parseKey = (key: string) => JSON.parse(key) as [string, number, string | null];

const isolated = ({ entry: { manifest } }: InstalledServerRow): boolean =>
  isStdio(manifest) && manifest.isolation === "agent";

/**
 * Connections to installed servers: one warm connection per server (per agent where its entry's
 * isolation says so), opened on first use, closed when idle, opened again when it fails, given up
 * when it fails too often. No secret of the server's is in what a connection says.
 */
export class Connections extends Context.Service<
  Connections,
  {
    /** A fresh connection, for a verify. Secrets are decrypted within its scope alone. */
    open(
      server: { readonly id: string; readonly entry: CatalogEntry },
      values: Scrubber.Values,
      agentId: string | null,
    ): Effect.Effect<Connection, ConnectorError | StorageError, Scope.Scope>;
    /**
     * Uses the warm connection; `f` is told whether its tools may have been looked at since it was
     * asked for. Fails with `Dropped` if the server is dropped meanwhile, and as `until` does once
     * that has failed.
     */
    use<A, E, R, E2 = never>(
      server: InstalledServerRow,
      agentId: string | null,
      f: (connection: Connection, waited: boolean) => Effect.Effect<A, E, R>,
      until?: Deferred.Deferred<never, E2 | Failure>,
    ): Effect.Effect<A, E | E2 | Failure, R>;
    /**
     * Opens the warm connection in the background: the one that serves all, or one for nobody if
     * each agent has its own and the server's tools were never seen. What was left of it as it no
     * longer is is closed before.
     */
    warm(server: InstalledServerRow): Effect.Effect<void>;
    /**
     * Closes warm connections of the server as it no longer is, cutting off what is under way, and
     * waits until they are closed.
     */
    drop(serverId: string): Effect.Effect<void>;
    /** How many are open, or about to be. */
    readonly count: Effect.Effect<number>;
  }
>()("@quartermaster/core/mcp/connections/Connections") {
  static readonly layerNoDeps = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const open = yield* Opening.make;
      const targets = yield* Targets;
      const store = yield* McpServerStore;
      const pins = yield* Pins;
      const events = yield* EventLog;
      const { transact } = yield* Transactor;
      const { verifySeconds, idleSeconds } = yield* McpOptions;
      const layerScope = yield* Effect.scope;
      const failures = new Failures();
      /** Those that who comes next uses, by their keys. */
      const warmOnes = new Map<string, Warm>();
      const lines = new Set<Line>();

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

      /** Notes a failure of a connection, or to open one. Answers whether it is worth another try. */
      const failed = Effect.fnUntraced(function* (
        key: string,
        error: ConnectorError,
        note: "note" | "noteInVain",
      ) {
        const [serverId, generation] = parseKey(key);
        const last = failures[note](serverId, generation, yield* Clock.currentTimeMillis);
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
        connection.listTools.pipe(
          Effect.timeoutOrElse({
            duration: `${verifySeconds} seconds`,
            orElse: () => notListed(verifySeconds),
          }),
          Effect.flatMap((tools) => pins.observe(serverId, tools, false)),
          Effect.catchDefect((defect) => unreadable(defect)),
        );

      /** The server of a key, if it is still as the key says, and enabled. */
      const current = Effect.fnUntraced(function* (key: string) {
        const [serverId, generation] = parseKey(key);
        const server = Option.getOrNull(yield* store.get(serverId));
        if (server?.generation === generation && server.status === "enabled") return server;
        return yield* new Dropped({ serverId });
      });

      /** Nobody comes to use it any more. Answers whether somebody would have. */
      const retire = (line: Line): boolean =>
        warmOnes.get(line.key)?.line === line && warmOnes.delete(line.key);

      /** Opens the warm connection of a line, looks at its tools, and watches over it. */
      const connect = (line: Line): Effect.Effect<Warm, Failure, Scope.Scope> =>
        Effect.gen(function* () {
          const { key } = line;
          const [serverId, generation, agentId] = parseKey(key);
          const now = yield* Clock.currentTimeMillis;
          yield* Effect.sleep(failures.delay(serverId, generation, now));
          const server = yield* current(key);
          const values = yield* targets.values(serverId, server.entry);
          const connection = yield* open(server, values, agentId);
          yield* lookAtTools(serverId, connection);
          yield* current(key);
          const gate = Latch.makeUnsafe(true);
          const warm: Warm = { line, connection, gate };
          warmOnes.set(key, warm);
          failures.cameUp(serverId, generation);
          yield* Effect.addFinalizer(() => Effect.sync(() => retire(line)));
          yield* connection.toolsChanged.pipe(
            Stream.runForEach(() =>
              Effect.andThen(gate.close, lookAtTools(serverId, connection)).pipe(
                Effect.andThen(gate.open),
              ),
            ),
            Effect.catch((error) => lost(line, error)),
            Effect.forkScoped,
          );
          yield* connection.closed.pipe(
            Effect.flatMap((error) => lost(line, error)),
            Effect.forkScoped,
          );
          if (connection.staleAt !== null) {
            const left = connection.staleAt - (yield* Clock.currentTimeMillis);
            yield* Effect.sleep(Math.max(0, left)).pipe(
              // What is under way goes on; who comes next opens another one.
              Effect.andThen(
                Effect.suspend(() =>
                  retire(line)
                    ? Effect.asVoid(Effect.forkIn(RcMap.invalidate(map, key), layerScope))
                    : Effect.void,
                ),
              ),
              Effect.forkScoped,
            );
          }
          return warm;
        });

      const lineOf = (key: string): Effect.Effect<Line, never, Scope.Scope> =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const closed = Deferred.makeUnsafe<void>();
            const line: Line = { key, users: new Set(), lost: null, closed };
            lines.add(line);
            return line;
          }),
          (line) => {
            lines.delete(line);
            return Deferred.succeed(line.closed, undefined);
          },
        );

      const lookup = (key: string): Effect.Effect<Warm, Failure, Scope.Scope> =>
        Effect.gen(function* () {
          // The first that the scope is given is the last that it releases.
          const line = yield* lineOf(key);
          const over = Deferred.makeUnsafe<never, Failure>();
          const end = (error: Failure) => {
            Deferred.doneUnsafe(over, Exit.fail(error));
          };
          line.users.add(end);
          return yield* Effect.raceFirst(connect(line), Deferred.await(over)).pipe(
            Effect.ensuring(Effect.sync(() => line.users.delete(end))),
          );
        }).pipe(
          Effect.tapError((error) =>
            Effect.andThen(
              // Taken out at once, and not by this fiber, which ends with what is closed.
              Effect.forkIn(RcMap.invalidate(map, key), layerScope, { startImmediately: true }),
              error._tag === "ConnectorError" ? failed(key, error, "noteInVain") : Effect.void,
            ),
          ),
        );

      const map: RcMap.RcMap<string, Warm, Failure> = yield* RcMap.make({
        lookup,
        idleTimeToLive: `${idleSeconds} seconds`,
      });
      // At the end all of them at once: each may take its time.
      yield* Effect.addFinalizer(() =>
        Effect.flatMap(RcMap.keys(map), (keys) =>
          Effect.forEach(keys, (key) => RcMap.invalidate(map, key), {
            concurrency: "unbounded",
            discard: true,
          }),
        ),
      );

      /** A warm connection was lost: who uses it is told, and it is opened again in a while. */
      const lost = Effect.fnUntraced(function* (line: Line, error: ConnectorError | StorageError) {
        const { key } = line;
        cut(line, error);
        if (!retire(line)) return;
        const again = error._tag === "ConnectorError" && (yield* failed(key, error, "note"));
        // Not by this fiber, which ends with what is closed.
        yield* Effect.andThen(RcMap.invalidate(map, key), again ? reopen(key) : Effect.void).pipe(
          Effect.forkIn(layerScope),
        );
      });

      /** Opens the connection of a key and leaves it to its idle time. */
      const reopen = (key: string): Effect.Effect<void> =>
        Effect.scoped(RcMap.get(map, key)).pipe(
          Effect.asVoid,
          Effect.catch((error) =>
            error._tag === "ConnectorError"
              ? Effect.suspend(() =>
                  failures.pending(parseKey(key)[0]) ? reopen(key) : Effect.void,
                )
              : Effect.void,
          ),
        );

      const use = <A, E, R, E2 = never>(
        server: InstalledServerRow,
        agentId: string | null,
        f: (connection: Connection, waited: boolean) => Effect.Effect<A, E, R>,
        until?: Deferred.Deferred<never, E2 | Failure>,
      ) =>
        Effect.suspend(() => {
          const over = until ?? Deferred.makeUnsafe<never, E2 | Failure>();
          const end = (error: Failure) => {
            Deferred.doneUnsafe(over, Exit.fail(error));
          };
          const key = keyOf(server, agentId);
          const before = warmOnes.get(key);
          const wasOpen = before?.gate.isOpen() === true;
          const used = Effect.flatMap(
            RcMap.get(map, key),
            (warm): Effect.Effect<A, E | Failure, R> => {
              const { line } = warm;
              if (line.lost !== null) return Effect.fail(line.lost);
              line.users.add(end);
              const waited = warm !== before || !wasOpen || !warm.gate.isOpen();
              return Effect.andThen(warm.gate.await, f(warm.connection, waited)).pipe(
                Effect.ensuring(Effect.sync(() => line.users.delete(end))),
              );
            },
          );
          return Effect.raceFirst(Effect.scoped(used), Deferred.await(over));
        });

      const drop = Span.fn("Connections.drop")(function* (serverId: string) {
        const server = yield* Effect.catch(store.get(serverId), () => Effect.succeedNone);
        const stale = (key: string) => {
          const [id, generation] = parseKey(key);
          return id === serverId && generation !== Option.getOrNull(server)?.generation;
        };
        const over = [...lines].filter(({ key }) => stale(key));
        for (const line of over) {
          retire(line);
          cut(line, new Dropped({ serverId }));
        }
        const atOnce = { concurrency: "unbounded", discard: true } as const;
        const keys = [...(yield* RcMap.keys(map))].filter(stale);
        yield* Effect.forEach(keys, (key) => RcMap.invalidate(map, key), atOnce);
        yield* Effect.forEach(over, ({ closed }) => Deferred.await(closed), atOnce);
        if (Option.isNone(server)) failures.forget(serverId);
      });

      const warm = (server: InstalledServerRow) => {
        const isOpened = !isolated(server) || !server.known;
        return Effect.andThen(
          drop(server.id),
          isOpened ? reopen(keyOf(server, null)) : Effect.void,
        ).pipe(Effect.forkIn(layerScope), Effect.asVoid);
      };

      // What another node changed drops the connections here, too.
      yield* ServerEvents.follow(
        events,
        ["mcp.updated", "mcp.enabled", "mcp.disabled", "mcp.uninstalled"],
        (event) => Effect.asVoid(Effect.forkIn(drop(event.subjectId), layerScope)),
      );

      const count = Effect.sync(() => lines.size);

      return Connections.of({ open, use, warm, drop, count });
    }),
  );
}

/** `tools/list` was not answered in time. */
export const notListed = (seconds: number): ConnectorError =>
  new ConnectorError({
    reason: "timeout",
    message: `Timed out after ${seconds} s: \`initialize\` was answered, \`tools/list\` was not.`,
    sent: true,
  });

const unreadable = (defect: unknown): ConnectorError =>
  new ConnectorError({
    reason: "listFailed",
    message: `Its list of tools could not be read: ${defect instanceof Error ? defect.name : "?"}.`,
    sent: true,
  });
