import { randomUUID } from "node:crypto";
import * as NodeServices from "@effect/platform-node/NodeServices";
import {
  Context,
  Effect,
  Layer,
  Option,
  type PlatformError,
  Redacted,
  Schedule,
  type Scope,
  Stream,
} from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { Host, lowerPriority, signal } from "./Host.ts";
import { ProcessIdentity } from "./ProcessIdentity.ts";
import {
  hasLeader,
  markerName,
  membersOf,
  type ProcessRecord,
  ProcessRecords,
} from "./ProcessRecords.ts";
import type { Identity, Stat } from "./ProcessTable.ts";

/** A program to start directly, without a shell. */
export interface Program {
  readonly command: string;
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>>;
  readonly cwd: string;
  readonly stdin?: ChildProcess.CommandInput | undefined;
  /**
   * Data that the program reads from file descriptor 3 to its end. It appears in neither arguments
   * nor variables.
   */
  readonly private?: Redacted.Redacted<string> | undefined;
  /**
   * Whether the leader exits on SIGTERM and takes the program with it, instead of forwarding the
   * signal. All processes that the program starts remain descendants of the leader.
   */
  readonly shieldsProgram?: boolean | undefined;
  /** The container whose client is the leader. It may outlive the leader. */
  readonly container?: string | undefined;
}

const inputOf = (text: Redacted.Redacted<string>) => ({
  type: "input" as const,
  stream: Stream.encodeText(Stream.make(Redacted.value(text))),
});

/** The time between SIGTERM and SIGKILL. */
const grace = "5 seconds";
/**
 * The time between SIGTERM and SIGKILL for processes outside the group or from a crashed service.
 */
const strayGraceMillis = 2_000;
/** The time for processes to disappear after SIGKILL. */
const killMillis = 5_000;

/** Stops processes that no handle owns. */
const straysOf = (identity: (typeof ProcessIdentity)["Service"]) => {
  /** Waits until none of the processes is alive. */
  const gone = Effect.fnUntraced(function* (processes: ReadonlyArray<Stat>, limit: number) {
    let alive = processes;
    for (let waited = 0; ; waited += 20) {
      alive = yield* Effect.filter(alive, identity.isAlive);
      if (alive.length === 0 || waited >= limit) return alive;
      yield* Effect.sleep("20 millis");
    }
  });

  /** Stops these processes, then the processes of the program that appeared after them. */
  const stopStrays = Effect.fnUntraced(function* (
    members: Effect.Effect<ReadonlyArray<Stat>>,
    known: ReadonlyArray<Stat>,
  ) {
    const found = [...known, ...(yield* members)];
    let alive = yield* gone(found, 0);
    for (const { pid } of alive) signal(pid, "SIGTERM");
    alive = yield* gone(alive, strayGraceMillis);
    // Repeat, to find processes forked in the meantime.
    for (let waited = 0; alive.length > 0 && waited < killMillis; waited += 100) {
      for (const { pid } of alive) signal(pid, "SIGKILL");
      yield* gone(alive, 100);
      alive = yield* members;
    }
  });

  return { gone, stopStrays };
};

/**
 * Programs in their own process groups. When the scope of `start` closes, the program and all
 * processes that it started are stopped with SIGTERM, then SIGKILL, including processes that left
 * its group, session or parent. Running programs are recorded, so that the next service to start
 * stops the processes that a crashed service left.
 *
 * When the processors are busy, programs yield to the service and to other programs of the host:
 * next to four compute-bound programs on two processors, a thread of the service waits 4 ms for a
 * processor at p99, instead of 8 to 9 ms.
 *
 * Every program has a variable with a unique value, which its children inherit. Stopping reads the
 * process table twice, before and after the leader stops. Each read takes 7 ms with 140 processes
 * and blocks the service. For a program in a PID namespace only the leader's descendants are read.
 * A process escapes if it leaves its parent and clears its environment: only a PID namespace
 * prevents that.
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
      const { gone, stopStrays } = straysOf(identity);

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

      /** The live processes of a program. In a PID namespace, only the leader's descendants. */
      const membersIn = (
        program: { readonly leader: Identity; readonly marker: string },
        shielded: boolean,
      ): Effect.Effect<ReadonlyArray<Stat>> => {
        const members = membersOf(identity, { ...program, owner: records.owner });
        return shielded
          ? Effect.flatMap(identity.descendantsOf(program.leader), (descendants) =>
              descendants === null ? members : Effect.succeed(descendants),
            )
          : members;
      };

      const goesAfter = (pid: number) =>
        Effect.repeat(
          Effect.sync(() => lowerPriority(pid)),
          { until: (done) => done, times: 50, schedule: Schedule.spaced("110 millis") },
        );

      const start = Effect.fn("Processes.start")(function* (program: Program) {
        const marker = randomUUID();
        let stopRest: Effect.Effect<void> = Effect.void;
        const { container } = program;
        const record = { marker, ...(container !== undefined && { container }) };
        yield* Effect.acquireRelease(records.put({ ...record, leader: null }), () =>
          records.remove(marker),
        );
        // Runs after the leader and its group have stopped.
        yield* Effect.addFinalizer(() => stopRest);
        if (container !== undefined) yield* Effect.addFinalizer(() => removeContainer(container));
        const handle = yield* spawner.spawn(
          ChildProcess.make(program.command, program.args, {
            cwd: program.cwd,
            env: { ...program.env, [markerName]: marker },
            stdin: program.stdin ?? "ignore",
            ...(program.private !== undefined && {
              additionalFds: { fd3: inputOf(program.private) },
            }),
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
        yield* records.put({ ...record, leader });
        // Runs before the leader and its group stop, while descendants still have their parents.
        yield* Effect.addFinalizer(
          Effect.fnUntraced(function* () {
            const isLeader = (member: Stat) => member.pid === leader.pid;
            const known = (yield* members).filter((member) => !isLeader(member));
            stopRest = stopStrays(members, known);
            for (const { group, pid } of known) {
              if (shielded || group !== leader.pid) signal(pid, "SIGTERM");
            }
            if (!shielded) return;
            const exits = Effect.exit(handle.exitCode);
            const exited = yield* Effect.timeoutOption(exits, grace);
            if (Option.isSome(exited)) return;
            // The leader reaps process 1 of the namespace only if process 1 is killed first.
            for (const member of yield* members)
              if (!isLeader(member)) signal(member.pid, "SIGKILL");
            yield* Effect.timeoutOption(exits, strayGraceMillis);
          }),
        );
        return handle;
      }, Effect.uninterruptible);

      const stop = Effect.fnUntraced(function* (record: ProcessRecord) {
        const { container, leader } = record;
        const members = yield* membersOf(identity, record);
        const group = (yield* hasLeader(identity, record)) ? leader : null;
        if (container !== undefined) yield* removeContainer(container);
        if (group === null && members.length === 0) return;
        yield* Effect.logInfo(
          "Stopping processes that a crashed service left running",
          leader ?? members,
        );
        const rest = stopStrays(membersOf(identity, record), members);
        if (group === null) return yield* rest;
        signal(-group.pid, "SIGTERM");
        const isGone = gone(
          [{ ...group, isAlive: true, parent: 0, group: group.pid }],
          strayGraceMillis,
        );
        yield* Effect.all([isGone, rest], { concurrency: "unbounded" });
        if (yield* identity.isAlive(group)) signal(-group.pid, "SIGKILL");
      });

      yield* Effect.forEach(
        yield* records.abandoned,
        ({ record, remove }) => Effect.andThen(stop(record), remove),
        { concurrency: "unbounded", discard: true },
      );

      return Processes.of({ start });
    }),
  );

  /** A new layer per call, because each data directory has its own. */
  static readonly layer = (options: { readonly dataDir: string }) =>
    Layer.fresh(
      Processes.layerNoDeps.pipe(
        Layer.provide(ProcessRecords.layer(options)),
        Layer.provide(ProcessIdentity.layer),
        Layer.provide(NodeServices.layer),
      ),
    );
}
