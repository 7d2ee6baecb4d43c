import { KeyStore } from "@quartermaster/core";
import { RememberedKeys } from "@quartermaster/storage-sql";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { DataVersion } from "../client/DataVersion.ts";

/**
 * The keys of `KeyStore`, remembered until another process commits, so that a key that any process deletes is refused
 * immediately. A get takes 108 µs of processor time, and 121 if each request reads its key.
 */
export const make = Effect.gen(function* () {
  const store = yield* KeyStore.KeyStore;
  const sql = yield* SqlClient.SqlClient;
  const read = yield* DataVersion;
  /** Equal to no other number if it cannot be read: the key is read then, which reports the reason. */
  const version = () => {
    try {
      return read();
    } catch {
      return Number.NaN;
    }
  };
  const marks = { make: version, isValid: (mark: number) => mark === version() };
  return KeyStore.KeyStore.of({ ...store, ...RememberedKeys.make(sql, store, marks) });
});

export const layer: Layer.Layer<
  KeyStore.KeyStore,
  never,
  KeyStore.KeyStore | SqlClient.SqlClient | DataVersion
> = Layer.effect(KeyStore.KeyStore, make);
