import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily } from "../Options.ts";
import { server } from "./ServerFlags.ts";
import * as ServerInstallCommands from "./ServerInstallCommands.ts";
import * as ServerReadCommands from "./ServerReadCommands.ts";
import * as ServerToolCommands from "./ServerToolCommands.ts";

/** `quartermaster server ...`. The code of the commands here is in `ServerChanges.ts`. */

const changes = () => import("./ServerChanges.ts");

const agent = Argument.String("agent").pipe(Argument.withDescription("The id of the agent"));

const verify = Command.make(
  "verify",
  { ...connection, server },
  lazily(() => changes().then(({ verify }) => verify)),
).pipe(
  Command.withDescription(
    "Start a server once, and print its tools. Exit code 2 if it does not start.",
  ),
  example("server verify files", "Check that a server works"),
);

const enable = Command.make(
  "enable",
  { ...connection, server },
  lazily(() => changes().then(({ enable }) => enable)),
).pipe(
  Command.withDescription("Enable a server: agents with access have its tools."),
  example("server enable files", "Enable a server"),
);

const disable = Command.make(
  "disable",
  { ...connection, server },
  lazily(() => changes().then(({ disable }) => disable)),
).pipe(
  Command.withDescription("Disable a server: its process stops, and calls of its tools fail."),
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
      Flag.withDescription("All tools again, after a grant of some"),
      Flag.withDefault(false),
    ),
    readOnly: Flag.Boolean("read-only").pipe(
      Flag.withDescription("Only tools whose accepted definition says that they only read"),
      Flag.optional,
    ),
    callsPerMinute: Flag.Int("calls-per-minute").pipe(
      Flag.withDescription("How many calls the agent may make per minute; 0: no limit"),
      Flag.optional,
    ),
    concurrency: Flag.Int("concurrency").pipe(
      Flag.withDescription("How many calls the agent may have in flight; 0: no limit"),
      Flag.optional,
    ),
  },
  lazily(() => changes().then(({ grant }) => grant)),
).pipe(
  Command.withDescription("Grant a server to an agent."),
  example("server grant files agent-1 --tool read_file", "Grant one tool of a server"),
);

const revoke = Command.make(
  "revoke",
  { ...connection, server, agent },
  lazily(() => changes().then(({ revoke }) => revoke)),
).pipe(
  Command.withDescription("Revoke an agent's access to a server."),
  example("server revoke files agent-1", "Revoke the access of an agent"),
);

const authorize = Command.make(
  "authorize",
  { ...connection, server },
  lazily(() => changes().then(({ authorize }) => authorize)),
).pipe(
  Command.withDescription(
    "Print the URL that a person opens in a browser within 10 minutes, to consent that agents use a remote server.",
  ),
  Command.withShortDescription("Print the URL that authorizes a remote server"),
  example("server authorize linear", "Print the URL to open"),
);

export const command = Command.make("server").pipe(
  Command.withDescription("Install, verify and grant MCP servers. Needs the role Admin."),
  Command.withSubcommands([
    ...ServerReadCommands.commands,
    ...ServerInstallCommands.commands,
    verify,
    ...ServerToolCommands.commands,
    enable,
    disable,
    grant,
    revoke,
    authorize,
  ]),
);
