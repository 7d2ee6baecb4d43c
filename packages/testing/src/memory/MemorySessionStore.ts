import { SessionStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  SessionStore.SessionStore,
  Effect.map(Database, (database) =>
    SessionStore.SessionStore.of({
      insert: (session) => database.write(({ sessions }) => sessions.set(session.hash, session)),
      get: (hash) => database.read(({ sessions }) => Option.fromNullishOr(sessions.get(hash))),
      count: (keyId, now) =>
        database.read(
          ({ sessions }) =>
            Array.from(sessions.values()).filter(
              (session) =>
                session.keyId === keyId && session.kind === "cookie" && session.expiresAt > now,
            ).length,
        ),
      slide: (hash, expiresAt) =>
        database.write(({ sessions }) => {
          const session = sessions.get(hash);
          if (session !== undefined) {
            sessions.set(hash, { ...session, expiresAt });
          }
        }),
      remove: (hash) =>
        database.write(({ sessions }) => {
          for (const session of sessions.values()) {
            if (session.hash === hash || session.parent === hash) sessions.delete(session.hash);
          }
        }),
      prune: (before, limit) =>
        database.write(({ sessions }) =>
          Rows.prune(sessions, limit, (session) => session.expiresAt < before),
        ),
    }),
  ),
);
