import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, limit, limitTo, text } from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands that read the catalog and the installed servers. Their code is in `Servers.ts`. */

const reads = () => import("./Servers.ts");

const categories = ["database", "saas", "search", "cloud", "dev", "productivity"] as const;

const catalog = Command.make(
  "catalog",
  {
    ...connection,
    entry: Argument.String("entry").pipe(
      Argument.withDescription("Print this entry with its variables"),
      Argument.optional,
    ),
    category: Flag.Literals("category", categories).pipe(
      Flag.withDescription("Entries of this category"),
      Flag.optional,
    ),
    limit,
  },
  lazily(() => reads().then(({ catalog }) => catalog)),
).pipe(
  Command.withDescription("List what can be installed, or print one entry."),
  example("server catalog github", "Print what an entry needs"),
);

const list = Command.make(
  "list",
  { ...connection, limit },
  lazily(() => reads().then(({ list }) => list)),
).pipe(
  Command.withDescription("List the installed servers."),
  example("server list", "List the installed servers"),
);

const tools = Command.make(
  "tools",
  { ...connection, server, limit },
  lazily(() => reads().then(({ tools }) => tools)),
).pipe(
  Command.withDescription("List the tools of a server. Changed and new tools wait for `accept`."),
  example("server tools files", "List the tools of a server"),
);

const calls = Command.make(
  "calls",
  {
    ...connection,
    name: Argument.String("server").pipe(
      Argument.withDescription("Calls of the tools of this server, by its name or id"),
      Argument.optional,
    ),
    server: text("server", "The same as the argument"),
    agent: text("agent", "Calls of this agent"),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ calls }) => calls)),
).pipe(
  Command.withDescription("List the calls of tools, newest first."),
  example("server calls --agent agent-1", "List the calls of an agent"),
);

export const commands = [catalog, list, tools, calls] as const;
