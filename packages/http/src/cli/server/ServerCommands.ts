import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily } from "../Options.ts";
import { server } from "./ServerFlags.ts";
import * as ServerInstallCommands from "./ServerInstallCommands.ts";
import * as ServerReadCommands from "./ServerReadCommands.ts";

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

const accept = Command.make(
  "accept",
  { ...connection, server },
  lazily(() => changes().then(({ accept }) => accept)),
).pipe(
  Command.withDescription(
    "Verify a server, and accept the tools that are still as `server tools` shows them. Read them before.",
  ),
  Command.withShortDescription("Accept changed and new tools"),
  example("server accept files", "Accept the tools of a server"),
);

const toolNames = Argument.String("tool").pipe(
  Argument.withDescription("The name of a tool at its server"),
  Argument.atLeast(1),
);

const block = Command.make(
  "block",
  { ...connection, server, tools: toolNames },
  lazily(() => changes().then(({ block }) => block)),
).pipe(
  Command.withDescription("Withhold tools from all agents, whatever the server lists."),
  example("server block files write_file", "Block a tool"),
);

const unblock = Command.make(
  "unblock",
  { ...connection, server, tools: toolNames },
  lazily(() => changes().then(({ unblock }) => unblock)),
).pipe(
  Command.withDescription("Unblock tools. A changed or new one waits for `server accept` again."),
  example("server unblock files write_file", "Unblock a tool"),
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
    accept,
    block,
    unblock,
    enable,
    disable,
    grant,
    revoke,
    authorize,
  ]),
);
