import type { Server } from "@modelcontextprotocol/server";
import { EventLog, Principal } from "@quartermaster/core";
import { Clock, Context, Effect, Layer, Schedule, Stream } from "effect";
import { EndpointOptions } from "./EndpointOptions.ts";
import type { SessionTransport } from "./plain/SessionTransport.ts";

/** A session of a legacy protocol version on this node. It belongs to the key that started it. */
export interface McpSession {
  readonly id: string;
  readonly keyId: string;
  /** The expiry of the key, in Unix ms; null if the key never expires. */
  readonly expiresAt: number | null;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Stops listening for changed tools. */
  readonly stopListening: () => void;
  /** Whether tools may have changed while no node had the session. The next stream announces it. */
  missedChanges: boolean;
  usedAt: number;
  /** The number of open streams and pending responses. */
  streams: number;
}

/** Counts a pending response or an open stream, which prevents expiry. */
export const beginUse = (session: McpSession): void => {
  session.streams += 1;
};

/** Reverts `beginUse`. */
export const endUse = (session: McpSession): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    session.streams -= 1;
    session.usedAt = now;
  });

/** The interval between removals of expired sessions. */
const sweep = "30 seconds";

/** Sessions on this node, limited by number, idle time and the expiry of their keys. */
export class McpSessions extends Context.Service<
  McpSessions,
  {
    /** Whether this node has the session and this key started it. */
    has(id: string, keyId: string): boolean;
    /** The session with this id, if this key started it. */
    find(id: string, keyId: string): Effect.Effect<McpSession | undefined>;
    /** Stores a session. Above the limit, closes the least recently used one. */
    add(session: McpSession): void;
    /**
     * Stores a rebuilt session, unless another request stored one first. Returns the stored
     * session.
     */
    adopt(session: McpSession): McpSession;
    remove(id: string): void;
  }
>()("@quartermaster/mcp/agents/endpoint/McpSessions") {
  static readonly layer = Layer.effect(
    McpSessions,
    Effect.gen(function* () {
      const { idleSeconds, maxSessions, maxSessionsPerKey } = yield* EndpointOptions;
      const log = yield* EventLog.EventLog;
      /** In order of use, least recently used first. */
      const sessions = new Map<string, McpSession>();

      const close = ({ stopListening, transport }: McpSession) => {
        stopListening();
        void transport.close();
      };

      const remove = (id: string) => {
        const session = sessions.get(id);
        if (session === undefined) return;
        sessions.delete(id);
        close(session);
      };

      /**
       * Selects the session to evict: the least recently used without a stream, otherwise the least
       * recently used.
       */
      const leastUsed = (candidates: ReadonlyArray<McpSession>) =>
        candidates.find(({ streams }) => streams === 0) ?? candidates[0];

      const makeRoom = (most: number, isCounted: (session: McpSession) => boolean) => {
        const counted = [...sessions.values()].filter(isCounted);
        if (counted.length < most) return;
        const candidate = leastUsed(counted);
        if (candidate !== undefined) remove(candidate.id);
      };

      const add = (session: McpSession) => {
        makeRoom(maxSessionsPerKey, ({ keyId }) => keyId === session.keyId);
        if (sessions.size >= maxSessions) makeRoom(maxSessions, () => true);
        sessions.set(session.id, session);
      };

      const adopt = (session: McpSession) => {
        const held = sessions.get(session.id);
        if (held === undefined) add(session);
        else close(session);
        return held ?? session;
      };

      const has = (id: string, keyId: string) => sessions.get(id)?.keyId === keyId;

      const isExpired = ({ expiresAt, streams, usedAt }: McpSession, now: number) =>
        (expiresAt !== null && expiresAt <= now) ||
        (streams === 0 && now - usedAt >= idleSeconds * 1_000);

      const find = (id: string, keyId: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const session = sessions.get(id);
          if (session?.keyId !== keyId) return undefined;
          if (isExpired(session, now)) {
            remove(id);
            return undefined;
          }
          session.usedAt = now;
          sessions.delete(id);
          sessions.set(id, session);
          return session;
        });

      yield* Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        for (const session of sessions.values()) if (isExpired(session, now)) remove(session.id);
      }).pipe(Effect.repeat(Schedule.spaced(sweep)), Effect.forkScoped);

      const deletions = yield* log
        .subscribe({ filter: { kinds: ["key.deleted"] } })
        .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system), Effect.orDie);
      yield* deletions.pipe(
        Stream.tapError((error) => Effect.logWarning("Cannot follow the deletion of keys", error)),
        Stream.retry(Schedule.spaced("1 second")),
        Stream.runForEach(({ subjectId }) =>
          Effect.sync(() => {
            for (const { id, keyId } of sessions.values()) if (keyId === subjectId) remove(id);
          }),
        ),
        Effect.orDie,
        Effect.forkScoped,
      );

      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const id of sessions.keys()) remove(id);
        }),
      );

      return McpSessions.of({ has, find, add, adopt, remove });
    }),
  );
}
