import { Effect, FileSystem, Option, Path, Redacted } from "effect";
import { usage } from "./CommandError.ts";
import { variable } from "./Environment.ts";

/**
 * The login that `quartermaster login` stores: one server and one key, in the user's configuration
 * directory.
 */
export interface Login {
  readonly url: string;
  readonly key: Redacted.Redacted;
}

/**
 * The path of the login file: in `XDG_CONFIG_HOME`, `APPDATA`, or `.config` of the home directory;
 * null if none of them is set, as in some containers.
 */
const location = Effect.gen(function* () {
  const path = yield* Path.Path;
  const home = (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"));
  const folder =
    (yield* variable("XDG_CONFIG_HOME")) ??
    (yield* variable("APPDATA")) ??
    (home === null ? null : path.join(home, ".config"));
  return folder === null ? null : path.join(folder, "quartermaster", "login.json");
});

const unusable = (file: string, verb: string) => (error: { readonly message: string }) =>
  usage(`The login in ${file} cannot be ${verb}: ${error.message}`);

/** Reads the stored login, if there is one. */
export const read = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* location;
  if (path === null) return Option.none<Login>();
  const text = yield* Effect.map(fs.readFileString(path), Option.some).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeedNone,
    ),
    Effect.mapError(unusable(path, "read")),
  );
  if (Option.isNone(text)) return Option.none<Login>();
  const damaged = () => usage(`${path} is damaged. Run \`quartermaster login URL\` again.`);
  const value: unknown = yield* Effect.try({
    try: () => JSON.parse(text.value),
    catch: damaged,
  });
  if (typeof value !== "object" || value === null) return yield* damaged();
  if (!("url" in value) || !("key" in value)) return yield* damaged();
  const { key, url } = value;
  if (typeof url !== "string" || typeof key !== "string") return yield* damaged();
  return Option.some<Login>({ url, key: Redacted.make(key) });
});

/** Stores the login atomically, in a file that only this user can read. */
export const write = Effect.fnUntraced(function* ({ key, url }: Login) {
  const fs = yield* FileSystem.FileSystem;
  const { dirname } = yield* Path.Path;
  const path = yield* location;
  if (path === null) {
    return yield* usage("There is no home directory to store a login in. Set QM_URL and QM_KEY.");
  }
  const temporary = `${path}.tmp`;
  yield* Effect.gen(function* () {
    yield* fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 });
    yield* fs.remove(temporary, { force: true });
    const text = `${JSON.stringify({ url, key: Redacted.value(key) }, null, 2)}\n`;
    yield* fs.writeFileString(temporary, text, { flag: "wx", mode: 0o600 });
    yield* fs.rename(temporary, path);
  }).pipe(Effect.mapError(unusable(path, "written")));
  return path;
});

/** Removes the stored login. Returns whether there was one. */
export const remove = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* location;
  if (path === null) return false;
  return yield* Effect.as(fs.remove(path), true).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed(false),
    ),
    Effect.mapError(unusable(path, "removed")),
  );
});
