import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Effect } from "effect";
import type { Finding } from "./Finding.ts";

/** Checks of the files in the data directory. */

/** Files that only the user of the service may read. */
const privateNames = [
  "quartermaster.db",
  "quartermaster.db-wal",
  "quartermaster.db-shm",
  "newest-event",
  "owner-key",
  "secret-key",
];

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, "0");

const modeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mode }) => mode,
    () => null,
  );

const checkMode = async (path: string, allowed: string): Promise<ReadonlyArray<Finding>> => {
  const mode = await modeOf(path);
  if (mode === null || (mode & 0o077) === 0) return [];
  return [
    {
      check: "permissions",
      severity: "error",
      message: `Other users can reach ${path}: its mode is ${octal(mode)}.`,
      fix: `chmod ${allowed} ${path}`,
    },
  ];
};

const checkAccess = async (path: string, mode: number): Promise<ReadonlyArray<Finding>> => {
  if ((await modeOf(path)) === null) return [];
  const isAllowed = await access(path, mode).then(
    () => true,
    () => false,
  );
  if (isAllowed) return [];
  return [
    {
      check: "permissions",
      severity: "error",
      message: `This user cannot read and write ${path}, or is not the user of the server.`,
      fix: `sudo chown -R "$(id -un)" ${path}`,
    },
  ];
};

export const permissions = (dataDir: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.promise(async () => {
    const { R_OK, W_OK, X_OK } = constants;
    const findings = [
      ...(await checkMode(dataDir, "700")),
      ...(await checkAccess(dataDir, R_OK | W_OK | X_OK)),
    ];
    for (const name of privateNames) {
      findings.push(...(await checkMode(join(dataDir, name), "600")));
      findings.push(...(await checkAccess(join(dataDir, name), R_OK | W_OK)));
    }
    return findings;
  });

const mebibyte = 1024 * 1024;
/**
 * The minimum free bytes. On a full disk SQLite fails writes; its log and a checkpoint may take
 * several hundred MiB.
 */
const leastFree = { error: 100 * mebibyte, warning: 1024 * mebibyte };

/** The finding for the free bytes of the disk. */
export const judgeSpace = (dataDir: string, freeBytes: number): ReadonlyArray<Finding> => {
  if (freeBytes >= leastFree.warning) return [];
  return [
    {
      check: "disk",
      severity: freeBytes < leastFree.error ? "error" : "warning",
      message: `The file system of ${dataDir} has ${Math.floor(freeBytes / mebibyte)} MiB left.`,
      fix: `du -xh ${dataDir} | sort -h | tail`,
    },
  ];
};

export const space = (dataDir: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.promise(() =>
    statfs(dataDir).then(
      ({ bavail, bsize }) => judgeSpace(dataDir, bavail * bsize),
      () => [],
    ),
  );
