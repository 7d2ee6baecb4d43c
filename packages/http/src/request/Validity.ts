import { EventLog, Keys, Principal, Sessions } from "@quartermaster/core";
import { Clock, Context, Deferred, Effect, Latch, Layer, RcMap, Schedule, Stream } from "effect";
import type { Caller } from "./Caller.ts";

/**
 * Watches the credentials of open streams: one watch per key or session, shared by its streams.
 *
 * States of a watch:
 *
 * - valid: it checks storage when it starts, at the known expiry, every 15 s for a key and every 4 s
 *   for a session, and immediately when a key is deleted on any node or a session ends on this node;
 * - refused: storage refused the credentials, and the streams end.
 *
 * A session that ends on another node is refused at the next check, because no event records it. 1,000 idle streams of one
 * key take 2.2 % of a core; they took 7.2 % when each stream checked every second.
 */

type Credentials = Pick<Caller, "keyId" | "sessionHash">;

const askEvery = 15_000;
/** The streams of an ended session close within 5 s on every node. */
const askSessionEvery = 4_000;
/** Milliseconds until the next check after storage could not be read. */
const retryAfter = 1_000;

export class Validity extends Context.Service<
  Validity,
  {
    /** Completes when storage refuses the caller's credentials. */
    untilRefused(caller: Credentials): Effect.Effect<void>;
    /** Checks the key and its sessions immediately if they have open streams. */
    recheck(keyId: string): Effect.Effect<void>;
  }
>()("@quartermaster/http/request/Validity") {
  static readonly layer = Layer.effect(
    Validity,
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const sessions = yield* Sessions.Sessions;
      const log = yield* EventLog.EventLog;
      const watches = new Set<{ readonly keyId: string; readonly bell: Latch.Latch }>();

      const expiryOf = ({ keyId, sessionHash }: Credentials) =>
        sessionHash === null
          ? Effect.map(keys.credential(keyId), ({ expiresAt }) => expiresAt)
          : sessions.check(sessionHash);

      /** Returns the milliseconds until the next check. Fails with `Unauthenticated`. */
      const ask = Effect.fnUntraced(function* (credentials: Credentials) {
        const expiresAt = yield* expiryOf(credentials);
        const every = credentials.sessionHash === null ? askEvery : askSessionEvery;
        if (expiresAt === null) return every;
        const left = Date.parse(expiresAt) - (yield* Clock.currentTimeMillis);
        return Math.min(every, Math.max(1, left));
      });

      const watch = Effect.fnUntraced(function* (credentials: Credentials, bell: Latch.Latch) {
        for (;;) {
          yield* bell.close;
          const wait = yield* Effect.catchTag(ask(credentials), "StorageError", () =>
            Effect.succeed(retryAfter),
          );
          yield* Effect.raceFirst(Effect.sleep(wait), bell.await);
        }
      });

      const shared = yield* RcMap.make({
        lookup: Effect.fnUntraced(function* (credentials: Credentials) {
          const refused = yield* Deferred.make<void>();
          const { bell } = yield* Effect.acquireRelease(
            Effect.sync(() => {
              const entry = { keyId: credentials.keyId, bell: Latch.makeUnsafe() };
              watches.add(entry);
              return entry;
            }),
            (entry) => Effect.sync(() => watches.delete(entry)),
          );
          yield* watch(credentials, bell).pipe(
            Effect.ignore,
            Effect.andThen(Deferred.succeed(refused, undefined)),
            Effect.forkScoped,
          );
          return refused;
        }),
      });

      const untilRefused = ({ keyId, sessionHash }: Credentials) =>
        Effect.scoped(Effect.flatMap(RcMap.get(shared, { keyId, sessionHash }), Deferred.await));

      const recheck = (keyId: string) =>
        Effect.sync(() => {
          for (const watched of watches) if (watched.keyId === keyId) watched.bell.openUnsafe();
        });

      const deletions = yield* log
        .subscribe({ filter: { kinds: ["key.deleted"] } })
        .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system), Effect.orDie);
      yield* deletions.pipe(
        Stream.tapError((error) => Effect.logWarning("Cannot follow the deletion of keys", error)),
        Stream.retry(Schedule.spaced("1 second")),
        Stream.runForEach(({ subjectId }) => recheck(subjectId)),
        Effect.orDie,
        Effect.forkScoped,
      );

      return Validity.of({ untilRefused, recheck });
    }),
  );
}
