import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, lazily } from "../Options.ts";
import * as ServerChangesCommands from "./ServerChangesCommands.ts";
import { server } from "./ServerFlags.ts";
import * as ServerReadsCommands from "./ServerReadsCommands.ts";
import * as ToolDecisionsCommands from "./ToolDecisionsCommands.ts";

/** `quartermaster server ...`. The code of the commands here is in `ServerChanges.ts`. */

const changes = () => import("./ServerChanges.ts");

const agent = Argument.String("agent").pipe(Argument.withDescription("The id of the agent"));

const verify = Command.make(
  "verify",
  { ...connection, server },
  lazily(() => changes().then(({ verify }) => verify)),
).pipe(
  described("Start a server once, and print its tools", "The exit code is 2 if it does not start."),
  example("server verify files", "Check that a server works"),
);

const enable = Command.make(
  "enable",
  { ...connection, server },
  lazily(() => changes().then(({ enable }) => enable)),
).pipe(
  described("Enable a server", "Agents with access can use its tools."),
  example("server enable files", "Enable a server"),
);

const disable = Command.make(
  "disable",
  { ...connection, server },
  lazily(() => changes().then(({ disable }) => disable)),
).pipe(
  described("Disable a server", "Its process stops, and calls of its tools fail."),
  example("server disable files", "Disable a server"),
);

const grant = Command.make(
  "grant",
  {
    ...connection,
    server,
    agent,
    tool: Flag.String("tool").pipe(
      Flag.withDescription("Only this tool, by its name at the server; repeatable"),
      Flag.atLeast(0),
    ),
    allTools: Flag.Boolean("all-tools").pipe(
      Flag.withDescription("All tools, if an earlier grant named some"),
      Flag.withDefault(false),
    ),
    readOnly: Flag.Boolean("read-only").pipe(
      Flag.withDescription(
        "Only tools that declare themselves read-only in their accepted definition",
      ),
      Flag.optional,
    ),
    callsPerMinute: Flag.Int("calls-per-minute").pipe(
      Flag.withDescription("The most calls per minute; 0 means no limit"),
      Flag.optional,
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withDescription("The most calls in flight; 0 means no limit"),
      Flag.optional,
    ),
  },
  lazily(() => changes().then(({ grant }) => grant)),
).pipe(
  described("Grant a server to an agent"),
  example("server grant files agent-1 --tool read_file", "Grant one tool of a server"),
);

const revoke = Command.make(
  "revoke",
  { ...connection, server, agent },
  lazily(() => changes().then(({ revoke }) => revoke)),
).pipe(
  described("Revoke an agent's access to a server"),
  example("server revoke files agent-1", "Revoke the access of an agent"),
);

const authorize = Command.make(
  "authorize",
  { ...connection, server },
  lazily(() => changes().then(({ authorize }) => authorize)),
).pipe(
  described(
    "Print a URL that authorizes Quartermaster at a remote server",
    "Open it in a browser within 10 minutes.",
  ),
  example("server authorize linear", "Print the URL to open"),
);

export const command = Command.make("server").pipe(
  described("Install, verify and grant MCP servers", "Requires the role Admin."),
  Command.withSubcommands([
    ...ServerReadsCommands.commands,
    ...ServerChangesCommands.commands,
    verify,
    ...ToolDecisionsCommands.commands,
    enable,
    disable,
    grant,
    revoke,
    authorize,
  ]),
);
