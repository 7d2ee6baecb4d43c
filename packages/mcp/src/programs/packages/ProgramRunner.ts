import { mkdir } from "node:fs/promises";
import { Context, Effect, Layer, Stream } from "effect";
import * as Environment from "../processes/Environment.ts";
import { Host } from "../processes/Host.ts";
import { Processes } from "../processes/Processes.ts";
import { Tail } from "../processes/Tail.ts";

/**
 * The outcome of a program: its exit code, null if a signal stopped it, and the end of its output.
 */
export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

/** Runs programs until they exit, and captures their output. */
export class ProgramRunner extends Context.Service<
  ProgramRunner,
  {
    /**
     * Runs a program in `cwd`, with the minimal environment of the folder `home` plus these
     * variables.
     */
    run(
      command: string,
      args: ReadonlyArray<string>,
      options: {
        readonly cwd: string;
        readonly home: string;
        readonly env?: Readonly<Record<string, string>> | undefined;
      },
    ): Effect.Effect<Outcome>;
  }
>()("@quartermaster/mcp/programs/packages/ProgramRunner") {
  static readonly layer = Layer.effect(
    ProgramRunner,
    Effect.gen(function* () {
      const processes = yield* Processes;
      const host = yield* Host;

      const run: (typeof ProgramRunner)["Service"]["run"] = Effect.fn("ProgramRunner.run")(
        function* (command, args, { cwd, home, env }) {
          const { temporary } = Environment.foldersOf(home);
          yield* Effect.tryPromise(() => mkdir(temporary, { recursive: true, mode: 0o700 }));
          const handle = yield* processes.start({
            command,
            args,
            cwd,
            env: Environment.make(host, home, env),
          });
          const tail = new Tail();
          const [code] = yield* Effect.all(
            [
              Effect.orElseSucceed(handle.exitCode, () => null),
              Effect.ignore(
                Stream.runForEach(handle.all, (chunk) => Effect.sync(() => tail.push(chunk))),
              ),
            ],
            { concurrency: "unbounded" },
          );
          return { code, text: tail.text };
        },
        Effect.scoped,
        Effect.catch((error) =>
          Effect.succeed({
            code: null,
            text: error._tag === "PlatformError" ? error.reason._tag : "",
          }),
        ),
      );

      return ProgramRunner.of({ run });
    }),
  );
}
