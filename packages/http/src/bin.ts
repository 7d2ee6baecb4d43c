import { readFileSync } from "node:fs";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Effect } from "effect";
import { Command } from "effect/cli";
import * as AdminCommands from "./cli/admin/AdminCommands.ts";
import * as IssueCommands from "./cli/issue/IssueCommands.ts";
import * as SessionCommands from "./cli/SessionCommands.ts";
import * as WorkCommand from "./cli/work/WorkCommand.ts";
import * as LocalCommands from "./local/LocalCommands.ts";
import * as Help from "./server/Help.ts";
import * as NodeProcess from "./server/NodeProcess.ts";
import { Version } from "./server/Version.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

Command.make("quartermaster").pipe(
  Command.withDescription(Help.quartermaster),
  Command.withSubcommands([
    ...LocalCommands.commands(version),
    ...SessionCommands.commands,
    IssueCommands.command,
    WorkCommand.command,
    ...AdminCommands.commands,
  ]),
  Command.run({ version }),
  Effect.provideService(Version, version),
  Effect.provide(NodeServices.layer),
  NodeProcess.runMain,
);
