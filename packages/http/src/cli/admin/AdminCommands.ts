import { Argument, Command, Flag } from "effect/cli";
import { connection, lazily, text } from "../Options.ts";

/** Commands over agents, keys and events, and the overview of all of it. */

const agents = () => import("./Agents.ts");
const keys = () => import("./Keys.ts");

const agent = Command.make("agent").pipe(
  Command.withDescription("List agents, and what they work on."),
  Command.withSubcommands([
    Command.make(
      "list",
      connection,
      lazily(() => agents().then(({ list }) => list)),
    ).pipe(Command.withDescription("List agents with their last sign of life.")),
    Command.make(
      "show",
      {
        ...connection,
        agent: Argument.String("agent").pipe(Argument.withDescription("The id of the agent")),
      },
      lazily(() => agents().then(({ show }) => show)),
    ).pipe(Command.withDescription("Print an agent and its newest runs.")),
  ]),
);

const key = Command.make("key").pipe(
  Command.withDescription("Create, list and delete API keys. Needs the role Admin."),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        ...connection,
        name: Argument.String("name").pipe(Argument.withDescription("What the key is for")),
        role: Flag.Literals("role", ["Metrics", "Viewer", "Editor", "Admin", "Owner"]).pipe(
          Flag.withDescription("What the key may do (Editor)"),
          Flag.withDefault("Editor"),
        ),
        agent: text("agent", "The agent that the key acts as"),
        user: text("user", "The user that the key acts as"),
        project: Flag.String("project").pipe(
          Flag.withDescription("A project that the key may see; repeatable (all)"),
          Flag.atLeast(0),
        ),
        expires: text("expires", "When the key expires: a duration such as 30d, or ISO 8601"),
      },
      lazily(() => keys().then(({ create }) => create)),
    ).pipe(Command.withDescription("Create a key, and print it. It is shown only once.")),
    Command.make(
      "list",
      connection,
      lazily(() => keys().then(({ list }) => list)),
    ).pipe(Command.withDescription("List keys, without their secrets.")),
    Command.make(
      "delete",
      {
        ...connection,
        key: Argument.String("key").pipe(Argument.withDescription("The id of the key, key_...")),
      },
      lazily(() => keys().then(({ remove }) => remove)),
    ).pipe(Command.withDescription("Delete a key. It stops working immediately.")),
  ]),
);

const events = Command.make(
  "events",
  {
    ...connection,
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Print events as they happen, until a signal"),
      Flag.withDefault(false),
    ),
    since: text("since", "Start after the event with this id"),
    project: text("project", "Events of this project"),
    kinds: text("kinds", "Kinds with commas, such as issue.created or issue.*"),
  },
  lazily(() => import("./Events.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(
    "Print events. Without --follow, --since is required, and it exits after the newest event. With --json each line is a document.",
  ),
  Command.withShortDescription("Print what happens"),
);

const status = Command.make(
  "status",
  {
    ...connection,
    project: Flag.String("project").pipe(
      Flag.withDescription("Also list what is stuck in this project; repeatable"),
      Flag.atLeast(0),
    ),
  },
  lazily(() => import("./Status.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(
    "Print what needs attention: silent agents, running work, MCP servers that are out and, with --project, issues that are stuck, each with the reason.",
  ),
  Command.withShortDescription("Print what needs attention"),
);

export const commands = [status, agent, key, events] as const;
