import { Effect, FileSystem, Option, Path, type PlatformError, Schedule } from "effect";
import { SecureRandom } from "effect/crypto";

/**
 * Files that contain secrets. Only their owner can read them, and each exists either completely or
 * not at all, even if the process or the machine dies.
 */

/** The text of a file, if the file exists. */
export const read = Effect.fn("PrivateFile.read")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  return yield* Effect.map(fs.readFileString(file), Option.some).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeedNone,
    ),
  );
});

/** Writes a file, or replaces the existing one. */
export const write = Effect.fn("PrivateFile.write")(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* place(file, text, (temporary) => fs.rename(temporary, file));
});

/**
 * Writes a file unless it exists: if several processes try, the first one wins. Returns the file's
 * text.
 */
export const create = Effect.fn("PrivateFile.create")(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* Effect.catchIf(
    place(file, text, (temporary) => fs.link(temporary, file)),
    ({ reason }) => reason._tag === "AlreadyExists",
    () => Effect.void,
  );
  return yield* fs.readFileString(file);
});

/** Removes a file, if it exists. */
export const remove = Effect.fn("PrivateFile.remove")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* fs.remove(file, { force: true });
});

const place = Effect.fnUntraced(
  function* (
    file: string,
    text: string,
    asFile: (temporary: string) => Effect.Effect<void, PlatformError.PlatformError>,
  ) {
    const fs = yield* FileSystem.FileSystem;
    yield* Effect.acquireUseRelease(temporaryFile(file, text), asFile, (temporary) =>
      Effect.ignore(fs.remove(temporary, { force: true })),
    );
    yield* syncDirectoryOf(file);
  },
  // Another process that starts at the same time may remove the temporary file as a leftover.
  Effect.retry({ while: ({ reason }) => reason._tag === "NotFound", schedule: Schedule.recurs(5) }),
);

/** The names of files that a process left behind when it died while writing. */
export const leftover = /\.[0-9A-Z]{26}\.tmp$/;

/** A new file beside `file`, synced to disk before it gets its final name. */
export const temporaryFile = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  const random = yield* SecureRandom.SecureRandom;
  const temporary = `${file}.${yield* random.ulid}.tmp`;
  const opened = yield* fs.open(temporary, { flag: "wx", mode: 0o600 });
  yield* Effect.andThen(opened.writeAll(new TextEncoder().encode(text)), opened.sync).pipe(
    Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
  );
  return temporary;
}, Effect.scoped);

const syncDirectoryOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const directory = yield* fs.open(path.dirname(file), { flag: "r" });
  // Not every file system supports this.
  yield* Effect.ignore(directory.sync);
}, Effect.scoped);
