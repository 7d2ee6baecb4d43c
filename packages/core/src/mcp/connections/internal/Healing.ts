import { Clock, Effect, Queue, type Scope, Semaphore } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { EventLog } from "../../../events/EventLog.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import type { Dropped, Failure } from "./ConnectionSlot.ts";
import type { Outages } from "./Outages.ts";

/**
 * Attempts in progress on this node. If all servers hang until their time limit of 30 s, a new
 * attempt starts every 10 s.
 */
const maxAttempts = 3;

/** Events after which an attempt may be due earlier. */
const kinds = ["mcp.failed", "mcp.verified", "mcp.updated"] as const;

/** The delay after a failure of storage. */
const pauseMillis = 5_000;

/**
 * Retries servers that are out, without any call, for the duration of the scope. The times are in
 * storage, so a new node continues with them. Nodes take turns: each attempt is claimed first.
 */
export const run = Effect.fnUntraced(function* (
  { claim, postpone }: Outages,
  /** Opens a connection and lists the tools, which ends the outage. */
  attempt: (server: InstalledServerRow) => Effect.Effect<void, Failure>,
): Effect.fn.Return<void, StorageError, EventLog | McpServerStore | Scope.Scope> {
  const store = yield* McpServerStore;
  const events = yield* EventLog;
  const scope = yield* Effect.scope;
  const bell = yield* Queue.sliding<void>(1);
  const wake = Queue.offer(bell, undefined);
  const permits = Semaphore.makeUnsafe(maxAttempts);
  const inProgress = new Set<string>();

  const heal = Effect.fnUntraced(
    function* (
      server: InstalledServerRow,
    ): Effect.fn.Return<void, ConnectorError | Dropped | StorageError> {
      const claimed = yield* claim(server);
      if (claimed === null) return;
      yield* Effect.catchTag(attempt(claimed), "ConnectorError", ({ message }) =>
        postpone(claimed, message),
      );
    },
    permits.withPermits(1),
    Effect.catchTag("Dropped", () => Effect.void),
    Effect.catch((cause) =>
      Effect.andThen(
        Effect.logWarning("Cannot retry an MCP server", cause),
        Effect.sleep(pauseMillis),
      ),
    ),
  );

  /** Starts the attempts that are due. Returns the milliseconds until the next one. */
  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    let next = Infinity;
    for (const server of yield* store.list) {
      const retryAt = server.outage?.retryAt ?? null;
      if (retryAt === null || inProgress.has(server.id)) continue;
      const left = Outage.millisLeft(retryAt, now);
      if (left > 0) {
        next = Math.min(next, left);
        continue;
      }
      inProgress.add(server.id);
      yield* heal(server).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            inProgress.delete(server.id);
            return wake;
          }),
        ),
        Effect.forkIn(scope),
      );
    }
    return next;
  });

  yield* ServerEvents.follow(events, kinds, () => Effect.asVoid(wake));
  yield* look.pipe(
    Effect.catch((cause) =>
      Effect.as(Effect.logWarning("Cannot read the MCP servers that are out", cause), pauseMillis),
    ),
    Effect.flatMap((wait) =>
      wait === Infinity ? Queue.take(bell) : Effect.raceFirst(Queue.take(bell), Effect.sleep(wait)),
    ),
    Effect.forever,
    Effect.forkIn(scope),
  );
});
