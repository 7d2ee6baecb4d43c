import { ProcessSpawner, type Sandbox } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import type { Program } from "../processes/Processes.ts";

/** The sandboxes of this package. */
export const names = ["direct", "node", "bubblewrap", "docker"] as const;
export type Name = (typeof names)[number];

/** The name of a sandbox, or `auto`, which chooses one per program. */
export const settings = ["auto", ...names] as const;
export type Setting = (typeof settings)[number];

/** A program with everything that its entry declares, and with its complete environment. */
export interface Confined extends Omit<ProcessSpawner.Program, "args" | "env" | "sandbox"> {
  readonly args: ReadonlyArray<string | Redacted.Redacted<string>>;
  readonly env: Readonly<Record<string, string | Redacted.Redacted<string>>>;
  readonly sandbox: Sandbox.Sandbox;
}

/**
 * The plain text of a variable for a launcher's input. Fails if the value cannot be written there.
 */
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

/** Removes kernel file systems from the paths: containers and namespaces have their own. */
export const withoutKernel = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => !/^\/(?:proc|sys|dev)(?:\/|$)/.test(path));

/** A way to start a program with less access than the service's user has. */
export interface Launcher {
  /** Reports whether the host has the sandbox. Starts a program in it once to find out. */
  readonly detect: Effect.Effect<ProcessSpawner.SandboxReport>;
  /**
   * The command to start instead of the program. A launcher gets none of the program's variables in
   * its own environment or arguments.
   */
  readonly wrap: (
    program: Confined,
    limits: ProcessSpawner.Limits,
  ) => Effect.Effect<Omit<Program, "stdin">, ProcessSpawner.SpawnError>;
}
