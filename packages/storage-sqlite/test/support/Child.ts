import { spawn } from "node:child_process";
import { join } from "node:path";
import { Effect, Queue, type Scope, Stream } from "effect";

/** A program of the folder `test/programs` in a separate process. */
export interface Child {
  /** The next line that it prints. Fails the test if it exits instead. */
  readonly line: Effect.Effect<string>;
  /** Writes a line to its stdin. */
  readonly say: (line: string) => Effect.Effect<void>;
  /** Kills it as a power cut would, and waits until it is dead. */
  readonly kill: Effect.Effect<void>;
  /** Waits until it exits. Returns its exit code. */
  readonly exit: Effect.Effect<number | null>;
}

/**
 * The folder into which `test/build.setup.ts` bundles the programs. It also sets the cache of
 * compiled code that they inherit.
 */
const folder = join(import.meta.dirname, "../../../../node_modules/.cache/test-programs");

/** Starts it. It is killed when the scope closes. */
export const start = (
  program: string,
  ...args: ReadonlyArray<string>
): Effect.Effect<Child, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>();
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [join(folder, `${program}.js`), ...args], {
          stdio: ["pipe", "pipe", "inherit"],
        }),
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
