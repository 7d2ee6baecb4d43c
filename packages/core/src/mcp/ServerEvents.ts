import { Effect, Schedule, type Scope, Stream } from "effect";
import { CurrentPrincipal, system } from "../access/Principal.ts";
import type { StorageError } from "../CommonErrors.ts";
import type { AdminEventKind, Event } from "../events/Event.ts";
import type { EventLog } from "../events/EventLog.ts";

/**
 * Runs `f` for each event of MCP servers from now on, on any node, for the duration of the scope.
 */
export const follow = Effect.fnUntraced(function* (
  events: EventLog["Service"],
  kinds: ReadonlyArray<typeof AdminEventKind.Type>,
  f: (event: Event) => Effect.Effect<void>,
): Effect.fn.Return<void, StorageError, Scope.Scope> {
  const changes = yield* events
    .subscribe({ filter: { kinds } })
    .pipe(
      Effect.provideService(CurrentPrincipal, system),
      Effect.catchTag("InvalidRequest", Effect.die),
    );
  yield* changes.pipe(
    Stream.tapError((error) => Effect.logWarning("Cannot follow changes of MCP servers", error)),
    Stream.retry(Schedule.spaced("1 second")),
    Stream.runForEach(f),
    Effect.orDie,
    Effect.forkScoped,
  );
});
