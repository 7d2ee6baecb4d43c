import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Effect } from "effect";
import * as BackupLock from "../files/BackupLock.ts";
import * as DiskAttachmentContent from "../files/DiskAttachmentContent.ts";
import * as Archive from "./Archive.ts";
import * as ArchiveReader from "./ArchiveReader.ts";
import { BackupError } from "./BackupError.ts";
import { attempt, syncFolder } from "./Files.ts";
import type * as Signature from "./Signature.ts";
import * as Snapshot from "./Snapshot.ts";

/**
 * Writes the database and all attachments that it references to one file, while processes write to
 * both. The backup is written under a temporary name, synced and then renamed to `file`, which
 * therefore always contains the previous file or a complete backup.
 */

export { BackupError } from "./BackupError.ts";
/** The contents of a backup. */
export type { Head as Contents } from "./Archive.ts";

export interface Options {
  readonly dataDir: string;
  readonly file: string;
  /** The version of this program, stored so that an older program can report a newer backup. */
  readonly version: string;
  /** The time of the backup, ISO 8601. */
  readonly createdAt: string;
  /**
   * Reads the text of the master keys, newest first; null to leave them out. Called before and
   * after the snapshot, because a rotation in between may drop a key that the snapshot needs.
   */
  readonly masterKeys: (() => Promise<string>) | null;
  /** Whether the logs of runs are omitted. Default: false. */
  readonly withoutLogs?: boolean | undefined;
  /** The master key that signs the backup; null for an unsigned backup. */
  readonly signWith: Signature.Key | null;
}

/** Refuses to replace a file that is not a backup, and a file in a folder that does not exist. */
const refuseOther = async (file: string) => {
  const handle = await open(file, "r").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  });
  if (handle === undefined) {
    const folder = dirname(file);
    if (existsSync(folder)) return;
    throw new BackupError({
      message: `${file} cannot be written: there is no folder ${folder}. Create it, or name another file.`,
    });
  }
  try {
    await ArchiveReader.readOnlyHead(handle);
  } catch {
    throw new BackupError({
      message: `${file} exists and is not a backup of this version. Name another file, or remove it.`,
    });
  } finally {
    await handle.close();
  }
};

const addFile = async (
  writer: ReturnType<typeof Archive.writer>,
  entry: Archive.Entry,
  path: string,
) => {
  const handle = await open(path, "r");
  try {
    await writer.add(entry, Archive.chunksOf(handle));
  } finally {
    await handle.close();
  }
};

const addAttachment = async (
  writer: ReturnType<typeof Archive.writer>,
  entry: Archive.Entry,
  folder: string,
) => {
  const id = entry.path.slice(entry.path.indexOf("/") + 1);
  const path = DiskAttachmentContent.fileOf(folder, id) ?? folder;
  await addFile(writer, entry, path).catch((cause: unknown) => {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    if (!isMissing && !(cause instanceof Archive.Unfit)) throw cause;
    throw new BackupError({
      message:
        `The bytes of attachment ${id} are ${isMissing ? "missing" : "damaged"} (${path}). Put them ` +
        "back from an older backup or delete the attachment, then back up again.",
    });
  });
};

const unique = (texts: ReadonlyArray<string>) =>
  [...new Set(texts.flatMap((text) => text.split(",")).map((key) => key.trim()))].join(",");

const write = async (options: Options, handle: FileHandle, copy: string, signal: AbortSignal) => {
  const { createdAt, dataDir, masterKeys, version, withoutLogs } = options;
  const before = await masterKeys?.();
  await Snapshot.take(join(dataDir, "quartermaster.db"), copy, { withoutLogs });
  const after = await masterKeys?.();
  const keys =
    before === undefined || after === undefined
      ? undefined
      : new TextEncoder().encode(unique([after, before]));
  const database = await Snapshot.entryOf("quartermaster.db", copy);
  const snapshot = Snapshot.open(copy);
  try {
    const [problem] = snapshot.problems();
    if (problem !== undefined) {
      throw new BackupError({
        message: `The database in ${dataDir} is damaged (${problem}). Restore an older backup.`,
      });
    }
    const { attachmentBytes, ...facts } = snapshot.facts;
    const head: Archive.Head = {
      ...facts,
      createdAt,
      version,
      hasKeys: keys !== undefined,
      bytes: database.size + attachmentBytes + (keys?.length ?? 0),
    };
    const writer = Archive.writer(handle);
    await writer.head(head);
    await addFile(writer, database, copy);
    if (keys !== undefined) {
      const sha256 = createHash("sha256").update(keys).digest("hex");
      await writer.add({ path: "secret-key", size: keys.length, sha256 }, [keys]);
    }
    for (const entry of snapshot.attachments()) {
      signal.throwIfAborted();
      await addAttachment(writer, entry, join(dataDir, "attachments"));
    }
    await writer.end(options.signWith);
    return head;
  } finally {
    snapshot.close();
  }
};

/**
 * Writes a backup and returns its head. Fails with a one-sentence message; `file` is then
 * unchanged.
 */
export const run = (options: Options): Effect.Effect<Archive.Head, BackupError> => {
  const file = resolve(options.file);
  // Names used only by backups, so that leftovers of a killed backup can be removed.
  const part = `${file}.quartermaster-backup`;
  const copy = `${file}.quartermaster-backup.db`;
  const lock = Effect.acquireRelease(
    attempt(file, async () => {
      if (!existsSync(join(options.dataDir, "quartermaster.db"))) {
        throw new BackupError({
          message: `There is no database in ${options.dataDir}: name the server's data directory.`,
          needsOtherDirectory: true,
        });
      }
      const release = BackupLock.acquire(BackupLock.fileIn(options.dataDir));
      if (release !== undefined) return release;
      throw new BackupError({
        message: `Another backup of ${options.dataDir} is running. Wait for it and try again.`,
      });
    }),
    (release) => Effect.sync(release),
  );
  const removeParts = Effect.promise(async () => {
    // SQLite would roll the journal of a killed copy back into the next copy.
    for (const path of [part, copy, `${copy}-journal`])
      await rm(path, { force: true }).catch(() => undefined);
  });
  return Effect.gen(function* () {
    yield* attempt(file, () => refuseOther(file));
    yield* lock;
    yield* Effect.addFinalizer(() => removeParts);
    // A killed backup may have left these files.
    yield* removeParts;
    return yield* attempt(file, async (signal) => {
      const handle = await open(part, "wx", 0o600);
      let head: Archive.Head;
      try {
        head = await write(options, handle, copy, signal);
      } finally {
        await handle.close();
      }
      await rename(part, file);
      await syncFolder(dirname(file));
      return head;
    });
  }).pipe(Effect.scoped);
};
