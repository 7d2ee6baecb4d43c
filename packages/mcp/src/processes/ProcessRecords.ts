import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Clock, Context, Effect, Layer, Schema } from "effect";
import { ownPid } from "./Host.ts";
import { type Identity, ProcessIdentity } from "./ProcessIdentity.ts";

const IdentitySchema = Schema.Struct({ pid: Schema.Int, start: Schema.String });

/** A process group, and the service that started it. */
export const ProcessRecord = Schema.Struct({
  system: Schema.String,
  owner: IdentitySchema,
  leader: IdentitySchema,
  /** The leader's home, which identifies its group after the leader has exited. */
  home: Schema.String,
});
export interface ProcessRecord extends Schema.Schema.Type<typeof ProcessRecord> {}

export const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ProcessRecord));

/** Whether a process of the group is alive, also after its leader has exited. */
export const isAlive = (
  identity: ProcessIdentity["Service"],
  { leader, home }: ProcessRecord,
): Effect.Effect<boolean> =>
  Effect.flatMap(identity.isAlive(leader), (alive) =>
    alive ? Effect.succeed(true) : identity.groupHas(leader.pid, `HOME=${home}`),
  );

/** Only another system can judge its records. They are removed after 30 days. */
const foreignMillis = 30 * 86_400_000;

const attempt = <A>(f: () => Promise<A>) => Effect.uninterruptible(Effect.tryPromise(f));

/** Files below `<dataDir>/processes`, one for each running group. */
export class ProcessRecords extends Context.Service<
  ProcessRecords,
  {
    /** Records the group of a leader. Returns how to remove the record. */
    add(leader: number, home: string): Effect.Effect<Effect.Effect<void>>;
    /** The records of this system's crashed services, and how to remove each. */
    readonly abandoned: Effect.Effect<
      ReadonlyArray<{ readonly record: ProcessRecord; readonly remove: Effect.Effect<void> }>
    >;
  }
>()("@quartermaster/mcp/processes/ProcessRecords") {
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

        const add = Effect.fn("ProcessRecords.add")(function* (leader: number, home: string) {
          const start = (yield* identity.startOf(leader)) ?? "";
          const record: ProcessRecord = {
            system: identity.system,
            owner,
            leader: { pid: leader, start },
            home,
          };
          const path = join(folder, `${owner.pid}-${leader}-${start.replace(/\W+/g, "")}.json`);
          yield* attempt(async () => {
            await mkdir(folder, { recursive: true, mode: 0o700 });
            await writeFile(`${path}.part`, JSON.stringify(record), { mode: 0o600 });
            await rename(`${path}.part`, path);
          }).pipe(
            Effect.catch((error) =>
              Effect.logWarning("A process group could not be recorded", error),
            ),
          );
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
