import { MasterKeyFile, MasterKeys } from "@quartermaster/core";
import { Effect, Layer, Path } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import { DataDirectory } from "./DataDirectory.ts";

/** The file that the master keys are in when QM_SECRET_KEY is not set. */
export const file = Effect.gen(function* () {
  const path = yield* Path.Path;
  const directory = yield* DataDirectory;
  return path.join(directory.path, "secret-key");
});

/** The text of the file, which is created if it does not exist. */
export const textIn = (path: string) =>
  Effect.mapError(
    MasterKeyFile.textIn(path),
    ({ reason }) =>
      new StartError({
        message: `${path} cannot be read or written (${reason._tag}). Give this user access to it.`,
      }),
  );

/** The keys of the file's text. */
export const parse = (path: string, text: string) =>
  Effect.mapError(MasterKeyFile.keysIn(path, text), ({ message }) => new StartError({ message }));

/** The keys of QM_SECRET_KEY, else those in the data directory, where the first start makes one. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { secretKeys } = yield* ServerConfig;
    if (secretKeys !== null) return MasterKeys.MasterKeys.layer(secretKeys);
    return Layer.catch(MasterKeyFile.layer(yield* file), ({ message }) =>
      Layer.effect(MasterKeys.MasterKeys, new StartError({ message })),
    );
  }),
);
