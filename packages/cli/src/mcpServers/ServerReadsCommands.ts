import { Argument, Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  lazily,
  limit,
  limitTo,
  listAlias,
  text,
} from "../Options.ts";
import { server } from "./ServerFlags.ts";

/** The commands that read the catalog and the installed servers. Their code is in `ServerReads.ts`. */

const reads = () => import("./ServerReads.ts");

const categories = ["database", "saas", "search", "cloud", "dev", "productivity"] as const;

const catalog = Command.make(
  "catalog",
  {
    ...connection,
    entry: Argument.String("entry").pipe(
      Argument.withDescription("Print this entry and its variables"),
      Argument.optional,
    ),
    category: Flag.Literals("category", categories).pipe(
      Flag.withDescription("Only entries of this category"),
      Flag.optional,
    ),
    limit,
  },
  lazily(() => reads().then(({ catalog }) => catalog)),
).pipe(
  described("List the catalog, or print one entry"),
  example("server catalog github", "Print an entry and its variables"),
);

const list = Command.make(
  "list",
  { ...connection, limit },
  lazily(() => reads().then(({ list }) => list)),
).pipe(
  listAlias,
  described("List the installed servers"),
  example("server list", "List the installed servers"),
);

const tools = Command.make(
  "tools",
  { ...connection, server, limit },
  lazily(() => reads().then(({ tools }) => tools)),
).pipe(
  described(
    "List the tools of a server",
    "Changed and new tools are withheld until you accept them.",
  ),
  example("server tools files", "List the tools of a server"),
);

const calls = Command.make(
  "calls",
  {
    ...connection,
    name: Argument.String("server").pipe(
      Argument.withDescription("Only calls of this server's tools, by the server's name or id"),
      Argument.optional,
    ),
    server: text("server", "The same as the argument"),
    agent: text("agent", "Only calls of this agent"),
    limit: limitTo(100),
  },
  lazily(() => reads().then(({ calls }) => calls)),
).pipe(
  described("List tool calls, newest first"),
  example("server calls --agent agent-1", "List the calls of an agent"),
);

export const commands = [catalog, list, tools, calls] as const;
