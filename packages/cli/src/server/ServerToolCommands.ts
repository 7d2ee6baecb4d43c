import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, text } from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands that decide about the tools of a server. Their code is in `ToolDecisions.ts`. */

const decisions = () => import("./ToolDecisions.ts");

const accept = Command.make(
  "accept",
  {
    ...connection,
    server,
    tool: Flag.String("tool").pipe(
      Flag.withDescription("Only this tool, by its name at the server; repeatable"),
      Flag.atLeast(0),
    ),
    digest: text("digest", "Accept only if the server's toolsDigest is still this one"),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print what would be accepted, and accept nothing"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => decisions().then(({ accept }) => accept)),
).pipe(
  Command.withDescription(
    "Accept the changed and new tools of a server, and its instructions, as they are recorded, and print them. A tool that is gone is removed. Read them before with --dry-run. Exit code 2 if a tool changes in the meantime.",
  ),
  Command.withShortDescription("Accept changed and new tools"),
  example("server accept files --dry-run", "Print what would be accepted, and its digest"),
);

const tools = Argument.String("tool").pipe(
  Argument.withDescription("The names of the tools at the server"),
  Argument.variadic({ min: 1 }),
);

const block = Command.make(
  "block",
  { ...connection, server, tools },
  lazily(() => decisions().then(({ block }) => block)),
).pipe(
  Command.withDescription(
    "Block tools of a server: no agent has them, whatever the server lists. Tools that it has not listed yet can be blocked too.",
  ),
  Command.withShortDescription("Block tools of a server"),
  example("server block files delete_file", "Block a tool"),
);

const unblock = Command.make(
  "unblock",
  { ...connection, server, tools },
  lazily(() => decisions().then(({ unblock }) => unblock)),
).pipe(
  Command.withDescription("Unblock tools of a server: they have the state of their definitions."),
  example("server unblock files delete_file", "Unblock a tool"),
);

export const commands = [accept, block, unblock] as const;
