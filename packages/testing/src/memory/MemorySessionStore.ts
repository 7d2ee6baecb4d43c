import { SessionStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const keyOf = ({ expiresAt, hash }: SessionStore.SessionKey) => `${expiresAt} ${hash}`;

const compare = (a: SessionStore.SessionKey, b: SessionStore.SessionKey): number =>
  keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1;

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
      countTokens: (hash, now) =>
        database.read(
          ({ sessions }) =>
            Array.from(sessions.values()).filter(
              (session) => session.parent === hash && session.expiresAt > now,
            ).length,
        ),
      list: (keyId, now, { after, limit, order }) =>
        database.read(({ sessions }) => {
          const sign = order === "asc" ? 1 : -1;
          return Array.from(sessions.values())
            .filter(
              (session) =>
                (keyId === null || session.keyId === keyId) &&
                session.kind === "cookie" &&
                session.expiresAt > now &&
                (after === null || compare(session, after) * sign > 0),
            )
            .toSorted((a, b) => compare(a, b) * sign)
            .slice(0, limit);
        }),
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
