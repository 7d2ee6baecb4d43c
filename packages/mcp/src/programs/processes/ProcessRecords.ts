import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Clock, Context, Effect, Layer, Schema } from "effect";
import { ownPid } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import type { Identity, Stat } from "./ProcessTable.ts";

const IdentitySchema = Schema.Struct({ pid: Schema.Int, start: Schema.String });

/** A running program and the service that started it. */
export const ProcessRecord = Schema.Struct({
  system: Schema.String,
  owner: IdentitySchema,
  /** Null if the service crashed while it started the program. */
  leader: Schema.NullOr(IdentitySchema),
  /** A value unique to this start, in the environment of the leader and its descendants. */
  marker: Schema.String,
  /** The container whose client is the leader. */
  container: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^qm-[\w-]{1,60}$/))),
});
export interface ProcessRecord extends Schema.Schema.Type<typeof ProcessRecord> {}

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ProcessRecord));

/** The environment variable of the marker. Servers see no other variable of the service. */
export const markerName = "MCP_SERVER_PROCESS";

/** The live processes of the program, in any group, even after the leader has exited. */
export const membersOf = (
  identity: ProcessIdentity["Service"],
  { leader, marker, owner }: Pick<ProcessRecord, "leader" | "marker" | "owner">,
): Effect.Effect<ReadonlyArray<Stat>> =>
  identity.membersOf(`${markerName}=${marker}`, leader, (leader ?? owner).start);

export const hasLeader = (
  identity: ProcessIdentity["Service"],
  { leader }: Pick<ProcessRecord, "leader">,
): Effect.Effect<boolean> => (leader === null ? Effect.succeed(false) : identity.isAlive(leader));

/** The retention period of records of other systems, which this system cannot check: 30 days. */
const foreignMillis = 30 * 86_400_000;

const attempt = <A>(f: () => Promise<A>) => Effect.uninterruptible(Effect.tryPromise(f));

type Started = Pick<ProcessRecord, "leader" | "marker" | "container">;

/** Files below `<dataDir>/processes`, one per running program. */
export class ProcessRecords extends Context.Service<
  ProcessRecords,
  {
    /** The identity of this service in its records. */
    readonly owner: Identity;
    /** Records a program before its start, and again when its leader is known. */
    put(program: Started): Effect.Effect<void>;
    remove(marker: string): Effect.Effect<void>;
    /** Records of crashed services on this system, each with an effect that removes it. */
    readonly abandoned: Effect.Effect<
      ReadonlyArray<{ readonly record: ProcessRecord; readonly remove: Effect.Effect<void> }>
    >;
  }
>()("@quartermaster/mcp/programs/processes/ProcessRecords") {
  static readonly layer = (options: { readonly dataDir: string }) =>
    Layer.effect(
      ProcessRecords,
      Effect.gen(function* () {
        const identity = yield* ProcessIdentity;
        const folder = join(options.dataDir, "processes");
        const owner: Identity = {
          pid: ownPid,
          start: (yield* identity.startOf(ownPid)) ?? "",
        };

        const remove = (path: string) => Effect.ignore(attempt(() => rm(path, { force: true })));

        const pathOf = (marker: string) => join(folder, `${owner.pid}-${marker}.json`);

        const put = Effect.fn("ProcessRecords.put")(function* (program: Started) {
          const record: ProcessRecord = { system: identity.system, owner, ...program };
          const path = pathOf(program.marker);
          yield* attempt(async () => {
            await mkdir(folder, { recursive: true, mode: 0o700 });
            await writeFile(`${path}.part`, JSON.stringify(record), { mode: 0o600 });
            await rename(`${path}.part`, path);
          }).pipe(Effect.catch((error) => Effect.logWarning("Cannot record a program", error)));
        });

        const read = Effect.fnUntraced(function* (name: string, now: number) {
          const path = join(folder, name);
          const text = yield* attempt(() => readFile(path, "utf8"));
          const record = yield* Effect.orElseSucceed(decode(text), () => null);
          const age = now - (yield* attempt(() => stat(path))).mtimeMs;
          if (record === null || record.system !== identity.system) {
            const [host] = identity.system.split(" ");
            // After a reboot, no process of the earlier boot is alive.
            const isObsolete = record?.system.startsWith(`${host} `) === true;
            if (isObsolete || age > (record === null ? 60_000 : foreignMillis)) yield* remove(path);
            return [];
          }
          if (yield* identity.isAlive(record.owner)) return [];
          return [{ record, remove: remove(path) }];
        });

        const abandoned = Effect.gen(function* () {
          const names = yield* Effect.orElseSucceed(
            attempt(() => readdir(folder)),
            () => [],
          );
          const now = yield* Clock.currentTimeMillis;
          const records = yield* Effect.forEach(names, (name) =>
            Effect.orElseSucceed(read(name, now), () => []),
          );
          return records.flat();
        });

        return ProcessRecords.of({
          owner,
          put,
          remove: (marker) => remove(pathOf(marker)),
          abandoned,
        });
      }),
    );
}
