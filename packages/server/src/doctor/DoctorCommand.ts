import { resolve } from "node:path";
import { Timestamp } from "@quartermaster/core";
import { Inspection } from "@quartermaster/storage-sqlite";
import { Clock, Console, Effect, Runtime, Schema } from "effect";
import { counted } from "../Counted.ts";
import * as Configuration from "./Configuration.ts";
import * as FileChecks from "./FileChecks.ts";
import { checks, type Finding } from "./Finding.ts";
import * as StorageChecks from "./StorageChecks.ts";
import * as ToolChecks from "./ToolChecks.ts";

/**
 * The number of milliseconds by which a lease may be overdue. Housekeeping records an expired lease
 * within a minute.
 */
const graceMillis = 300_000;

/** Runs every check without changing anything. */
export const examine = Effect.gen(function* () {
  const { dataDir: given, masterKeys } = yield* Configuration.read;
  const dataDir = resolve(given);
  const now = yield* Clock.currentTimeMillis;
  const inspection = yield* Inspection.inspect(dataDir, Timestamp.ofMillis(now - graceMillis));
  const { database } = inspection;
  const findings: ReadonlyArray<Finding> = [
    ...(yield* Configuration.check),
    ...(yield* FileChecks.permissions(dataDir)),
    ...(yield* FileChecks.space(dataDir)),
    ...StorageChecks.judge(dataDir, inspection, now),
    ...(database.state === "current"
      ? [
          ...(yield* Effect.provide(ToolChecks.runtimes(database), ToolChecks.detected)),
          ...(yield* ToolChecks.secrets(dataDir, masterKeys, database)),
        ]
      : []),
    ...(yield* ToolChecks.processes(dataDir)),
  ];
  return { dataDir, findings };
});

/** The error of `quartermaster doctor` when it has findings. */
export class Unwell extends Schema.TaggedError<Unwell>()("Unwell", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2;
}

/** `quartermaster doctor`. */
export const run = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { dataDir, findings } = yield* examine;
  const ok = findings.length === 0;
  if (json) yield* Console.log(JSON.stringify({ ok, dataDir, checks, findings }));
  else {
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
