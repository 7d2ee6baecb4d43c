import { MasterKeys } from "@quartermaster/core";
import { Effect, Layer, Option, Path } from "effect";
import { SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import { DataDirectory } from "./DataDirectory.ts";
import * as PrivateFile from "./PrivateFile.ts";
import { ServerConfig } from "./ServerConfig.ts";
import * as Setting from "./Setting.ts";
import { StartError } from "./StartError.ts";

/** The file that the master keys are in when QM_SECRET_KEY is not set. */
const fileName = "secret-key";

/** Those of QM_SECRET_KEY, else those in the data directory, where the first start makes one. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { secretKeys } = yield* ServerConfig;
    return MasterKeys.MasterKeys.layer(secretKeys ?? (yield* keysInFile));
  }),
);

const keysInFile = Effect.gen(function* () {
  const path = yield* Path.Path;
  const directory = yield* DataDirectory;
  const file = path.join(directory.path, fileName);
  const text = yield* Option.match(yield* PrivateFile.read(file), {
    onNone: () => Effect.flatMap(newKey, (key) => PrivateFile.create(file, key)),
    onSome: Effect.succeed,
  });
  return yield* Effect.mapError(
    Effect.fromOption(Setting.keys.read(text.trim())),
    () =>
      new StartError({
        message:
          `${file} must hold ${Setting.keys.mustBe}: put back the file that was there, ` +
          "since what is encrypted under it cannot be read without it.",
      }),
  );
});

const newKey = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom;
  return Base64.encode(yield* random.randomBytes(32));
});
