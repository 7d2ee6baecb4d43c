import { spawn } from "node:child_process";
import { join } from "node:path";
import { Effect, Queue, type Scope, Stream } from "effect";

/** A program of this folder in a process of its own. */
export interface Child {
  /** The next line it prints; fails the test if it ends instead. */
  readonly line: Effect.Effect<string>;
  /** Writes it a line. */
  readonly say: (line: string) => Effect.Effect<void>;
  /** Kills it as a power cut would, and waits until it is dead. */
  readonly kill: Effect.Effect<void>;
  /** Waits for its end, and answers its exit code. */
  readonly exit: Effect.Effect<number | null>;
}

/** Starts it on the sources; it is killed with the scope. */
export const start = (
  program: string,
  ...args: ReadonlyArray<string>
): Effect.Effect<Child, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>();
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          process.execPath,
          ["--conditions=quartermaster-source", join(import.meta.dirname, program), ...args],
          { stdio: ["pipe", "pipe", "inherit"] },
        ),
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL")),
    );
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    yield* Stream.fromAsyncIterable(child.stdout, (cause) => cause).pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.runForEach((line) => Queue.offer(lines, line)),
      Effect.ignore,
      Effect.andThen(Queue.offer(lines, "(ended)")),
      Effect.forkScoped,
    );
    const exit = Effect.promise(() => ended);
    return {
      line: Effect.flatMap(Queue.take(lines), (line) =>
        line === "(ended)" ? Effect.die(`${program} ended early`) : Effect.succeed(line),
      ),
      say: (line) => Effect.sync(() => void child.stdin.write(`${line}\n`)),
      kill: Effect.andThen(
        Effect.sync(() => child.kill("SIGKILL")),
        exit,
      ).pipe(Effect.asVoid),
      exit,
    };
  });
