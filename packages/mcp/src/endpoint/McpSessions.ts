import type { Server } from "@modelcontextprotocol/server";
import { EventLog, Principal } from "@quartermaster/core";
import { Clock, Context, Effect, Layer, Schedule, Stream } from "effect";
import { EndpointOptions } from "./EndpointOptions.ts";
import type { SessionTransport } from "./plain/SessionTransport.ts";

/** A session of the older revisions. It belongs to the key that it was begun with. */
export interface McpSession {
  readonly id: string;
  readonly keyId: string;
  /** Of its key, in ms; null for a key that never expires. */
  readonly expiresAt: number | null;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** How to listen for changes no longer. */
  readonly stopListening: () => void;
  usedAt: number;
  /** Streams of it that are open, and answers that are waited for. */
  streams: number;
}

/** An answer of it is waited for, or a stream opens. */
export const beginUse = (session: McpSession): void => {
  session.streams += 1;
};

/** It is waited for no longer. */
export const endUse = (session: McpSession): Effect.Effect<void> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    session.streams -= 1;
    session.usedAt = now;
  });

/** How often sessions are looked at that nobody uses any more. */
const sweep = "30 seconds";

/** The sessions of this node: bounded in number, in idle time, and in the life of their keys. */
export class McpSessions extends Context.Service<
  McpSessions,
  {
    /** The key's session of that id; another key's is as none. */
    find(id: string, keyId: string): Effect.Effect<McpSession | undefined>;
    /** Keeps a session; if there are too many, the one that was used longest ago ends. */
    add(session: McpSession): void;
    remove(id: string): void;
    /** How many there are. */
    readonly size: () => number;
  }
>()("@quartermaster/mcp/endpoint/McpSessions") {
  static readonly layer = Layer.effect(
    McpSessions,
    Effect.gen(function* () {
      const { idleSeconds, maxSessions, maxSessionsPerKey } = yield* EndpointOptions;
      const log = yield* EventLog.EventLog;
      /** In the order of their last use. */
      const sessions = new Map<string, McpSession>();

      const remove = (id: string) => {
        const session = sessions.get(id);
        if (session === undefined) return;
        sessions.delete(id);
        session.stopListening();
        void session.transport.close();
      };

      /** The one to end first: without a stream if there is one, and used longest ago. */
      const oldest = (candidates: ReadonlyArray<McpSession>) =>
        candidates.find(({ streams }) => streams === 0) ?? candidates[0];

      const makeRoom = (most: number, isCounted: (session: McpSession) => boolean) => {
        const counted = [...sessions.values()].filter(isCounted);
        if (counted.length < most) return;
        const ended = oldest(counted);
        if (ended !== undefined) remove(ended.id);
      };

      const add = (session: McpSession) => {
        makeRoom(maxSessionsPerKey, ({ keyId }) => keyId === session.keyId);
        if (sessions.size >= maxSessions) makeRoom(maxSessions, () => true);
        sessions.set(session.id, session);
      };

      const isOver = ({ expiresAt, streams, usedAt }: McpSession, now: number) =>
        (expiresAt !== null && expiresAt <= now) ||
        (streams === 0 && now - usedAt >= idleSeconds * 1_000);

      const find = (id: string, keyId: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const session = sessions.get(id);
          if (session?.keyId !== keyId) return undefined;
          if (isOver(session, now)) {
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
        for (const session of sessions.values()) if (isOver(session, now)) remove(session.id);
      }).pipe(Effect.repeat(Schedule.spaced(sweep)), Effect.forkScoped);

      const deletions = yield* log
        .subscribe({ filter: { kinds: ["key.deleted"] } })
        .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system), Effect.orDie);
      yield* deletions.pipe(
        Stream.tapError((error) => Effect.logWarning("Deleted keys cannot be watched", error)),
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

      return McpSessions.of({ find, add, remove, size: () => sessions.size });
    }),
  );
}
