import { type Errors, Keys, Sessions } from "@quartermaster/core";
import { Effect, type FileSystem, Option, Path, Redacted } from "effect";
import type { SecureRandom } from "effect/crypto";
import type { StartError } from "../config/StartError.ts";
import { DataDirectory } from "./DataDirectory.ts";
import * as PrivateFile from "./PrivateFile.ts";

/** The first Owner key, which the first start creates. */
export interface OwnerKey {
  readonly file: string;
  /** Whether the file exists. */
  readonly isThere: boolean;
  /** The key, if this start created it; null otherwise. */
  readonly fresh: Redacted.Redacted | null;
}

/**
 * Creates a sign-in token for the first Owner key; null if its file was removed or its key deleted.
 * A token on the terminal reveals nothing more: its readers can read the file.
 */
export const signInToken = Effect.fnUntraced(function* ({ file }: OwnerKey) {
  const key = Option.getOrNull(yield* PrivateFile.read(file));
  if (key === null) return null;
  const keys = yield* Keys.Keys;
  const sessions = yield* Sessions.Sessions;
  return yield* keys.authenticate(Redacted.make(key.trim())).pipe(
    Effect.flatMap(({ keyId }) => sessions.signInToken(keyId)),
    Effect.map(({ secret }) => secret),
    Effect.catchTag("Unauthenticated", () => Effect.succeed(null)),
  );
});

/** Creates the first Owner key if there is no key. A stored key always has a file. */
export const bootstrap: Effect.Effect<
  OwnerKey,
  StartError | Errors.StorageError,
  Keys.Keys | DataDirectory | FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom
> = Effect.gen(function* () {
  const path = yield* Path.Path;
  const keys = yield* Keys.Keys;
  const directory = yield* DataDirectory;
  const file = path.join(directory.path, "owner-key");
  let saved: Redacted.Redacted | null = null;
  const isCreated = yield* keys.bootstrap((key) => {
    saved = key;
    return PrivateFile.write(file, Redacted.value(key));
  });
  // Another node stored its key first, so the key in this node's file is not valid.
  if (!isCreated && saved !== null) yield* PrivateFile.remove(file);
  const isThere = Option.isSome(yield* PrivateFile.read(file));
  return { file, isThere, fresh: isCreated ? saved : null };
});
