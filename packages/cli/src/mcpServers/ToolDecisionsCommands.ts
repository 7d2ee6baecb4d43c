import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, lazily, text } from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands for decisions about the tools of a server. Their code is in `ToolDecisions.ts`. */

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
    digest: text("digest", "Accept only while the server's toolsDigest is this one"),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print what would be accepted without accepting it"),
      Flag.withDefault(false),
    ),
  },
  lazily(() => decisions().then(({ accept }) => accept)),
).pipe(
  described(
    "Accept changed and new tools of a server",
    "It also accepts the server's instructions, and prints what it accepted. Read it first with --dry-run. A tool that the server no longer lists is removed. The exit code is 2 if a tool changes in the meantime.",
  ),
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
  described(
    "Block tools of a server",
    "No agent gets them, whatever the server lists. You can also block a tool before the server lists it.",
  ),
  example("server block files delete_file", "Block a tool"),
);

const unblock = Command.make(
  "unblock",
  { ...connection, server, tools },
  lazily(() => decisions().then(({ unblock }) => unblock)),
).pipe(
  described(
    "Unblock tools of a server",
    "Each tool returns to the state of its definition: accepted, changed, new or invalid.",
  ),
  example("server unblock files delete_file", "Unblock a tool"),
);

export const commands = [accept, block, unblock] as const;
