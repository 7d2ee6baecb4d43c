import {
  type EffectStore,
  type CallBodyStore,
  type Errors,
  MasterKeyFile,
  MasterKeys,
  McpServerStore,
  Rotation,
  Transactor,
  WebhookStore,
} from "@quartermaster/core";
import { Console, Effect, type FileSystem, Layer, Option, type Path } from "effect";
import type { Aead, Digest, SecureRandom } from "effect/crypto";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import type { DataDirectory } from "./DataDirectory.ts";
import * as PrivateFile from "./PrivateFile.ts";
import * as Secrets from "./Secrets.ts";

/** More than the second for which a running server may use the keys that it read last: `MasterKeys.recent`. */
const readAgain = "2 seconds";

/**
 * Encrypts every secret under the newest master key. If the keys are in the data directory, a new
 * key is first added to the file, and the old key is removed once no secret needs it. So the file
 * always contains the key of every secret, and an interrupted rotation can continue. Both changes
 * of the file happen within a transaction, so that no other process changes the file or a secret at
 * the same time.
 */
export const run: Effect.Effect<
  void,
  StartError | Errors.StorageError,
  | Aead.Aead
  | CallBodyStore.CallBodyStore
  | DataDirectory
  | Digest.Digest
  | EffectStore.EffectStore
  | FileSystem.FileSystem
  | McpServerStore.McpServerStore
  | Path.Path
  | SecureRandom.SecureRandom
  | ServerConfig
  | Transactor.Transactor
  | WebhookStore.WebhookStore
> = Effect.gen(function* () {
  const { secretKeys } = yield* ServerConfig;
  const keys = secretKeys ?? (yield* Effect.tap(begin, () => Effect.sleep(readAgain)));
  const failed = yield* rotate(secretKeys === null).pipe(
    Effect.provide(Layer.provideMerge(Rotation.Rotation.layer, MasterKeys.MasterKeys.layer(keys))),
  );
  if (failed.length === 0) return yield* Console.log("All secrets are stored under it now.");
  const servers = yield* McpServerStore.McpServerStore;
  const webhooks = yield* WebhookStore.WebhookStore;
  const found: { server: number; webhook: number } = { server: 0, webhook: 0 };
  for (const id of failed) {
    const server = Option.getOrNull(yield* servers.get(id));
    const webhook = Option.getOrNull(yield* webhooks.get(id));
    found[webhook === null ? "server" : "webhook"] += 1;
    const name = webhook?.name ?? server?.name ?? "?";
    yield* Console.log(`Cannot be decrypted, and stays unchanged: a secret of ${name} (${id}).`);
  }
  const owners = [counted(found.server, "MCP server"), counted(found.webhook, "webhook")];
  return yield* new StartError({
    message:
      `The secrets of ${owners.filter((text) => text !== "").join(" and ")} cannot be decrypted: ` +
      "run this again with the key that they were encrypted under, or set their variables, URLs and secrets again.",
  });
});

const counted = (count: number, noun: string): string =>
  count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Adds a new key before the current one in the file, unless an earlier rotation already did. */
const begin = Effect.gen(function* () {
  const { transact } = yield* Transactor.Transactor;
  const path = yield* Secrets.file;
  const text = yield* Effect.gen(function* () {
    const before = yield* Secrets.textIn(path);
    const [, ...older] = yield* Secrets.parse(path, before);
    if (older.length > 0) {
      yield* Console.log(`${path} also has an older key: continuing an earlier rotation.`);
      return before;
    }
    const after = `${yield* MasterKeyFile.newKey},${before}`;
    yield* PrivateFile.write(path, after);
    yield* Console.log(
      `A new key is in ${path}; the old one stays in the file until no secret needs it.`,
    );
    return after;
  }).pipe(transact);
  return yield* Secrets.parse(path, text);
});

/** Rotates every secret. Returns the servers with a secret that no key decrypts. */
const rotate = Effect.fnUntraced(function* (inFile: boolean) {
  const rotation = yield* Rotation.Rotation;
  const [newest] = (yield* MasterKeys.MasterKeys).all;
  const { failed, rotated } = yield* rotation.rotate;
  const secrets = rotated === 1 ? "secret was" : "secrets were";
  yield* Console.log(`${rotated} ${secrets} encrypted again under the key ${newest.id}.`);
  if (inFile) yield* dropOlder;
  return failed;
});

/** Removes the older keys from the file that no secret needs. */
const dropOlder = Effect.gen(function* () {
  const { transact } = yield* Transactor.Transactor;
  const rotation = yield* Rotation.Rotation;
  const { all } = yield* MasterKeys.MasterKeys;
  const path = yield* Secrets.file;
  yield* Effect.gen(function* () {
    const texts = (yield* Secrets.textIn(path)).split(",");
    const inUse = yield* rotation.olderKeyIds;
    const needed = texts.filter((_, at) => at === 0 || inUse.has(all[at]?.id ?? ""));
    // If another rotation wrote the file in the meantime, that rotation drops the old keys.
    if (texts.length !== all.length || needed.length === texts.length) return;
    yield* PrivateFile.write(path, needed.join(","));
    yield* Console.log(`The old key was removed from ${path}.`);
  }).pipe(transact);
});
