import { PrivateFile } from "@quartermaster/core";
import { Context, Effect, FileSystem, Layer, Path } from "effect";
import { ServerConfig } from "./ServerConfig.ts";
import { StartError } from "./StartError.ts";

/** Where the server keeps what is its own: there, writable, and its owner's alone. */
export class DataDirectory extends Context.Service<DataDirectory, { readonly path: string }>()(
  "@quartermaster/http/server/DataDirectory",
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
              `The data directory ${dataDir} cannot be written (${error.reason._tag}): ` +
              "let this user write there, or name another directory in QM_DATA_DIR.",
          }),
      );
    }),
  );
}

const prepare = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const dir = path.resolve(dataDir);
  yield* fs.makeDirectory(dir, { recursive: true, mode: 0o700 });
  const { mode } = yield* fs.stat(dir);
  // A folder that belongs to another user, as container volumes may, is used as it is.
  if ((mode & 0o077) !== 0) yield* Effect.ignore(fs.chmod(dir, 0o700));
  const names = yield* fs.readDirectory(dir);
  const leftovers = names.filter((name) => PrivateFile.leftover.test(name));
  yield* Effect.forEach(leftovers, (name) => fs.remove(path.join(dir, name), { force: true }));
  // Its keys are one `git add` away from a repository that it lies in.
  const ignored = path.join(dir, ".gitignore");
  if (!names.includes(".gitignore")) yield* fs.writeFileString(ignored, "*\n", { mode: 0o600 });
  const trial = yield* PrivateFile.temporaryFile(path.join(dir, "trial"), "");
  yield* fs.remove(trial, { force: true });
  return { path: dir };
});
