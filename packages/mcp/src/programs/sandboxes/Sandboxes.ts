import { ProcessSpawner, type Sandbox } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import type { Program } from "../processes/Processes.ts";

/** The layers that this package has. */
export const names = ["direct", "node", "bubblewrap", "docker"] as const;
export type Name = (typeof names)[number];

/** One of the layers, or `auto`, which chooses by program. */
export const settings = ["auto", ...names] as const;
export type Setting = (typeof settings)[number];

/** A program with all that its entry declares, and with its whole environment. */
export interface Confined extends Omit<ProcessSpawner.Program, "args" | "env" | "sandbox"> {
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>>;
  readonly sandbox: Sandbox.Sandbox;
}

/** A variable in the clear, for the text that a launcher reads. Fails if the text cannot contain it. */
export const inTheClear = (
  variables: Confined["env"],
  unfit: RegExp,
): Effect.Effect<ReadonlyArray<readonly [string, string]>, ProcessSpawner.SpawnError> =>
  Effect.forEach(Object.entries(variables), ([name, given]) => {
    const value = Redacted.isRedacted(given) ? Redacted.value(given) : given;
    return unfit.test(value)
      ? new ProcessSpawner.SpawnError({
          message: `the value of ${name} has a character that this sandbox cannot pass on: a line break or NUL`,
        })
      : Effect.succeed([name, value] as const);
  });

/** The paths without kernel file systems, of which a container or namespace has its own. */
export const withoutKernel = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => !/^\/(?:proc|sys|dev)(?:\/|$)/.test(path));

/** A way to start a program so that it reaches less than the service's user may. */
export interface Layer {
  /** Whether the host has it: found by starting a program in it, once. */
  readonly detect: Effect.Effect<ProcessSpawner.SandboxReport>;
  /**
   * The command that is started instead of the program. A launcher that is not the program itself
   * gets none of the program's variables in its own environment or arguments.
   */
  readonly wrap: (
    program: Confined,
    limits: ProcessSpawner.Limits,
  ) => Effect.Effect<Omit<Program, "stdin">, ProcessSpawner.SpawnError>;
}
