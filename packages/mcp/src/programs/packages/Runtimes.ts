import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Context, Effect, Layer } from "effect";
import { Host } from "../processes/Host.ts";
import { Programs } from "./Programs.ts";

/** A program, with arguments that precede the caller's. */
export interface Launch {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
}

/** The tools that install packages; null for each tool that the host lacks. */
export class Runtimes extends Context.Service<
  Runtimes,
  {
    readonly npm: Effect.Effect<Launch | null>;
    readonly python: Effect.Effect<Launch | null>;
    /** The `pipx` program. If it is missing, `python -m pipx` may still work. */
    readonly pipx: Effect.Effect<Launch | null>;
  }
>()("@quartermaster/mcp/programs/packages/Runtimes") {
  static readonly layer = Layer.effect(
    Runtimes,
    Effect.gen(function* () {
      const programs = yield* Programs;
      const { node, platform } = yield* Host;

      const launch = (...names: ReadonlyArray<string>) =>
        Effect.map(programs.find(...names), (command) =>
          command === null ? null : { command, args: [] },
        );

      const npm = Effect.gen(function* () {
        const found = yield* programs.find("npm");
        if (found === null) return null;
        // `npm` on PATH may be a batch file, or a script that uses another Node.js.
        const script =
          platform === "win32"
            ? join(dirname(found), "node_modules", "npm", "bin", "npm-cli.js")
            : yield* Effect.orElseSucceed(
                Effect.tryPromise(() => realpath(found)),
                () => found,
              );
        return script.endsWith(".js")
          ? { command: node.path, args: [script] }
          : { command: found, args: [] };
      });

      const python =
        platform === "win32" ? launch("python3", "python", "py") : launch("python3", "python");

      return Runtimes.of({ npm, python, pipx: launch("pipx") });
    }),
  );
}
