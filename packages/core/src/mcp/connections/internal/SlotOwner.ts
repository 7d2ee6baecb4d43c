import { Clock, Effect, Option, PubSub, type Scope, Stream } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { ConnectorError } from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import { Pins } from "../../tools/Pins.ts";
import { type ConnectionSlot, Dropped, type Failure, type Key } from "./ConnectionSlot.ts";
import type * as Opening from "./Opening.ts";
import type { Outages } from "./Outages.ts";
import * as Placing from "./Placing.ts";
import type { ProcessLeases } from "./ProcessLeases.ts";

/** An open connection, and the time for which it stays open without use. */
interface Warm extends Opening.Opened {
  readonly idleSeconds: number;
}

/**
 * The time for which notifications of changed resources are collected: hosts list the resources
 * again after each.
 */
const settling = "1 second";

/**
 * The shortest time between two lists of the tools of a server that announces changes continuously:
 * every list is checked, compared and stored.
 */
const checks = { units: 10, duration: "1 second", burst: 10 } as const;

const whenIdle = Effect.fnUntraced(function* (slot: ConnectionSlot, { idleSeconds }: Warm) {
  if (idleSeconds === 0) return yield* Effect.never;
  const idleMillis = idleSeconds * 1_000;
  let left = idleMillis;
  while (left > 0) {
    yield* Effect.sleep(left);
    const now = yield* Clock.currentTimeMillis;
    // The idle time cannot start before now while the connection is used.
    left = (slot.unusedSince ?? now) + idleMillis - now;
  }
});

const whenStale = Effect.fnUntraced(function* ({ staleAt }: Opening.Opened) {
  if (staleAt === null) return yield* Effect.never;
  const left = staleAt - (yield* Clock.currentTimeMillis);
  yield* Effect.sleep(Math.max(0, left));
});

/**
 * Runs slots. One fiber owns a slot: it opens the connection, watches it, waits until the slot is
 * stopped and its last user has left, and closes the connection with its scope.
 */
export const make = Effect.fnUntraced(function* (outages: Outages, leases: ProcessLeases) {
  const store = yield* McpServerStore;
  const pins = yield* Pins;
  const open = yield* Placing.make(leases);
  const { failed, failures } = outages;
  const { verifySeconds } = yield* McpOptions;
  const resourceChanges = yield* Effect.acquireRelease(PubSub.sliding<Key>(1_024), PubSub.shutdown);
  let listings = 0;

  /** The server of a key, if it is enabled or retried, and still at that generation. */
  const current = Effect.fnUntraced(function* ({ generation, serverId }: Key) {
    const server = Option.getOrNull(yield* store.get(serverId));
    if (server?.generation === generation && Outage.isOffered(server)) return server;
    return yield* new Dropped({ serverId });
  });

  const recordTools = (serverId: string, { listTools }: Pick<Opening.Opened, "listTools">) =>
    listTools.pipe(
      Effect.timeoutOrElse({
        duration: `${verifySeconds} seconds`,
        orElse: () => notListed(verifySeconds),
      }),
      Effect.flatMap((listing) => pins.observe(serverId, listing)),
      Effect.catchDefect((defect) => unreadable(defect)),
      Effect.tap(() =>
        Effect.sync(() => {
          listings++;
        }),
      ),
    );

  /** Opens the connection of a slot after the delay that earlier failures require. */
  const opening = Effect.fnUntraced(function* (
    slot: ConnectionSlot,
  ): Effect.fn.Return<Warm, Failure, Scope.Scope> {
    const { agentId, serverId } = slot.key;
    yield* Effect.sleep(failures.delay(slot.key, yield* Clock.currentTimeMillis));
    const server = yield* current(slot.key);
    const connection = yield* open(server, agentId);
    yield* recordTools(serverId, connection);
    yield* outages.opened(slot.key, yield* current(slot.key));
    slot.opened(connection, yield* Clock.currentTimeMillis);
    return { ...connection, idleSeconds: server.idleSeconds };
  });

  /** Stops a slot that failed. Counts the failure before its users learn of it. */
  const fail = Effect.fnUntraced(function* (slot: ConnectionSlot, failure: Failure) {
    const when = slot.state === "opening" ? "opening" : "open";
    // The failure of a node is not the server's.
    if (slot.stop() && failure._tag === "ConnectorError" && failure.reason !== "otherNode") {
      const again = yield* failed(slot.key, failure, when);
      slot.reopens = again && when === "open";
    }
    slot.failUsers(failure);
    slot.release();
  });

  /** Stops a slot whose users may finish their calls. */
  const retire = (slot: ConnectionSlot) =>
    Effect.sync(() => {
      slot.stop();
      slot.release();
    });

  /** Stops an open slot when it is lost, unused or stale, and checks its tools when they change. */
  const watch = Effect.fnUntraced(function* (slot: ConnectionSlot, connection: Warm) {
    const announced = Effect.sync(() => slot.announced());
    const check = Effect.acquireUseRelease(
      announced,
      () => recordTools(slot.key.serverId, connection),
      (_, exit) => (exit._tag === "Success" ? Effect.sync(() => slot.checked()) : Effect.void),
    );
    yield* connection.toolsChanged.pipe(
      // Calls wait from the announcement on, even while the check has to wait.
      Stream.tap(() => announced),
      Stream.throttle({ ...checks, cost: () => 1, strategy: "shape" }),
      Stream.runForEach(() => check),
      Effect.catch((failure: ConnectorError | StorageError) => fail(slot, failure)),
      Effect.forkScoped,
    );
    yield* connection.resourcesChanged.pipe(
      Stream.runForEach(() =>
        Effect.andThen(PubSub.publish(resourceChanges, slot.key), Effect.sleep(settling)),
      ),
      Effect.forkScoped,
    );
    yield* connection.closed.pipe(
      Effect.flatMap((failure) => fail(slot, failure)),
      Effect.forkScoped,
    );
    yield* Effect.raceFirst(whenIdle(slot, connection), whenStale(connection)).pipe(
      Effect.andThen(retire(slot)),
      Effect.forkScoped,
    );
  });

  /** The life of a slot. Returns when its process has exited. */
  const run = (slot: ConnectionSlot): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Effect.raceFirst(
        Effect.flatMap(opening(slot), (connection) => watch(slot, connection)),
        slot.whenStopped,
      ).pipe(Effect.catch((failure) => fail(slot, failure)));
      yield* slot.whenStopped;
      yield* slot.whenUnused;
    }).pipe(
      Effect.scoped,
      Effect.ensuring(
        Effect.sync(() => {
          slot.stop();
          slot.close();
        }),
      ),
    );

  return {
    recordTools,
    retire,
    run,
    listings: Effect.sync(() => listings),
    resourcesChanged: Stream.fromPubSub(resourceChanges),
  };
});

/** The server did not respond to `tools/list` in time. */
export const notListed = (seconds: number): ConnectorError =>
  new ConnectorError({
    reason: "timeout",
    message: `Timed out after ${seconds} s: the server responded to \`initialize\` but not to \`tools/list\`.`,
    sent: true,
  });

const unreadable = (defect: unknown): ConnectorError =>
  new ConnectorError({
    reason: "listFailed",
    message: `The list of tools is not readable: ${defect instanceof Error ? defect.name : "?"}.`,
    sent: true,
  });
