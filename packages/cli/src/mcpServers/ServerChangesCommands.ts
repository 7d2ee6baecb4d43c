import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, lazily, text } from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands that install, update and uninstall servers. Their code is in `ServerChanges.ts`. */

const changes = () => import("./ServerChanges.ts");

const values = {
  values: text("values", "A JSON file with the values by variable; - is stdin"),
  env: Flag.String("env").pipe(
    Flag.withDescription(
      "Set a variable from the environment: NAME, or NAME=OTHER for the value of OTHER; repeatable",
    ),
    Flag.atLeast(0),
  ),
  file: Flag.String("file").pipe(
    Flag.withDescription("Set a variable from a file: NAME=FILE; - is stdin; repeatable"),
    Flag.atLeast(0),
  ),
};

const settings = {
  maxResultBytes: Flag.Int("max-result-bytes").pipe(
    Flag.withDescription("The largest result of a call in bytes, up to 33554432. Default: 4194304"),
    Flag.optional,
  ),
  idle: Flag.Int("idle").pipe(
    Flag.withDescription(
      "Seconds that an unused connection stays open; 0 keeps it open. Default: 300",
    ),
    Flag.optional,
  ),
  callTimeout: Flag.Int("call-timeout").pipe(
    Flag.withDescription(
      "Seconds that a call may take without progress, 1 to 3600. Default: QM_TOOL_TIMEOUT",
    ),
    Flag.optional,
  ),
  callMax: Flag.Int("call-max").pipe(
    Flag.withDescription("Seconds that a call may take in all, 1 to 86400. Default: 3600"),
    Flag.optional,
  ),
  once: Flag.String("once").pipe(
    Flag.withDescription(
      "A tool whose calls happen once per issue, * stands for any characters; charge=/to,/amount compares only these arguments; repeatable; none for no tool",
    ),
    Flag.atLeast(0),
  ),
  onceErrors: Flag.Literals("once-errors", ["retry", "unknown"]).pipe(
    Flag.withDescription("The state of such a call after a result with isError. Default: retry"),
    Flag.optional,
  ),
  settle: Flag.Literals("settle", ["agent", "person"]).pipe(
    Flag.withDescription("The callers that settle a call whose result is unknown. Default: agent"),
    Flag.optional,
  ),
  sendContext: Flag.Boolean("send-context").pipe(
    Flag.withDescription(
      "Tell the server whose call it gets, and the caller's trace. Default: only servers by stdio",
    ),
    Flag.optional,
  ),
  recordCalls: Flag.Literals("record-calls", ["none", "errors", "all"]).pipe(
    Flag.withDescription(
      "The recorded parts of calls: outcomes, errors too, or arguments and results too. Default: errors",
    ),
    Flag.optional,
  ),
};

const install = Command.make(
  "install",
  {
    ...connection,
    entry: Argument.String("entry").pipe(Argument.withDescription("The id of the catalog entry")),
    name: text("name", "The name of the server. Default: the entry's id"),
    ...values,
    ...settings,
  },
  lazily(() => changes().then(({ install }) => install)),
).pipe(
  described(
    "Install a server from the catalog, and print its id",
    "The server is disabled and granted to no agent. Values come from the environment or from files, never from an option.",
  ),
  example(
    "server install github --env GITHUB_TOKEN",
    "Install a server with a token from the environment",
  ),
);

const update = Command.make(
  "update",
  {
    ...connection,
    server,
    name: text("name", "The new name"),
    ...values,
    ...settings,
    unset: Flag.String("unset").pipe(
      Flag.withDescription("Remove the value of this variable; repeatable"),
      Flag.atLeast(0),
    ),
    toCatalog: Flag.Boolean("to-catalog").pipe(
      Flag.withDescription("Update to the version in the catalog if it can be verified"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ update }) => update)),
).pipe(
  described("Change the name, values, settings or version of a server"),
  example("server update github --file GITHUB_TOKEN=token.txt", "Replace a token"),
);

const importFrom = Command.make(
  "import",
  {
    ...connection,
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "The configuration of an MCP client, as JSON or TOML, or a server.json; - is stdin",
      ),
    ),
  },
  lazily(() => changes().then(({ importFrom }) => importFrom)),
).pipe(
  described(
    "Install the servers of a client's configuration",
    "It installs servers that are in the catalog, and prints why others were skipped. Clients are Claude Desktop, Cursor, VS Code and Codex. With an Owner's key, it also creates a catalog entry from a server.json of the official registry.",
  ),
  example("server import .mcp.json", "Install the servers of a project"),
);

const uninstall = Command.make(
  "uninstall",
  {
    ...connection,
    server,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that secrets, tools and access are removed"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ uninstall }) => uninstall)),
).pipe(
  described("Uninstall a server, and remove its secrets and access"),
  example("server uninstall files --yes", "Uninstall a server"),
);

export const commands = [install, update, importFrom, uninstall] as const;
