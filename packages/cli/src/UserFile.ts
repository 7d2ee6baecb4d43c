import { Effect, FileSystem, Option, Path } from "effect";
import { usage } from "./CommandError.ts";
import { variable } from "./Environment.ts";

/** A file in the user's configuration directory. `what` names its content in errors. */
export interface UserFile {
  readonly name: string;
  readonly what: string;
}

/**
 * The path of the file: in `XDG_CONFIG_HOME`, `APPDATA`, or `.config` of the home directory; null if
 * none of them is set, as in some containers.
 */
const location = Effect.fnUntraced(function* ({ name }: UserFile) {
  const path = yield* Path.Path;
  const home = (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"));
  const folder =
    (yield* variable("XDG_CONFIG_HOME")) ??
    (yield* variable("APPDATA")) ??
    (home === null ? null : path.join(home, ".config"));
  return folder === null ? null : path.join(folder, "quartermaster", name);
});

const unusable =
  ({ what }: UserFile, path: string, verb: string) =>
  (error: { readonly message: string }) =>
    usage(`The ${what} in ${path} cannot be ${verb}: ${error.message}`);

/** The path and the text of the file, if there is one. */
export const read = Effect.fnUntraced(function* (file: UserFile) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* location(file);
  if (path === null) return Option.none<{ readonly path: string; readonly text: string }>();
  return yield* fs.readFileString(path).pipe(
    Effect.map((text) => Option.some({ path, text })),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeedNone,
    ),
    Effect.mapError(unusable(file, path, "read")),
  );
});

/** Writes the file atomically, so that only this user can read it. Returns its path. */
export const write = Effect.fnUntraced(function* (file: UserFile, text: string) {
  const fs = yield* FileSystem.FileSystem;
  const { dirname } = yield* Path.Path;
  const path = yield* location(file);
  if (path === null) {
    return yield* usage(
      `There is no home directory to store a ${file.what} in. Set QM_URL and QM_KEY.`,
    );
  }
  const temporary = `${path}.tmp`;
  yield* Effect.gen(function* () {
    yield* fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 });
    yield* fs.remove(temporary, { force: true });
    yield* fs.writeFileString(temporary, text, { flag: "wx", mode: 0o600 });
    yield* fs.rename(temporary, path);
  }).pipe(Effect.mapError(unusable(file, path, "written")));
  return path;
});

/** Removes the file. Returns whether there was one. */
export const remove = Effect.fnUntraced(function* (file: UserFile) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* location(file);
  if (path === null) return false;
  return yield* Effect.as(fs.remove(path), true).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed(false),
    ),
    Effect.mapError(unusable(file, path, "removed")),
  );
});
