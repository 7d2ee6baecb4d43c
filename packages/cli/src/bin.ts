import { readFileSync } from "node:fs";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Effect } from "effect";
import { Command } from "effect/cli";
import { quartermaster } from "./ClientHelp.ts";
import { commands } from "./Commands.ts";
import * as NoColor from "./NoColor.ts";
import * as OptionalValues from "./OptionalValues.ts";
import * as NodeProcess from "./process/NodeProcess.ts";
import { Version } from "./process/Version.ts";
import * as UsageErrors from "./UsageErrors.ts";

/**
 * The program `quartermaster` for machines that only run agents. The package `quartermaster` has
 * the same commands and the server.
 */
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

Command.make("quartermaster").pipe(
  Command.withDescription(quartermaster),
  Command.withSubcommands(commands),
  Command.withGlobalFlags([NoColor.flag]),
  Command.run({ version }),
  Effect.provide(UsageErrors.layer),
  Effect.provide(NoColor.layer),
  Effect.provide(OptionalValues.layer),
  Effect.provideService(Version, version),
  Effect.provide(NodeServices.layer),
  NodeProcess.runMain,
);
