import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, text } from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands that install, update and uninstall servers. Their code is in `ServerChanges.ts`. */

const changes = () => import("./ServerChanges.ts");

const values = {
  values: text("values", "A JSON file with values by variable; - is stdin"),
  env: Flag.String("env").pipe(
    Flag.withDescription(
      "A variable to set: NAME, or NAME=OTHER to take the value of OTHER in the environment; repeatable",
    ),
    Flag.atLeast(0),
  ),
  file: Flag.String("file").pipe(
    Flag.withDescription("A variable to set from a file: NAME=FILE; - is stdin; repeatable"),
    Flag.atLeast(0),
  ),
};

const limits = {
  maxResultBytes: Flag.Int("max-result-bytes").pipe(
    Flag.withDescription("The largest result of a call, up to 33554432 (4194304)"),
    Flag.optional,
  ),
  idle: Flag.Int("idle").pipe(
    Flag.withDescription("Seconds that an unused connection stays open; 0: without end (300)"),
    Flag.optional,
  ),
};

const install = Command.make(
  "install",
  {
    ...connection,
    entry: Argument.String("entry").pipe(Argument.withDescription("The id of the catalog entry")),
    name: text("name", "The name of the server (the entry's id)"),
    ...values,
    ...limits,
  },
  lazily(() => changes().then(({ install }) => install)),
).pipe(
  Command.withDescription(
    "Install a server of the catalog, disabled and granted to no agent, and print its id. Values come from the environment or files, never from an option.",
  ),
  Command.withShortDescription("Install a server of the catalog"),
  example("server install github --env GITHUB_TOKEN", "Install with a token of the environment"),
);

const update = Command.make(
  "update",
  {
    ...connection,
    server,
    name: text("name", "The new name"),
    ...values,
    ...limits,
    unset: Flag.String("unset").pipe(
      Flag.withDescription("A variable whose value is removed; repeatable"),
      Flag.atLeast(0),
    ),
    toCatalog: Flag.Boolean("to-catalog").pipe(
      Flag.withDescription("Move to the version of the catalog, if that verifies"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ update }) => update)),
).pipe(
  Command.withDescription("Change the name, values, limits or version of a server."),
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
  Command.withDescription(
    "Install the servers of a client's configuration (Claude Desktop, Cursor, VS Code, Codex) that are in the catalog, and print why the others were skipped. With an Owner's key, create the catalog entry of a server.json of the official registry.",
  ),
  Command.withShortDescription("Install the servers of a client's configuration"),
  example("server import .mcp.json", "Install what a project's clients use"),
);

const uninstall = Command.make(
  "uninstall",
  {
    ...connection,
    server,
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Confirm that secrets, tools and access are removed too"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => changes().then(({ uninstall }) => uninstall)),
).pipe(
  Command.withDescription("Uninstall a server, with its secrets and access."),
  example("server uninstall files --yes", "Uninstall a server"),
);

export const commands = [install, update, importFrom, uninstall] as const;
