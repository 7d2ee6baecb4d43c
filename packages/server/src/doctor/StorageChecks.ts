import { join } from "node:path";
import type { Inspection } from "@quartermaster/storage-sqlite";
import { counted } from "../Counted.ts";
import type { Finding } from "./Finding.ts";

/** Checks of the stored data. They are pure functions from facts to findings. */

const restoreBackup = "QM_DATA_DIR=EMPTY_DIRECTORY quartermaster restore FILE";

const error = (check: Finding["check"], message: string, fix: string): Finding => ({
  check,
  severity: "error",
  message,
  fix,
});

const warning = (check: Finding["check"], message: string, fix: string): Finding => ({
  check,
  severity: "warning",
  message,
  fix,
});

const damage = (problems: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  problems.map((problem) =>
    error("integrity", `The database is damaged: ${problem}.`, restoreBackup),
  );

/** Milliseconds by which a stored change may be in the future. Nodes on one machine share a clock. */
const clockMillis = 60_000;

const clock = ({ newestChange }: Inspection.Facts, nowMillis: number): ReadonlyArray<Finding> => {
  const behind = newestChange === null ? 0 : Date.parse(newestChange) - nowMillis;
  if (behind <= clockMillis) return [];
  return [
    warning(
      "clock",
      `The clock is ${Math.round(behind / clockMillis)} minutes behind the newest stored change (${newestChange}), or was ahead when that was stored.`,
      "timedatectl set-ntp true",
    ),
  ];
};

/** Runs that no server ended, and issues that wait for a person because their runs died. */
export const work = ({
  exhausted,
  expiredRuns,
}: Pick<Inspection.Facts, "exhausted" | "expiredRuns">): ReadonlyArray<Finding> => [
  ...expiredRuns.map(({ agentId, issueId, leaseExpiresAt, runId }) =>
    warning(
      "work",
      `The lease of run ${runId} (agent ${agentId}, issue ${issueId}) expired at ${leaseExpiresAt}, and no server has recorded it.`,
      "quartermaster serve",
    ),
  ),
  ...exhausted.map(({ attempts, issueId }) =>
    warning(
      "work",
      `Issue ${issueId} is paused: ${counted(attempts, "run")} died or failed.`,
      `quartermaster issue resume ${issueId}`,
    ),
  ),
];

const current = (facts: Inspection.Facts, nowMillis: number): ReadonlyArray<Finding> => [
  ...damage(facts.problems),
  ...facts.schema.map((difference) =>
    error(
      "integrity",
      `The schema of the database is not the schema of this version: ${difference}. Find out who changed the file.`,
      restoreBackup,
    ),
  ),
  ...(facts.lost === null
    ? []
    : [
        error(
          "integrity",
          `The database has lost changes: it ends at event ${facts.lost.found}, but event ${facts.lost.noted} was stored.`,
          restoreBackup,
        ),
      ]),
  ...facts.attachments.map(({ id, path }) =>
    error(
      "integrity",
      `The bytes of attachment ${id} are missing or incomplete (${path}).`,
      `curl -X DELETE -H "Authorization: Bearer $QM_KEY" "$QM_URL/api/projects/attachments/${id}"`,
    ),
  ),
  ...clock(facts, nowMillis),
  ...work(facts),
];

export const judge = (
  dataDir: string,
  { database, isRestoring }: Inspection.Inspection,
  nowMillis: number,
): ReadonlyArray<Finding> => {
  const file = join(dataDir, "quartermaster.db");
  if (isRestoring) {
    const message = `A restore of ${dataDir} is running or was interrupted, so no server starts on it.`;
    return [error("integrity", message, `QM_DATA_DIR=${dataDir} quartermaster restore FILE`)];
  }
  switch (database.state) {
    case "missing":
      return [
        error("integrity", `There is no database in ${dataDir}.`, "export QM_DATA_DIR=DIRECTORY"),
      ];
    case "unreadable":
      return [error("integrity", `${file} cannot be read: ${database.reason}.`, restoreBackup)];
    case "newer":
      return [
        error(
          "integrity",
          `${file} was written by a newer version (it has ${database.migrations}).`,
          "npm install quartermaster@latest",
        ),
      ];
    case "older":
      return [
        ...damage(database.problems),
        warning(
          "integrity",
          `${file} was written by an older version: the next start migrates it.`,
          "quartermaster backup FILE && quartermaster serve",
        ),
      ];
    case "current":
      return current(database, nowMillis);
  }
};
