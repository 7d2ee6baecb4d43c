import { randomUUID } from "node:crypto";
import * as NodeServices from "@effect/platform-node/NodeServices";
import {
  Context,
  Effect,
  Layer,
  type PlatformError,
  type Redacted,
  Schedule,
  type Scope,
} from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { Host, lowerPriority, signal } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import { markerName, membersOf, type ProcessRecord, ProcessRecords } from "./ProcessRecords.ts";
import type { Stat } from "./ProcessTable.ts";

/** A program to start, without a shell. */
export interface Program {
  readonly command: string;
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>>;
  readonly cwd: string;
  readonly stdin?: ChildProcess.CommandInput | undefined;
  /**
   * The leader dies of SIGTERM and takes the program with it, instead of passing the signal on. Everything that
   * the program starts stays a descendant of the leader.
   */
  readonly shieldsProgram?: boolean | undefined;
  /** The container that the leader is the client of. It may outlive the leader. */
  readonly container?: string | undefined;
}

/** How long a program may take to exit after SIGTERM, before SIGKILL. */
const grace = "5 seconds";
/** The same for what left its group, and for what a crashed service left. */
const strayGraceMillis = 2_000;
/** How long processes may take to disappear after SIGKILL. */
const killMillis = 5_000;

/**
 * Programs in process groups of their own. When the scope of `start` closes, the program and everything
 * that it started are stopped: SIGTERM, then SIGKILL, also what left its group, session or parent. A
 * running program is recorded, so that the next service to start stops what a crashed service left.
 *
 * Every program goes after the service and other programs of the host when processors are short: beside four that
 * compute without end, on two processors, a thread of the service waits 4 ms for its turn at p99, not 8 to 9.
 *
 * Every program has a variable with a value of its own, which what it starts inherits. Stopping reads the
 * table of processes twice, before the leader is stopped and after: 7 ms each with 140 processes, in which the
 * service does nothing else. Of a program in a PID namespace only the leader's descendants are read. A process
 * escapes if it leaves its parent and clears its environment: only a PID namespace catches that.
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
>()("@quartermaster/mcp/programs/processes/Processes") {
  static readonly layerNoDeps = Layer.effect(
    Processes,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner;
      const records = yield* ProcessRecords;
      const identity = yield* ProcessIdentity;
      const { environment } = yield* Host;

      const removeContainer = (name: string) =>
        spawner
          .exitCode(
            ChildProcess.make("docker", ["rm", "--force", name], {
              env: environment,
              stdin: "ignore",
              stdout: "ignore",
              stderr: "ignore",
            }),
          )
          .pipe(Effect.timeoutOption("10 seconds"), Effect.ignore);

      /** Waits until none of the processes is alive. */
      const gone = Effect.fnUntraced(function* (processes: ReadonlyArray<Stat>, limit: number) {
        let alive = processes;
        for (let waited = 0; ; waited += 20) {
          alive = yield* Effect.filter(alive, identity.isAlive);
          if (alive.length === 0 || waited >= limit) return alive;
          yield* Effect.sleep("20 millis");
        }
      });

      /** Stops these processes, and what of the program is found after them. */
      const stopStrays = Effect.fnUntraced(function* (
        members: Effect.Effect<ReadonlyArray<Stat>>,
        known: ReadonlyArray<Stat>,
      ) {
        const found = [...known, ...(yield* members)];
        let alive = yield* gone(found, 0);
        for (const { pid } of alive) signal(pid, "SIGTERM");
        alive = yield* gone(alive, strayGraceMillis);
        // What is forked in the meantime is found by another look.
        for (let waited = 0; alive.length > 0 && waited < killMillis; waited += 100) {
          for (const { pid } of alive) signal(pid, "SIGKILL");
          yield* gone(alive, 100);
          alive = yield* members;
        }
      });

      /** What of a program is alive. In a namespace of its own, only the leader's descendants can be. */
      const membersIn = (
        program: Pick<ProcessRecord, "leader" | "marker">,
        shielded: boolean,
      ): Effect.Effect<ReadonlyArray<Stat>> =>
        shielded
          ? Effect.flatMap(identity.descendantsOf(program.leader), (descendants) =>
              descendants === null ? membersOf(identity, program) : Effect.succeed(descendants),
            )
          : membersOf(identity, program);

      const goesAfter = (pid: number) =>
        Effect.repeat(
          Effect.sync(() => lowerPriority(pid)),
          { until: (done) => done, times: 50, schedule: Schedule.spaced("110 millis") },
        );

      const start = Effect.fn("Processes.start")(function* (program: Program) {
        const marker = randomUUID();
        let stopRest: Effect.Effect<void> = Effect.void;
        let forget: Effect.Effect<void> = Effect.void;
        yield* Effect.addFinalizer(() => forget);
        // Runs after the leader and its group were stopped.
        yield* Effect.addFinalizer(() => stopRest);
        if (program.container !== undefined) {
          yield* Effect.addFinalizer(() => removeContainer(program.container ?? ""));
        }
        const handle = yield* spawner.spawn(
          ChildProcess.make(program.command, program.args, {
            cwd: program.cwd,
            env: { ...program.env, [markerName]: marker },
            stdin: program.stdin ?? "ignore",
            killSignal: "SIGTERM",
            forceKillAfter: grace,
          }),
        );
        const { pid } = handle;
        yield* Effect.forkScoped(goesAfter(pid));
        const leader = { pid, start: (yield* identity.startOf(pid)) ?? "" };
        const shielded = program.shieldsProgram === true;
        const members = membersIn({ leader, marker }, shielded);
        stopRest = stopStrays(members, []);
        const { container } = program;
        forget = yield* records.add({
          leader,
          marker,
          ...(container !== undefined && { container }),
        });
        // Runs before the leader and its group are stopped, while descendants have their parents.
        yield* Effect.addFinalizer(
          Effect.fnUntraced(function* () {
            const isLeader = (member: Stat) => member.pid === leader.pid;
            const known = (yield* members).filter((member) => !isLeader(member));
            stopRest = stopStrays(members, known);
            for (const { group, pid } of known) {
              if (shielded || group !== leader.pid) signal(pid, "SIGTERM");
            }
            if (shielded) yield* Effect.timeoutOption(Effect.exit(handle.exitCode), grace);
          }),
        );
        return handle;
      }, Effect.uninterruptible);

      const stop = Effect.fnUntraced(function* (record: ProcessRecord) {
        const { container, leader } = record;
        const members = yield* membersOf(identity, record);
        const hasLeader = yield* identity.isAlive(leader);
        if (container !== undefined) yield* removeContainer(container);
        if (!hasLeader && members.length === 0) return;
        yield* Effect.logInfo("Stopping processes that a crashed service left running", leader);
        if (hasLeader) signal(-leader.pid, "SIGTERM");
        const isGone = gone(
          [{ ...leader, isAlive: true, parent: 0, group: leader.pid }],
          strayGraceMillis,
        );
        yield* Effect.all([isGone, stopStrays(membersOf(identity, record), members)], {
          concurrency: "unbounded",
        });
        if (yield* identity.isAlive(leader)) signal(-leader.pid, "SIGKILL");
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
