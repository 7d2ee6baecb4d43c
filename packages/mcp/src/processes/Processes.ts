import * as NodeServices from "@effect/platform-node/NodeServices";
import { Context, Effect, Layer, type PlatformError, type Redacted, type Scope } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { signal } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import { isAlive as isGroupAlive, type ProcessRecord, ProcessRecords } from "./ProcessRecords.ts";

/** A program to start, without a shell. */
export interface Program {
  readonly command: string;
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>> & {
    readonly HOME: string;
  };
  readonly cwd: string;
  readonly stdin?: ChildProcess.CommandInput | undefined;
}

/** How long a group may take to exit after SIGTERM, before SIGKILL. */
const grace = "5 seconds";
/** The same for a group whose service crashed. */
const abandonedGraceMillis = 2_000;

/**
 * Programs in process groups of their own. When the scope of `start` closes, the whole group is stopped:
 * SIGTERM, then SIGKILL. A running group is recorded, so that the next service to start stops the groups
 * of a service that crashed.
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
        forget = yield* records.add(handle.pid, program.env.HOME);
        return handle;
      }, Effect.uninterruptible);

      const isAlive = (record: ProcessRecord) => isGroupAlive(identity, record);

      const stop = Effect.fnUntraced(function* (record: ProcessRecord) {
        if (!(yield* isAlive(record))) return;
        const group = -record.leader.pid;
        yield* Effect.logInfo("Stopping processes that a crashed service left", record.leader);
        signal(group, "SIGTERM");
        for (let waited = 0; waited < abandonedGraceMillis; waited += 50) {
          if (!(yield* isAlive(record))) return;
          yield* Effect.sleep("50 millis");
        }
        if (yield* isAlive(record)) signal(group, "SIGKILL");
      });

      yield* Effect.forEach(
        yield* records.abandoned,
        ({ record, remove }) => Effect.andThen(stop(record), remove),
        { concurrency: "unbounded", discard: true },
      );

      return Processes.of({ start });
    }),
  );

  /** Fresh, because each data directory has its own. */
  static readonly layer = (options: { readonly dataDir: string }) =>
    Layer.fresh(
      Processes.layerNoDeps.pipe(
        Layer.provide(ProcessRecords.layer(options)),
        Layer.provide(ProcessIdentity.layer),
        Layer.provide(NodeServices.layer),
      ),
    );
}
