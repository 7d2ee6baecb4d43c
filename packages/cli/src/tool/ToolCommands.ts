import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, text } from "../Options.ts";

/** `quartermaster tool ...`. The code of the commands is in `Tools.ts`. */

const tools = () => import("./Tools.ts");

const agent = text("agent", "The agent whose tools are meant; needed with an Admin's key");

const name = Argument.String("tool").pipe(
  Argument.withDescription("The name of the tool, which `tool search` prints"),
);

const search = Command.make(
  "search",
  {
    ...connection,
    agent,
    query: Argument.String("query").pipe(
      Argument.withDescription("What the tool is to do, in a few words"),
      Argument.variadic({ min: 1 }),
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("How many at most, 1 to 20 (5)"),
      Flag.withDefault(5),
    ),
  },
  lazily(() => tools().then(({ search }) => search)),
).pipe(
  Command.withDescription("Find tools that the agent was granted, best first."),
  example("tool search read a file", "Find the tools that fit these words best"),
);

const describe = Command.make(
  "describe",
  { ...connection, agent, tool: name },
  lazily(() => tools().then(({ describe }) => describe)),
).pipe(
  Command.withDescription("Print what a tool does, and the JSON Schema of its arguments."),
  example("tool describe files__read_file", "Print the definition of a tool"),
);

const call = Command.make(
  "call",
  {
    ...connection,
    agent,
    tool: name,
    arguments: text("arguments", "The arguments as a JSON object; - reads it from stdin"),
    file: text("file", "A file with the arguments as a JSON object"),
  },
  lazily(() => tools().then(({ call }) => call)),
).pipe(
  Command.withDescription(
    "Call a tool once, and print its result. Exit code 2 if the tool reports an error. With --json, the result as MCP defines it.",
  ),
  Command.withShortDescription("Call a tool, and print its result"),
  example(
    `tool call files__read_file --arguments '{"path": "README.md"}'`,
    "Call a tool with arguments",
  ),
);

export const command = Command.make("tool").pipe(
  Command.withDescription("Search and call the tools of MCP servers that an agent was granted."),
  Command.withSubcommands([search, describe, call]),
);
