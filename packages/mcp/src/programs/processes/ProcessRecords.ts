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
  leader: IdentitySchema,
  /** A value that only this start has: in the environment of the leader and of what it starts. */
  marker: Schema.String,
  /** The container that the leader is the client of. */
  container: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^qm-[\w-]{1,60}$/))),
});
export interface ProcessRecord extends Schema.Schema.Type<typeof ProcessRecord> {}

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ProcessRecord));

/** The variable that contains the marker. Servers see no other variable of the service. */
export const markerName = "MCP_SERVER_PROCESS";

/** What the program started and is alive, in any group, also after its leader has exited. */
export const membersOf = (
  identity: ProcessIdentity["Service"],
  { leader, marker }: Pick<ProcessRecord, "leader" | "marker">,
): Effect.Effect<ReadonlyArray<Stat>> => identity.membersOf(`${markerName}=${marker}`, leader);

/** Whether the leader or something that it started is alive. */
export const isAlive = (
  identity: ProcessIdentity["Service"],
  record: ProcessRecord,
): Effect.Effect<boolean> =>
  Effect.flatMap(identity.isAlive(record.leader), (alive) =>
    alive
      ? Effect.succeed(true)
      : Effect.map(membersOf(identity, record), (members) => members.length > 0),
  );

/** Only another system can judge its records. They are removed after 30 days. */
const foreignMillis = 30 * 86_400_000;

const attempt = <A>(f: () => Promise<A>) => Effect.uninterruptible(Effect.tryPromise(f));

/** Files below `<dataDir>/processes`, one for each running program. */
export class ProcessRecords extends Context.Service<
  ProcessRecords,
  {
    /** Records a program. Returns how to remove the record. */
    add(
      program: Pick<ProcessRecord, "leader" | "marker" | "container">,
    ): Effect.Effect<Effect.Effect<void>>;
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

        const add = Effect.fn("ProcessRecords.add")(function* (
          program: Pick<ProcessRecord, "leader" | "marker" | "container">,
        ) {
          const { pid, start } = program.leader;
          const record: ProcessRecord = { system: identity.system, owner, ...program };
          const path = join(folder, `${owner.pid}-${pid}-${start.replace(/\W+/g, "")}.json`);
          yield* attempt(async () => {
            await mkdir(folder, { recursive: true, mode: 0o700 });
            await writeFile(`${path}.part`, JSON.stringify(record), { mode: 0o600 });
            await rename(`${path}.part`, path);
          }).pipe(Effect.catch((error) => Effect.logWarning("Cannot record a program", error)));
          return remove(path);
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

        return ProcessRecords.of({ add, abandoned });
      }),
    );
}
