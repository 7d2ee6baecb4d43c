import { MasterKeys } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import * as Crypto from "../Crypto.ts";
import type { SigningKey } from "./Archives.ts";

/** Master keys as keys that sign backups, newest first. */
export const of = (
  given: MasterKeys.KeyBytes,
): Effect.Effect<readonly [SigningKey, ...ReadonlyArray<SigningKey>]> =>
  Effect.map(MasterKeys.MasterKeys, ({ all: [newest, ...others] }) => {
    const signing = ({ bytes, id }: MasterKeys.MasterKey) => ({ id, bytes: Redacted.value(bytes) });
    return [signing(newest), ...others.map(signing)] as const;
  }).pipe(Effect.provide(MasterKeys.MasterKeys.layer(given)), Effect.provide(Crypto.layer));
