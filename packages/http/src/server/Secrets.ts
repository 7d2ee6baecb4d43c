import { MasterKeys } from "@quartermaster/core";
import { Effect, FileSystem, Layer, Option, Path } from "effect";
import { SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import { DataDirectory } from "./DataDirectory.ts";
import * as PrivateFile from "./PrivateFile.ts";
import { ServerConfig } from "./ServerConfig.ts";
import * as Setting from "./Setting.ts";
import { StartError } from "./StartError.ts";

/** The file that the master keys are in when QM_SECRET_KEY is not set. */
export const file = Effect.gen(function* () {
  const path = yield* Path.Path;
  const directory = yield* DataDirectory;
  return path.join(directory.path, "secret-key");
});

/** What the file holds, newest first; it is made if it is not there. Base64, separated by commas. */
export const textIn = Effect.fn("Secrets.textIn")(function* (path: string) {
  const text = yield* Option.match(yield* PrivateFile.read(path), {
    onNone: () => Effect.flatMap(newKey, (key) => PrivateFile.create(path, key)),
    onSome: Effect.succeed,
  });
  return text.trim();
});

/** The keys that the file's text says. */
export const parse = (path: string, text: string) =>
  Effect.mapError(
    Effect.fromOption(Setting.keys.read(text.trim())),
    () =>
      new StartError({
        message:
          `${path} must hold ${Setting.keys.mustBe}: put back the file that was there, ` +
          "since what is encrypted under it cannot be read without it.",
      }),
  );

export const newKey = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom;
  return Base64.encode(yield* random.randomBytes(32));
});

/**
 * Those of QM_SECRET_KEY, else those in the data directory, where the first start makes one. The
 * file is read again while the server runs, since `rotate-key` may have written it anew.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { secretKeys } = yield* ServerConfig;
    if (secretKeys !== null) return MasterKeys.MasterKeys.layer(secretKeys);
    const fs = yield* FileSystem.FileSystem;
    const path = yield* file;
    const keys = yield* parse(path, yield* textIn(path));
    const again = Effect.flatMap(fs.readFileString(path), (text) => parse(path, text));
    return MasterKeys.MasterKeys.layerWith(keys, again);
  }),
);
