import type { ApiKey, Errors, KeyStore } from "@quartermaster/core";
import { Effect, Option } from "effect";
import type { SqlClient } from "effect/sql";

/**
 * API keys that this node has read in the last second. Each request reads its key, which was one of the two round
 * trips of a small request. A key that this node deletes is forgotten immediately. Other nodes accept it for a
 * second more.
 */

const forMillis = 1_000;
const most = 10_000;

type Store = KeyStore.KeyStore["Service"];
type Found = Option.Option<ApiKey.ApiKeyRow>;

interface Remembered {
  readonly found: Found;
  readonly until: number;
}

export const make = (
  sql: SqlClient.SqlClient,
  store: Store,
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
    const until = performance.now() + forMillis;
    return Effect.map(store.get(keyId), (found) => {
      if (Option.isNone(found) || forgotten !== before) return found;
      if (keys.size >= most) keys.clear();
      keys.set(keyId, { found, until });
      return found;
    });
  };

  return {
    recent: (keyId) =>
      Effect.suspend(() => {
        const known = keys.get(keyId);
        return known !== undefined && performance.now() < known.until
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
      // Otherwise each request of the next second would store its use.
      if (known !== undefined) {
        const found = Option.map(known.found, (key) => ({ ...key, lastUsedAt: at }));
        keys.set(keyId, { ...known, found });
      }
      return store.used(keyId, at);
    },
  };
};
