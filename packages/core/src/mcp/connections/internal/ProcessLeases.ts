import { Clock, Deferred, Effect, Option, type Scope, Semaphore } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { ConnectorError } from "../../McpConnector.ts";
import { Nodes } from "../../Nodes.ts";
import type * as Outage from "../../Outage.ts";
import * as Passed from "../../Passed.ts";
import { type ProcessLease, ProcessLeaseStore } from "../../ProcessLeaseStore.ts";

/**
 * Leases of processes that a server has once in the whole service. The node with the lease runs the process and
 * renews the lease. If it cannot, it stops the process before the lease expires, so that the process of the next
 * node never runs beside it. Calls read the leases of their own node from memory.
 */

const leaseSeconds = 30;
const renewal = "5 seconds";
/** A process has 5 seconds to stop. */
const stopMillis = 8_000;

/** A lease of this node, which lasts as long as the scope. */
export interface Held {
  /** Fails once the lease has expired, although its process may still run. */
  readonly check: Effect.Effect<void, ConnectorError>;
  /** Completes when the process has to stop. */
  readonly lost: Effect.Effect<ConnectorError>;
}

const lostLease = new ConnectorError({
  reason: "otherNode",
  message: "The node could not renew its lease of the server's process, and stopped the process.",
  sent: true,
});

const expired = Passed.elsewhere("The lease of the server's process has expired.");

export const make = Effect.gen(function* () {
  const nodes = yield* Nodes;
  const store = yield* ProcessLeaseStore;
  const { transact } = yield* Transactor;
  const random = yield* SecureRandom.SecureRandom;
  const nodeId = Hex.encode(yield* random.randomBytes(8));
  /** The end of each lease of this node, in milliseconds since the epoch. */
  const ends = new Map<string, number>();
  /** One for each server: its process starts after the one before has exited. */
  const permits = new Map<string, Semaphore.Semaphore>();
  /** Leases of nodes that do not respond. */
  const unreachable = new Map<string, Outage.Retry>();

  /** Takes or renews a lease. Returns the lease of another node if it has not expired. */
  const take = (serverId: string) =>
    Effect.tap(
      transact(
        Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const found = Option.getOrNull(yield* store.get(serverId));
          if (found !== null && found.nodeId !== nodeId && found.expiresAt > now) return found;
          const expiresAt = Timestamp.addSeconds(now, leaseSeconds);
          const lease: ProcessLease = { serverId, nodeId, url: nodes?.url ?? null, expiresAt };
          yield* store.put(lease);
          return lease;
        }),
      ),
      (lease) =>
        Effect.sync(() => {
          if (lease.nodeId === nodeId) ends.set(serverId, Date.parse(lease.expiresAt));
        }),
    );

  const release = (serverId: string) =>
    Effect.suspend(() => {
      ends.delete(serverId);
      return Effect.ignore(transact(store.remove(serverId, nodeId)));
    });

  const permitOf = (serverId: string) => {
    const permit = permits.get(serverId) ?? Semaphore.makeUnsafe(1);
    permits.set(serverId, permit);
    return permit;
  };

  const endOf = (serverId: string) => ends.get(serverId) ?? 0;

  /** Completes when another node has the lease. */
  const renew = (serverId: string): Effect.Effect<void> =>
    Effect.sleep(renewal).pipe(
      Effect.andThen(take(serverId)),
      Effect.map((lease) => lease.nodeId === nodeId),
      Effect.catch((error) =>
        Effect.as(
          Effect.logWarning("Cannot renew the lease of an MCP server's process", error),
          true,
        ),
      ),
      Effect.repeat({ while: (isHeld) => isHeld }),
      Effect.asVoid,
    );

  /** Completes when the process has to stop because the lease was not renewed. */
  const due = (serverId: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = endOf(serverId) - stopMillis - now;
      return left <= 0 ? Effect.void : Effect.andThen(Effect.sleep(left), due(serverId));
    });

  /** Takes the lease of a server for the scope, or returns the lease of another node. */
  const hold = Effect.fnUntraced(function* (
    serverId: string,
  ): Effect.fn.Return<Held | ProcessLease, StorageError, Scope.Scope> {
    yield* permitOf(serverId).takeScoped(1);
    const lease = yield* Effect.acquireRelease(take(serverId), (taken) =>
      taken.nodeId === nodeId ? release(serverId) : Effect.void,
    );
    if (lease.nodeId !== nodeId) return lease;
    unreachable.delete(serverId);
    const lost = Deferred.makeUnsafe<ConnectorError>();
    yield* Effect.raceFirst(renew(serverId), due(serverId)).pipe(
      Effect.andThen(Deferred.succeed(lost, lostLease)),
      Effect.forkScoped,
    );
    return {
      check: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now < endOf(serverId) ? Effect.void : Effect.fail(expired),
      ),
      lost: Deferred.await(lost),
    };
  });

  return {
    nodes,
    hold,
    /** Whether this node has the lease, and is the node that a request means. */
    isHere: (request: Pick<Passed.Request, "nodeId" | "serverId">) =>
      request.nodeId === nodeId && ends.has(request.serverId),
    unreachable,
  };
});

export type ProcessLeases = Effect.Success<typeof make>;
