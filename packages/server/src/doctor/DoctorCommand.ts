import { resolve } from "node:path";
import { type MasterKeys, Timestamp } from "@quartermaster/core";
import { Inspection } from "@quartermaster/storage-sqlite";
import { Clock, Console, Effect, Runtime, Schema } from "effect";
import * as DatabaseSettings from "../config/DatabaseSettings.ts";
import * as S3Settings from "../config/S3Settings.ts";
import { counted } from "../Counted.ts";
import * as BucketChecks from "./BucketChecks.ts";
import * as Configuration from "./Configuration.ts";
import * as DatabaseChecks from "./DatabaseChecks.ts";
import * as FileChecks from "./FileChecks.ts";
import { checks, type Finding } from "./Finding.ts";
import * as StorageChecks from "./StorageChecks.ts";
import * as ToolChecks from "./ToolChecks.ts";
import * as WebhookChecks from "./WebhookChecks.ts";

/**
 * The number of milliseconds by which a lease may be overdue. Housekeeping records an expired lease
 * within a minute.
 */
const graceMillis = 300_000;

/** The database and the bucket of the settings. `Configuration.check` reports settings that are invalid. */
const database = Effect.orElseSucceed(DatabaseSettings.read, () => null);
const s3 = Effect.orElseSucceed(S3Settings.read, () => null);

/** The checks of a server whose data is in PostgreSQL. */
const onPostgres = Effect.fnUntraced(function* (
  database: DatabaseSettings.Database,
  dataDir: string,
  masterKeys: MasterKeys.KeyBytes | null,
) {
  const { findings, report, servers, ...sealed } = yield* DatabaseChecks.examine(database);
  const bucket = yield* s3;
  return {
    report,
    findings: [
      ...(yield* FileChecks.permissions(dataDir)),
      ...(yield* FileChecks.space(dataDir)),
      ...findings,
      ...(yield* Effect.provide(ToolChecks.runtimes({ servers }), ToolChecks.detected)),
      // `Configuration` reports a missing QM_SECRET_KEY.
      ...(masterKeys === null ? [] : yield* ToolChecks.secrets(dataDir, masterKeys, sealed)),
      ...(bucket === null ? [] : yield* BucketChecks.examine(bucket)),
      ...(yield* ToolChecks.processes(dataDir)),
    ],
  };
});

/** The checks of a server whose data is in its data directory. */
const onSqlite = Effect.fnUntraced(function* (
  dataDir: string,
  masterKeys: MasterKeys.KeyBytes | null,
) {
  const now = yield* Clock.currentTimeMillis;
  const inspection = yield* Inspection.inspect(dataDir, Timestamp.ofMillis(now - graceMillis));
  const { database } = inspection;
  const findings: ReadonlyArray<Finding> = [
    ...(yield* FileChecks.permissions(dataDir)),
    ...(yield* FileChecks.space(dataDir)),
    ...StorageChecks.judge(dataDir, inspection, now),
    ...(database.state === "current"
      ? [
          ...(yield* Effect.provide(ToolChecks.runtimes(database), ToolChecks.detected)),
          ...(yield* ToolChecks.secrets(dataDir, masterKeys, database)),
          ...WebhookChecks.judge(database.webhooks, now),
        ]
      : []),
    ...(yield* ToolChecks.processes(dataDir)),
  ];
  return { report: null, findings };
});

/** Runs every check without changing anything. */
export const examine = Effect.gen(function* () {
  const { dataDir: given, masterKeys } = yield* Configuration.read;
  const dataDir = resolve(given);
  const postgres = yield* database;
  const configuration: ReadonlyArray<Finding> = yield* Configuration.check;
  const { findings, report } = yield* postgres === null
    ? onSqlite(dataDir, masterKeys)
    : onPostgres(postgres, dataDir, masterKeys);
  return { dataDir, report, findings: [...configuration, ...findings] };
});

/** The error of `quartermaster doctor` when it has findings. */
export class Unwell extends Schema.TaggedError<Unwell>()("Unwell", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2;
}

/** `quartermaster doctor`. */
export const run = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { dataDir, findings, report } = yield* examine;
  const ok = findings.length === 0;
  if (json)
    yield* Console.log(
      JSON.stringify({
        ok,
        dataDir,
        ...(report === null ? {} : { database: report }),
        checks,
        findings,
      }),
    );
  else {
    if (report !== null) yield* Console.log(DatabaseChecks.lineOf(report));
    for (const { check, fix, message, severity } of findings) {
      yield* Console.log(`${severity} (${check}): ${message}\n  ${fix}`);
    }
    if (ok) yield* Console.log(`Nothing is wrong with ${dataDir}.`);
  }
  if (ok) return;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return yield* new Unwell({
    message: `${counted(errors, "error")} and ${counted(findings.length - errors, "warning")}. Run the commands above, and check again.`,
  });
});
