import { Effect, FileSystem, Option, Path, type PlatformError, Schedule } from "effect";
import { SecureRandom } from "effect/crypto";
import { StartError } from "./StartError.ts";

/**
 * Files that hold secrets: readable for their owner alone, and there whole or not at all, whenever
 * the process or the machine dies.
 */

const refused = (file: string, verb: string) => (error: PlatformError.PlatformError) =>
  new StartError({
    message: `${file} cannot be ${verb} (${error.reason._tag}): let this user do so.`,
  });

/** What the file holds, if it is there. */
export const read = Effect.fn("PrivateFile.read")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  return yield* Effect.map(fs.readFileString(file), Option.some).pipe(
    Effect.catch((error) =>
      error.reason._tag === "NotFound"
        ? Effect.succeedNone
        : Effect.fail(refused(file, "read")(error)),
    ),
  );
});

/** Writes a file, replacing what is there. */
export const write = Effect.fn("PrivateFile.write")(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* Effect.mapError(
    keep(file, text, (temporary) => fs.rename(temporary, file)),
    refused(file, "written"),
  );
});

/** Removes a file, if it is there. */
export const remove = Effect.fn("PrivateFile.remove")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* Effect.mapError(fs.remove(file, { force: true }), refused(file, "removed"));
});

/** Writes a file unless it is there: of several processes the first wins. Answers what it holds. */
export const create = Effect.fn("PrivateFile.create")(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  yield* Effect.catch(
    keep(file, text, (temporary) => fs.link(temporary, file)),
    (error) =>
      error.reason._tag === "AlreadyExists"
        ? Effect.void
        : Effect.fail(refused(file, "written")(error)),
  );
  return yield* Effect.mapError(fs.readFileString(file), refused(file, "read"));
});

const keep = Effect.fnUntraced(
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
  // Another process that starts just now may take ours for a leftover.
  Effect.retry({ while: ({ reason }) => reason._tag === "NotFound", schedule: Schedule.recurs(5) }),
);

/** What a process that died in the middle of writing leaves behind. */
export const leftover = /\.[0-9A-Z]{26}\.tmp$/;

/** A new file beside `file`, on the disk before anybody sees it under its own name. */
export const temporaryFile = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem;
  const random = yield* SecureRandom.SecureRandom;
  const temporary = `${file}.${yield* random.ulid}.tmp`;
  const opened = yield* fs.open(temporary, { flag: "wx", mode: 0o600 });
  yield* opened.writeAll(new TextEncoder().encode(text));
  yield* opened.sync;
  return temporary;
}, Effect.scoped);

const syncDirectoryOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const directory = yield* fs.open(path.dirname(file), { flag: "r" });
  // Not every file system can.
  yield* Effect.ignore(directory.sync);
}, Effect.scoped);
