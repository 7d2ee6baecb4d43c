import { Clock, Deferred, Effect, Exit, Scope } from "effect";
import { ConnectorError } from "../../McpConnector.ts";
import * as Outage from "../../Outage.ts";
import {
  ConnectionSlot,
  type Failure,
  isAvailable,
  type Key,
  type User,
} from "./ConnectionSlot.ts";
import type { GuardedConnection } from "./GuardedConnection.ts";
import type { Outages } from "./Outages.ts";
import type * as SlotOwner from "./SlotOwner.ts";

/** The slots of this node: the available slot of each key, and slots that still close. */
export const make = Effect.fnUntraced(function* (
  owner: Effect.Success<ReturnType<typeof SlotOwner.make>>,
  outages: Outages,
) {
  // At shutdown all connections close at the same time: each may take a while.
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel");
  /** The latest slot of each key, and every slot that is not closed. */
  const latest = new Map<string, ConnectionSlot>();
  const slots = new Set<ConnectionSlot>();

  const start = Effect.fnUntraced(function* (slot: ConnectionSlot, name: string) {
    latest.set(name, slot);
    slots.add(slot);
    yield* owner.run(slot).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          slots.delete(slot);
          if (latest.get(name) === slot) latest.delete(name);
        }),
      ),
      Effect.andThen(Effect.suspend(() => (slot.reopens ? keepWarm(slot.key) : Effect.void))),
      Effect.forkIn(scope, { startImmediately: true }),
    );
  });

  /** Enters the available slot of the key, or a new one. */
  const enter = Effect.fnUntraced(function* (key: Key, user: User) {
    const name = JSON.stringify(key);
    const available = latest.get(name);
    const slot =
      available !== undefined && isAvailable(available.state) ? available : new ConnectionSlot(key);
    slot.enter(user);
    if (slot !== available) yield* start(slot, name);
    return slot;
  });

  const useKey = <A, E, R, E2 = never>(
    key: Key,
    f: (connection: GuardedConnection) => Effect.Effect<A, E, R>,
    until?: Deferred.Deferred<never, E2 | Failure>,
  ): Effect.Effect<A, E | E2 | Failure, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<A, E | E2 | Failure, R> => {
      const outage = outages.agents.get(key);
      if (outage?.retryAt != null && Outage.millisLeft(outage.retryAt, now) > 0) {
        const { reason: message } = outage;
        return new ConnectorError({ reason: "unreachable", message, sent: false });
      }
      const failed = until ?? Deferred.makeUnsafe<never, E2 | Failure>();
      const user = {
        fail: (failure: Failure) => {
          Deferred.doneUnsafe(failed, Exit.fail(failure));
        },
      };
      return Effect.acquireUseRelease(
        enter(key, user),
        (slot) => Effect.raceFirst(Effect.flatMap(slot.whenChecked, f), Deferred.await(failed)),
        (slot) => Effect.map(Clock.currentTimeMillis, (now) => slot.leave(user, now)),
      );
    });

  /**
   * Opens the connection of a key, again after each failure, until the service gives up on the
   * server.
   */
  const keepWarm = (key: Key): Effect.Effect<void> =>
    Effect.catch(
      useKey(key, () => Effect.void),
      (failure) =>
        Effect.suspend(() =>
          failure._tag === "ConnectorError" && outages.failures.isFailing(key)
            ? keepWarm(key)
            : Effect.void,
        ),
    );

  return {
    scope,
    slots,
    useKey,
    keepWarm,
    latestOf: (key: Key) => latest.get(JSON.stringify(key)),
  };
});
