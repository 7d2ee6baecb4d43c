import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Clock, Context, Effect, Layer, Schema } from "effect";
import { ownPid } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import type { Identity, Stat } from "./ProcessTable.ts";

const IdentitySchema = Schema.Struct({ pid: Schema.Int, start: Schema.String });

/** A program, and the service that started it. */
export const ProcessRecord = Schema.Struct({
  system: Schema.String,
  owner: IdentitySchema,
  /** Null if the service died while it started the program. */
  leader: Schema.NullOr(IdentitySchema),
  /** A value that only this start has: in the environment of the leader and of what it starts. */
  marker: Schema.String,
  /** The container that the leader is the client of. */
  container: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^qm-[\w-]{1,60}$/))),
});
export interface ProcessRecord extends Schema.Schema.Type<typeof ProcessRecord> {}

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ProcessRecord));

/** The variable that contains the marker. Servers see no other variable of the service. */
export const markerName = "MCP_SERVER_PROCESS";

/**
 * The living processes that the program started, in any group, even after its leader has exited.
 */
export const membersOf = (
  identity: ProcessIdentity["Service"],
  { leader, marker, owner }: Pick<ProcessRecord, "leader" | "marker" | "owner">,
): Effect.Effect<ReadonlyArray<Stat>> =>
  identity.membersOf(`${markerName}=${marker}`, leader, (leader ?? owner).start);

export const hasLeader = (
  identity: ProcessIdentity["Service"],
  { leader }: Pick<ProcessRecord, "leader">,
): Effect.Effect<boolean> => (leader === null ? Effect.succeed(false) : identity.isAlive(leader));

/** Only another system can judge its records. They are removed after 30 days. */
const foreignMillis = 30 * 86_400_000;

const attempt = <A>(f: () => Promise<A>) => Effect.uninterruptible(Effect.tryPromise(f));

type Started = Pick<ProcessRecord, "leader" | "marker" | "container">;

/** Files below `<dataDir>/processes`, one for each running program. */
export class ProcessRecords extends Context.Service<
  ProcessRecords,
  {
    /** The service, as its records name it. */
    readonly owner: Identity;
    /** Records a program that is about to start, or its leader once it is known. */
    put(program: Started): Effect.Effect<void>;
    /** Removes the record of a program. */
    remove(marker: string): Effect.Effect<void>;
    /** The records of this system's crashed services, and how to remove each. */
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
            // No process of an earlier boot of this host is alive.
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
