import type { ApiKey, Errors, KeyStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";

/**
 * API keys that this node has read and that are still valid to use: each request reads its key. A key that this node
 * deletes is forgotten immediately.
 */

const most = 10_000;

type Store = KeyStore.KeyStore["Service"];
type Found = Option.Option<ApiKey.ApiKeyRow>;

/** A key is remembered as long as the mark from before its read is valid. */
export interface Marks {
  readonly make: () => number;
  readonly isValid: (mark: number) => boolean;
}

/** Marks that are valid for a time. */
export const forMillis = (millis: number, now: () => number): Marks => ({
  make: now,
  isValid: (mark) => now() < mark + millis,
});

interface Remembered {
  readonly found: Found;
  readonly mark: number;
}

export const make = (
  sql: SqlClient.SqlClient,
  store: Store,
  marks: Marks,
): Pick<Store, "recent" | "remove" | "used"> => {
  const keys = new Map<string, Remembered>();
  let forgotten = 0;

  const forget = (keyId: string) =>
    Effect.sync(() => {
      forgotten++;
      keys.delete(keyId);
    });

  /** A read that started before a key was forgotten may have found it, so it is not remembered. */
  const read = (keyId: string): Effect.Effect<Found, Errors.StorageError> => {
    const before = forgotten;
    const mark = marks.make();
    return Effect.map(store.get(keyId), (found) => {
      if (Option.isNone(found) || forgotten !== before) return found;
      if (keys.size >= most) keys.clear();
      keys.set(keyId, { found, mark });
      return found;
    });
  };

  return {
    recent: (keyId) =>
      Effect.suspend(() => {
        const known = keys.get(keyId);
        return known !== undefined && marks.isValid(known.mark)
          ? Effect.succeed(known.found)
          : read(keyId);
      }),
    remove: (keyId) =>
      Effect.andThen(
        Effect.andThen(forget(keyId), store.remove(keyId)),
        sql.afterCommit(forget(keyId)),
      ),
    used: (keyId, at) => {
      const known = keys.get(keyId);
      // Otherwise each request would store its use while the key is remembered.
      if (known !== undefined) {
        const found = Option.map(known.found, (key) => ({ ...key, lastUsedAt: at }));
        keys.set(keyId, { ...known, found });
      }
      return store.used(keyId, at);
    },
  };
};
