import { Commands, NoColor, OptionalValues, UsageErrors, Version } from "@quartermaster/cli";
import { Effect } from "effect";
import { Command } from "effect/cli";
import * as Help from "../config/Help.ts";
import * as LocalCommands from "./LocalCommands.ts";

/** Every command of the program. */
export const command = (version: string) =>
  Command.make("quartermaster").pipe(
    Command.withDescription(Help.quartermaster),
    Command.withSubcommands([...LocalCommands.commands(version), ...Commands.commands]),
    Command.withGlobalFlags([NoColor.flag]),
  );

/**
 * Runs `quartermaster` with the arguments in `Stdio`. `bin.ts` runs it as a process, tests in their
 * own.
 */
export const run = (version: string) =>
  command(version).pipe(
    Command.run({ version }),
    Effect.provide(UsageErrors.layer),
    Effect.provide(NoColor.layer),
    Effect.provide(OptionalValues.layer),
    Effect.provideService(Version.Version, version),
  );
