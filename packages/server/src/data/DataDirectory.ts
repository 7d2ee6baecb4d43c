import { PrivateFile } from "@quartermaster/core";
import { Context, Effect, FileSystem, Layer, Path, type PlatformError } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import * as FileReason from "./FileReason.ts";

/**
 * The directory of the server's own files. It exists, it is writable, and only its owner can read
 * it.
 */
export class DataDirectory extends Context.Service<DataDirectory, { readonly path: string }>()(
  "@quartermaster/server/DataDirectory",
) {
  static readonly layer = Layer.effect(
    DataDirectory,
    Effect.gen(function* () {
      const { dataDir } = yield* ServerConfig;
      return yield* Effect.mapError(
        prepare(dataDir),
        (error) =>
          new StartError({
            message:
              `The data directory ${dataDir} cannot be written (${FileReason.of(error)}): ` +
              "make it writable, or name another directory in QM_DATA_DIR.",
          }),
      );
    }),
  );
}

/** A trial file as large as a new database, so that a full disk fails here with a clear reason. */
const trial = " ".repeat(64 * 1024);

/**
 * Creates the directory and its parents, one after the other. Node's recursive `mkdir` never
 * returns below a directory that accepts no entries, such as /proc.
 */
const makeDirectory = (
  dir: string,
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    const path = yield* Path.Path;
    if (yield* fs.exists(dir)) return;
    if (path.dirname(dir) !== dir) yield* makeDirectory(path.dirname(dir));
    yield* Effect.catchIf(
      fs.makeDirectory(dir, { mode: 0o700 }),
      // Another process created it first.
      ({ reason }) => reason._tag === "AlreadyExists",
      () => Effect.void,
    );
  });

const prepare = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const dir = path.resolve(dataDir);
  yield* makeDirectory(dir);
  const { mode } = yield* fs.stat(dir);
  // A directory of another user, such as a container volume, keeps its mode.
  if ((mode & 0o077) !== 0) yield* Effect.ignore(fs.chmod(dir, 0o700));
  const names = yield* fs.readDirectory(dir);
  const leftovers = names.filter((name) => PrivateFile.leftover.test(name));
  yield* Effect.forEach(leftovers, (name) => fs.remove(path.join(dir, name), { force: true }));
  const written = yield* PrivateFile.temporaryFile(path.join(dir, "trial"), trial);
  yield* fs.remove(written, { force: true });
  // Keeps the keys out of a surrounding Git repository.
  const ignored = path.join(dir, ".gitignore");
  if (!names.includes(".gitignore")) yield* fs.writeFileString(ignored, "*\n", { mode: 0o600 });
  return { path: dir };
});
