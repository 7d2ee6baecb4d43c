import * as NodeServices from "@effect/platform-node/NodeServices";
import { Context, Effect, Layer, type PlatformError, type Redacted, type Scope } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { signal } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import { type ProcessRecord, ProcessRecords } from "./ProcessRecords.ts";

/** A program to start, as it is: no shell. */
export interface Program {
  readonly command: string;
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>> & {
    readonly HOME: string;
  };
  readonly cwd: string;
  readonly stdin?: ChildProcess.CommandInput | undefined;
}

/** How long a group may take to end after SIGTERM, before SIGKILL. */
const grace = "5 seconds";
/** The same for one whose service is dead. */
const abandonedGraceMillis = 2_000;

/**
 * Programs in process groups of their own. Each group ends with the scope of its start, all of it:
 * SIGTERM, then SIGKILL. It is recorded meanwhile, so that the next service to start ends the
 * groups of one that died.
 */
export class Processes extends Context.Service<
  Processes,
  {
    start(
      program: Program,
    ): Effect.Effect<
      ChildProcessSpawner.ChildProcessHandle,
      PlatformError.PlatformError,
      Scope.Scope
    >;
  }
>()("@quartermaster/mcp/processes/Processes") {
  static readonly layerNoDeps = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner;
      const records = yield* ProcessRecords;
      const identity = yield* ProcessIdentity;

      const start = Effect.fn("Processes.start")(function* (program: Program) {
        let forget: Effect.Effect<void> = Effect.void;
        yield* Effect.addFinalizer(() => forget);
        const handle = yield* spawner.spawn(
          ChildProcess.make(program.command, program.args, {
            cwd: program.cwd,
            env: program.env,
            stdin: program.stdin ?? "ignore",
            killSignal: "SIGTERM",
            forceKillAfter: grace,
          }),
        );
        forget = yield* records.keep(handle.pid, program.env.HOME);
        return handle;
      }, Effect.uninterruptible);

      const lives = ({ leader, home }: ProcessRecord) =>
        Effect.flatMap(identity.isAlive(leader), (alive) =>
          alive ? Effect.succeed(true) : identity.groupHas(leader.pid, `HOME=${home}`),
        );

      const end = Effect.fnUntraced(function* (record: ProcessRecord) {
        if (!(yield* lives(record))) return;
        const group = -record.leader.pid;
        yield* Effect.logInfo("Ending processes that a dead service left", record.leader);
        signal(group, "SIGTERM");
        for (let waited = 0; waited < abandonedGraceMillis; waited += 50) {
          if (!(yield* lives(record))) return;
          yield* Effect.sleep("50 millis");
        }
        if (yield* lives(record)) signal(group, "SIGKILL");
      });

      yield* Effect.forEach(
        yield* records.abandoned,
        ({ record, remove }) => Effect.andThen(end(record), remove),
        { concurrency: "unbounded", discard: true },
      );

      return Processes.of({ start });
    }),
  );

  /** Each data directory has its own, whatever is built besides. */
  static readonly layer = (options: { readonly dataDir: string }) =>
    Layer.fresh(
      Processes.layerNoDeps.pipe(
        Layer.provide(ProcessRecords.layer(options)),
        Layer.provide(ProcessIdentity.layer),
        Layer.provide(NodeServices.layer),
      ),
    );
}
