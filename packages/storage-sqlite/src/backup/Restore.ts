import { existsSync } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Effect } from "effect";
import * as BackupLock from "../files/BackupLock.ts";
import * as DatabaseFile from "../files/DatabaseFile.ts";
import * as DiskAttachmentContent from "../files/DiskAttachmentContent.ts";
import * as NewestEvent from "../files/NewestEvent.ts";
import * as RestoringFolder from "../files/RestoringFolder.ts";
import { type Entry, type Head, Unfit, writeAll } from "./Archive.ts";
import * as ArchiveReader from "./ArchiveReader.ts";
import { BackupError } from "./BackupError.ts";
import { attempt, syncFolder } from "./Files.ts";
import type * as Signature from "./Signature.ts";
import * as Snapshot from "./Snapshot.ts";

/**
 * Restores a backup into a data directory.
 *
 * States of the data directory
 * - empty.
 * - restoring: the folder `restoring` exists, and no server starts.
 * - restored: the folder is gone.
 *
 * An interrupted restore restarts from scratch. The backup is read twice: the first pass
 * only verifies it, before anything is written.
 */

export interface Options {
  readonly dataDir: string;
  readonly file: string;
  /** The master keys that are tried on the signature. */
  readonly keys: ReadonlyArray<Signature.Key>;
}

/** The head of the restored backup, and the result of the signature check. */
export type Restored = Head & { readonly signature: Signature.Verdict };

const refused = (message: string) => new BackupError({ message });

const sentence = (file: string, { kind, message }: Unfit, head: Head | null): string => {
  switch (kind) {
    case "foreign":
      return `${file} is not a Quartermaster backup. Name a file that \`quartermaster backup\` wrote.`;
    case "newer":
      return (
        `${file} was written by a newer version of Quartermaster (${head?.version ?? message}). ` +
        "Restore it with that version."
      );
    case "truncated":
      return `${file} is incomplete: it ends after ${message}. Copy it again, or use another backup.`;
    case "damaged":
      return `${file} is damaged (${message}). Copy it again, or use another backup.`;
  }
};

/** Reads and verifies the whole file. Describes errors in sentences. */
const read = async (
  file: string,
  handle: FileHandle,
  visit: ArchiveReader.Visit,
  keys: ReadonlyArray<Signature.Key> = [],
) => {
  try {
    return await ArchiveReader.read(handle, visit, keys);
  } catch (cause) {
    throw cause instanceof Unfit ? refused(sentence(file, cause, null)) : cause;
  }
};

const opened = async <A>(file: string, use: (handle: FileHandle) => Promise<A>): Promise<A> => {
  const handle = await open(file, "r").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw refused(`There is no file ${file}. Name a backup.`);
    throw cause;
  });
  try {
    if ((await handle.stat()).isDirectory()) throw refused(`${file} is a folder. Name a backup.`);
    return await use(handle);
  } finally {
    await handle.close();
  }
};

/**
 * Names allowed in an empty directory: of the home of the service's user, in which this program caches its compiled code,
 * of a file system's root, of a failed start, and of this restore.
 */
const harmless = new Set([".cache", ".gitignore", "lost+found", "restoring"]);
/** Names that an interrupted restore, or a server that refused to start on it, may have left. */
const ours = new Set(["attachments", "newest-event", "quartermaster.db", "secret-key"]);

const namesIn = (dataDir: string): Promise<ReadonlyArray<string>> =>
  readdir(dataDir).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return [];
    throw cause;
  });

/**
 * Fails if the directory is not empty. `isInterrupted` also allows the files of an earlier restore.
 */
const refuseFull = (dataDir: string, names: ReadonlyArray<string>, isInterrupted: boolean) => {
  const others = names.filter((name) => !harmless.has(name) && !(isInterrupted && ours.has(name)));
  if (others.length === 0) return;
  throw new BackupError({
    message:
      `${dataDir} is not empty (it has ${others.slice(0, 3).join(", ")}), and a restore replaces nothing. ` +
      "Name an empty or new directory, or move these files away.",
    needsOtherDirectory: true,
  });
};

const verify = async ({ dataDir, file, keys }: Options) => {
  const head = await opened(file, (handle) => read(file, handle, () => Promise.resolve(), keys));
  const foreign = Snapshot.foreignMigrations(head.migrations);
  if (foreign !== undefined) {
    throw refused(sentence(file, new Unfit("newer", foreign), head));
  }
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < head.bytes) {
    throw refused(
      `The restore needs ${head.bytes} bytes, but ${folder} has ${bavail * bsize} bytes left. Make room first.`,
    );
  }
  return head;
};

const writeFile = async (
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
) => {
  const handle = await open(path, "wx", 0o600);
  try {
    for await (const chunk of chunks) await writeAll(handle, chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const pathIn = (folder: string, entry: Entry): string =>
  entry.path.startsWith("attachments/")
    ? (DiskAttachmentContent.fileOf(join(folder, "attachments"), entry.path.slice(12)) ?? folder)
    : join(folder, entry.path);

/** Writes all files of the backup below the folder. */
const extract = (file: string, folder: string, signal: AbortSignal) =>
  opened(file, async (handle) => {
    const folders = new Set([
      folder,
      join(folder, "attachments"),
      join(folder, "attachments", "kept"),
    ]);
    for (const path of folders) await mkdir(path, { recursive: true, mode: 0o700 });
    const head = await read(file, handle, async (entry, chunks) => {
      signal.throwIfAborted();
      const path = pathIn(folder, entry);
      if (!folders.has(dirname(path))) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        folders.add(dirname(path));
      }
      await writeFile(path, chunks);
    });
    const note = new TextEncoder().encode(NewestEvent.noteOf(head.newestEvent));
    await writeFile(join(folder, "newest-event"), [note]);
    for (const path of folders) await syncFolder(path);
  });

/** Checks the extracted database, and that every attachment it names was extracted. */
const check = (file: string, folder: string) => {
  const snapshot = Snapshot.open(join(folder, "quartermaster.db"));
  try {
    const [problem] = snapshot.problems();
    if (problem !== undefined) throw refused(sentence(file, new Unfit("damaged", problem), null));
    for (const entry of snapshot.attachments()) {
      if (existsSync(pathIn(folder, entry))) continue;
      throw refused(sentence(file, new Unfit("damaged", `it lacks ${entry.path}`), null));
    }
  } finally {
    snapshot.close();
  }
};

/** Removes the folder, which lets servers start again. */
const finish = async (dataDir: string) => {
  await rm(RestoringFolder.pathIn(dataDir), { recursive: true });
  await syncFolder(dataDir);
};

const restore = async (
  { dataDir, file }: Pick<Options, "dataDir" | "file">,
  head: Head,
  signal: AbortSignal,
) => {
  const folder = RestoringFolder.pathIn(dataDir);
  // The database moves last, so that the directory never looks complete too early.
  const names = [
    "attachments",
    "newest-event",
    ...(head.hasKeys ? ["secret-key"] : []),
    "quartermaster.db",
  ];
  for (const name of names) {
    await rm(join(dataDir, name), { recursive: true, force: true });
    await rm(join(folder, name), { recursive: true, force: true });
  }
  try {
    await extract(file, folder, signal);
    check(file, folder);
    signal.throwIfAborted();
  } catch (cause) {
    await finish(dataDir);
    throw cause;
  }
  for (const name of names.slice(0, -1)) await rename(join(folder, name), join(dataDir, name));
  // Link instead of rename: a rename would replace the database of a server that started in the
  // meantime.
  await link(join(folder, "quartermaster.db"), join(dataDir, "quartermaster.db"));
  await syncFolder(dataDir);
};

/**
 * Restores a backup and returns its head. Fails with a one-sentence message. If the backup is
 * invalid, nothing is written.
 */
export const run = (options: Options): Effect.Effect<Restored, BackupError> => {
  const dataDir = resolve(options.dataDir);
  const file = resolve(options.file);
  const folder = RestoringFolder.pathIn(dataDir);
  const lock = Effect.acquireRelease(
    attempt(dataDir, async () => {
      const created = await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(dataDir);
      try {
        // A server may have started, or a restore finished, between the first check and the
        // creation of this folder.
        refuseFull(dataDir, await namesIn(dataDir), created === undefined);
      } catch (cause) {
        if (created !== undefined) await finish(dataDir);
        throw cause;
      }
      const release = BackupLock.acquire(BackupLock.fileIn(folder));
      if (release !== undefined) return release;
      throw refused(`Another restore of ${dataDir} is running. Wait for it.`);
    }),
    (release) => Effect.sync(release),
  );
  return Effect.gen(function* () {
    yield* attempt(dataDir, async () => {
      const names = await namesIn(dataDir);
      refuseFull(dataDir, names, names.includes("restoring"));
    });
    const head = yield* attempt(file, () => verify({ ...options, dataDir, file }));
    yield* Effect.mapError(DatabaseFile.makeDirectory(dataDir), ({ reason }) =>
      refused(`${dataDir}: ${reason}.`),
    );
    yield* Effect.scoped(
      Effect.andThen(
        lock,
        attempt(dataDir, async (signal) => {
          await restore({ dataDir, file }, head, signal);
          await finish(dataDir);
        }),
      ),
    );
    return head;
  });
};
