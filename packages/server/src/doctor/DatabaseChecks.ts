import type { Inspection } from "@quartermaster/storage-postgres";
import { Clock, Effect } from "effect";
import { type Database, nameOf } from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import { counted } from "../Counted.ts";
import type { Finding } from "./Finding.ts";
import * as StorageChecks from "./StorageChecks.ts";
import * as WebhookChecks from "./WebhookChecks.ts";

/** Checks of a PostgreSQL database. */

/** What `doctor` reports about the database beside its findings. */
export interface Report {
  readonly name: string;
  /** Null if the database does not respond. */
  readonly version: string | null;
  readonly migrations: ReadonlyArray<string>;
}

/** Servers correct their clock by the database's. Commands do not. */
const clockMillis = 60_000;

const error = (message: string, fix: string): Finding => ({
  check: "integrity",
  severity: "error",
  message,
  fix,
});

/** The findings of what the database reported. */
export const judge = (
  database: Database,
  { aheadMillis, applied, isReadOnly, missing, tables, unknown }: Inspection.Inspection,
): ReadonlyArray<Finding> => {
  const name = nameOf(database);
  const findings: Array<Finding> = [];
  if (isReadOnly) {
    findings.push(
      error(
        `${name} is a standby, which stores no changes.`,
        "export QM_DATABASE_URL=URL_OF_THE_PRIMARY",
      ),
    );
  }
  if (unknown.length > 0) {
    findings.push(
      error(
        `${name} was written by a newer version (it has ${unknown.join(", ")}).`,
        "npm install quartermaster@latest",
      ),
    );
  }
  if (missing.length > 0) {
    const isAuto = database.migrate === "auto";
    findings.push({
      check: "integrity",
      severity: isAuto ? "warning" : "error",
      message:
        applied.length === 0
          ? `There are no tables in ${name}: migrate ${isAuto ? "or the first start " : ""}creates them.`
          : `${name} was written by an older version: ${isAuto ? "the next start" : "migrate"} updates it (${missing.join(", ")}).`,
      fix: "quartermaster migrate",
    });
  }
  if (tables?.isMoving === true) {
    findings.push(
      error(
        `A service was not completely moved to ${name}, so no server starts on it.`,
        "quartermaster migrate --from sqlite:DIR",
      ),
    );
  }
  if (Math.abs(aheadMillis) > clockMillis) {
    findings.push({
      check: "clock",
      severity: "warning",
      message: `The clock of the database is ${Math.round(Math.abs(aheadMillis) / 1_000)} s ${aheadMillis > 0 ? "ahead of" : "behind"} this machine's.`,
      fix: "timedatectl set-ntp true",
    });
  }
  return findings;
};

/** Asks the database for its version, its clock and its migrations. */
export const examine = Effect.fnUntraced(function* (database: Database) {
  const { Inspection } = yield* Postgres.load;
  const name = nameOf(database);
  const nowMillis = yield* Clock.currentTimeMillis;
  return yield* Inspection.inspect(database).pipe(
    Effect.timeoutOrElse({
      duration: "10 seconds",
      orElse: () => Effect.fail({ reason: "it does not respond within 10 seconds" }),
    }),
    Effect.match({
      onFailure: ({ reason }) => {
        const report: Report = { name, version: null, migrations: [] };
        const finding = error(
          `${name} cannot be used: ${reason}.`,
          `psql "$QM_DATABASE_URL" -c 'SELECT 1'`,
        );
        return { report, findings: [finding], servers: [], secrets: [], webhookSecrets: [] };
      },
      onSuccess: (inspection) => {
        const { applied: migrations, version } = inspection;
        const report: Report = { name, version, migrations };
        const { tables } = inspection;
        const { secrets = [], servers = [], webhookSecrets = [] } = tables ?? {};
        const findings = [
          ...judge(database, inspection),
          ...(tables === null ? [] : StorageChecks.work(tables)),
          ...WebhookChecks.judge(tables?.webhooks ?? [], nowMillis),
        ];
        return { report, findings, servers, secrets, webhookSecrets };
      },
    }),
  );
});

/** The report in one line. */
export const lineOf = ({ migrations, name, version }: Report): string =>
  version === null
    ? `${name} does not respond.`
    : `PostgreSQL ${version} responds at ${name}, which has ${counted(migrations.length, "migration")}` +
      (migrations.length === 0 ? "." : ` up to ${migrations.at(-1)}.`);
