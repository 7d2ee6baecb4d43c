import {
  type Errors,
  MasterKeyFile,
  MasterKeys,
  McpServerStore,
  Rotation,
  Transactor,
} from "@quartermaster/core";
import { Effect, type FileSystem, Layer, Option, type Path } from "effect";
import type { Aead, Digest, SecureRandom } from "effect/crypto";
import type { DataDirectory } from "./DataDirectory.ts";
import * as NodeProcess from "./NodeProcess.ts";
import * as PrivateFile from "./PrivateFile.ts";
import * as Secrets from "./Secrets.ts";
import { ServerConfig } from "./ServerConfig.ts";
import { StartError } from "./StartError.ts";

/**
 * Seals every secret anew under the newest master key. Where the keys are in the data directory, a
 * new one is written before the old one, which goes when nothing is kept under it any more: there
 * is no moment at which a secret has no key in the file, and a rotation that was ended is gone on
 * with. Both changes of the file are made within a transaction, so that those of other processes,
 * servers that run among them, lie before or after.
 */
export const run: Effect.Effect<
  void,
  StartError | Errors.StorageError,
  | Aead.Aead
  | DataDirectory
  | Digest.Digest
  | FileSystem.FileSystem
  | McpServerStore.McpServerStore
  | Path.Path
  | SecureRandom.SecureRandom
  | ServerConfig
  | Transactor.Transactor
> = Effect.gen(function* () {
  const { secretKeys } = yield* ServerConfig;
  const keys = secretKeys ?? (yield* begin);
  const failed = yield* rotate(secretKeys === null).pipe(
    Effect.provide(Layer.provideMerge(Rotation.Rotation.layer, MasterKeys.MasterKeys.layer(keys))),
  );
  if (failed.length === 0) return say("Everything is kept under it now.");
  const store = yield* McpServerStore.McpServerStore;
  for (const id of failed) {
    const server = Option.getOrNull(yield* store.get(id));
    say(`Cannot be decrypted, and was left as it is: a secret of ${server?.name ?? "?"} (${id}).`);
  }
  const servers = failed.length === 1 ? "server" : "servers";
  return yield* new StartError({
    message:
      `The secrets of ${failed.length} MCP ${servers} cannot be decrypted: ` +
      "run this again with the key that they were encrypted under, or set their variables anew.",
  });
});

const say = NodeProcess.printLine;

/** Writes a new key before the one that the file holds, unless an earlier rotation did so. */
const begin = Effect.gen(function* () {
  const { transact } = yield* Transactor.Transactor;
  const path = yield* Secrets.file;
  const text = yield* Effect.gen(function* () {
    const before = yield* Secrets.textIn(path);
    const [, ...older] = yield* Secrets.parse(path, before);
    if (older.length > 0) {
      say(`${path} holds an older key, too: an earlier rotation is gone on with.`);
      return before;
    }
    const after = `${yield* MasterKeyFile.newKey},${before}`;
    yield* PrivateFile.write(path, after);
    say(`A new key is in ${path}; the old one stays beside it until nothing is kept under it.`);
    return after;
  }).pipe(transact);
  return yield* Secrets.parse(path, text);
});

/** Answers the servers that have a secret that no key opens. */
const rotate = Effect.fnUntraced(function* (inFile: boolean) {
  const rotation = yield* Rotation.Rotation;
  const [newest] = (yield* MasterKeys.MasterKeys).all;
  const { failed, rotated } = yield* rotation.rotate;
  const secrets = rotated === 1 ? "secret was" : "secrets were";
  say(`${rotated} ${secrets} encrypted anew under the key ${newest.id}.`);
  if (inFile) yield* dropOlder;
  return failed;
});

/** Leaves the keys in the file that something is kept under, and the newest. */
const dropOlder = Effect.gen(function* () {
  const { transact } = yield* Transactor.Transactor;
  const rotation = yield* Rotation.Rotation;
  const { all } = yield* MasterKeys.MasterKeys;
  const path = yield* Secrets.file;
  yield* Effect.gen(function* () {
    const texts = (yield* Secrets.textIn(path)).split(",");
    const inUse = yield* rotation.olderKeyIds;
    const needed = texts.filter((_, at) => at === 0 || inUse.has(all[at]?.id ?? ""));
    // Another rotation may have written it meanwhile: that one drops what is to be dropped.
    if (texts.length !== all.length || needed.length === texts.length) return;
    yield* PrivateFile.write(path, needed.join(","));
    say(`The old key is in ${path} no more.`);
  }).pipe(transact);
});
