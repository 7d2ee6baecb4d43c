import { MasterKeys } from "@quartermaster/core";
import type { Signature } from "@quartermaster/storage-sqlite";
import { Effect, Redacted } from "effect";
import * as Crypto from "../Crypto.ts";

/** Signing keys of backups, derived from the master keys, newest first. */
export const of = (
  given: MasterKeys.KeyBytes,
): Effect.Effect<readonly [Signature.Key, ...ReadonlyArray<Signature.Key>]> =>
  Effect.map(MasterKeys.MasterKeys, ({ all: [newest, ...others] }) => {
    const signing = ({ bytes, id }: MasterKeys.MasterKey) => ({ id, bytes: Redacted.value(bytes) });
    return [signing(newest), ...others.map(signing)] as const;
  }).pipe(Effect.provide(MasterKeys.MasterKeys.layer(given)), Effect.provide(Crypto.layer));
