import { Argument, Command, Flag } from "effect/cli";
import { connection, described, example, lazily, text } from "../Options.ts";

/** `quartermaster tool ...`. The code of the commands is in `Tools.ts`. */

const tools = () => import("./Tools.ts");

const agent = text("agent", "The agent. Default: QM_AGENT_ID, then the agent of the key");

const name = Argument.String("tool").pipe(
  Argument.withDescription("The name of the tool, as `tool search` prints it"),
);

const search = Command.make(
  "search",
  {
    ...connection,
    agent,
    query: Argument.String("query").pipe(
      Argument.withDescription("What the tool should do, in a few words"),
      Argument.variadic({ min: 1 }),
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("The maximum number of tools to print, 1 to 500. Default: 5"),
      Flag.withDefault(5),
    ),
  },
  lazily(() => tools().then(({ search }) => search)),
).pipe(
  described("Search the tools that the agent was granted, best match first"),
  example("tool search read a file", "Search for tools that read files"),
);

const describe = Command.make(
  "describe",
  { ...connection, agent, tool: name },
  lazily(() => tools().then(({ describe }) => describe)),
).pipe(
  described("Print what a tool does and the JSON Schema of its arguments"),
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
  described(
    "Call a tool once, and print its result",
    "The exit code is 2 if the tool reports an error. --json prints the result as MCP defines it.",
  ),
  example(
    `tool call files__read_file --arguments '{"path": "README.md"}'`,
    "Call a tool with arguments",
  ),
);

export const command = Command.make("tool").pipe(
  described("Search and call the tools of MCP servers that an agent was granted"),
  Command.withSubcommands([search, describe, call]),
);
