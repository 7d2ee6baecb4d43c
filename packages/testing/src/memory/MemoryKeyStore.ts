import { KeyStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  KeyStore.KeyStore,
  Effect.map(Database, (database) =>
    KeyStore.KeyStore.of({
      insert: (key) =>
        database.write(({ keys }) => {
          const row = { ...key, seq: database.nextSeq() };
          keys.set(row.id, row);
          return row;
        }),
      remove: (keyId) =>
        database.write(({ endedSessions, keys, sessions }) => {
          keys.delete(keyId);
          Rows.prune(sessions, Infinity, (session) => session.keyId === keyId);
          Rows.prune(endedSessions, Infinity, (session) => session.keyId === keyId);
        }),
      get: (keyId) => database.read(({ keys }) => Option.fromNullishOr(keys.get(keyId))),
      recent: (keyId) => database.read(({ keys }) => Option.fromNullishOr(keys.get(keyId))),
      list: (roles, slice) =>
        database.read(({ keys }) =>
          Rows.slice(keys.values(), slice, (key) => roles.includes(key.role)),
        ),
      owners: (now) =>
        database.read(
          ({ keys }) =>
            Array.from(keys.values()).filter(
              (key) =>
                key.role === "Owner" &&
                key.projects === null &&
                (key.expiresAt === null || key.expiresAt > now),
            ).length,
        ),
      used: (keyId, at) =>
        database.write(({ keys }) => {
          const key = keys.get(keyId);
          if (key !== undefined) {
            keys.set(keyId, { ...key, lastUsedAt: at });
          }
        }),
    }),
  ),
);
