import { MasterKeyFile, MasterKeys } from "@quartermaster/core";
import { Effect, Layer, Path } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import { DataDirectory } from "./DataDirectory.ts";

/** The file with the master keys when QM_SECRET_KEY is not set. */
export const file = Effect.gen(function* () {
  const path = yield* Path.Path;
  const directory = yield* DataDirectory;
  return path.join(directory.path, "secret-key");
});

/** Reads the text of the file, and creates the file if it does not exist. */
export const textIn = (path: string) =>
  Effect.mapError(
    MasterKeyFile.textIn(path),
    ({ reason }) =>
      new StartError({
        message: `${path} cannot be read or written (${reason._tag}). Give this user access to it.`,
      }),
  );

/** Parses the keys in the text of the file. */
export const parse = (path: string, text: string) =>
  Effect.mapError(MasterKeyFile.keysIn(path, text), ({ message }) => new StartError({ message }));

/**
 * The keys of QM_SECRET_KEY, else the keys in the data directory, where the first start creates
 * one.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { secretKeys } = yield* ServerConfig;
    if (secretKeys !== null) return MasterKeys.MasterKeys.layer(secretKeys);
    return Layer.catch(MasterKeyFile.layer(yield* file), ({ message }) =>
      Layer.effect(MasterKeys.MasterKeys, new StartError({ message })),
    );
  }),
);
