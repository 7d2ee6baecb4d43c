import type { ChildProcess } from "node:child_process";
import { Deferred, Effect, Fiber } from "effect";
import * as NodeProcess from "../process/NodeProcess.ts";
import * as Guard from "./Guard.ts";
import type { End } from "./Outcome.ts";

/**
 * A command with everything it starts, in a separate process group, under a `Guard`.
 *
 * running ─ exits ────────────────────────► leftovers (1 s from SIGTERM to SIGKILL) ─► ended
 *    └───── `stop`: SIGTERM, then SIGKILL after the grace ────────────────────────────► ended
 *
 * A process that leaves the group, with `setsid`, cannot be stopped.
 */
export interface ProcessGroup {
  /** The id of the group; undefined if the command could not be started. */
  readonly pid: number | undefined;
  /** The exit of the command, once its group has no process left. */
  readonly ended: Effect.Effect<End>;
  /** Stops the group and waits until it has ended. `hurry` cuts the grace period short. */
  stop(graceMillis: number, hurry: Effect.Effect<void>): Effect.Effect<void>;
}

export interface Program {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

/** Milliseconds for processes that the command left running. */
const leftoverGrace = 1_000;

/** Milliseconds for reading the rest of the output after the last process has ended. */
const drainMillis = 1_000;

const untilGone = (pid: number) =>
  Effect.gen(function* () {
    while (NodeProcess.signalGroup(pid, 0)) yield* Effect.sleep("20 millis");
  });

/** Stops every process of the group. It may include zombies whose parent does not reap them. */
const endGroup = Effect.fnUntraced(function* (
  pid: number,
  graceMillis: number,
  hurry: Effect.Effect<void>,
) {
  if (!NodeProcess.signalGroup(pid, "SIGTERM")) return;
  yield* Effect.raceFirst(untilGone(pid), hurry).pipe(Effect.timeoutOption(graceMillis));
  if (!NodeProcess.signalGroup(pid, "SIGKILL")) return;
  yield* Effect.timeoutOption(untilGone(pid), leftoverGrace);
});

/** The exit of the process itself. */
const exitOf = (child: ChildProcess) =>
  Effect.callback<End>((resume) => {
    child.once("error", (error) =>
      resume(
        Effect.succeed({
          kind: "missing",
          reason: "code" in error ? String(error.code) : error.message,
        }),
      ),
    );
    child.once("exit", (code, signal) => resume(Effect.succeed({ kind: "exited", code, signal })));
  });

const closed = (child: ChildProcess) =>
  Effect.callback<void>((resume) => void child.once("close", () => resume(Effect.void)));

/** Starts a program. `ended` also completes if the program cannot be started. */
export const start = Effect.fnUntraced(function* (program: Program) {
  const { child, release } = Guard.start(program.command, program.args, {
    cwd: program.folder,
    env: { ...program.environment },
  });
  // The listeners are attached before this function yields, so no event is missed.
  const exit = yield* Effect.forkDetach(exitOf(child), { startImmediately: true });
  const close = yield* Effect.forkDetach(closed(child), { startImmediately: true });
  child.stdout?.on("data", program.onStdout);
  child.stderr?.on("data", program.onStderr);
  // A command that does not read its input closes the pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(program.stdin);

  const done = yield* Deferred.make<End>();
  const { pid } = child;
  yield* Effect.gen(function* () {
    const end = yield* Fiber.join(exit);
    if (pid !== undefined) yield* endGroup(pid, leftoverGrace, Effect.never);
    yield* Effect.timeoutOption(Fiber.join(close), drainMillis);
    child.stdout?.destroy();
    child.stderr?.destroy();
    release();
    yield* Deferred.succeed(done, end);
  }).pipe(Effect.forkDetach);

  const ended = Deferred.await(done);
  return {
    pid,
    ended,
    stop: (graceMillis, hurry) =>
      Effect.gen(function* () {
        if (pid !== undefined) yield* endGroup(pid, graceMillis, hurry);
        yield* ended;
      }),
  } satisfies ProcessGroup;
});
