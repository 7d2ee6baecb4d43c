import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, limit, text } from "../Options.ts";

/** Commands over agents, keys and events, and the overview of all of it. */

const agents = () => import("./Agents.ts");
const keys = () => import("./Keys.ts");

const agentId = Argument.String("agent").pipe(Argument.withDescription("The id of the agent"));

const agent = Command.make("agent").pipe(
  Command.withDescription("List, pause and resume agents, and print what they work on."),
  Command.withSubcommands([
    Command.make(
      "list",
      { ...connection, limit },
      lazily(() => agents().then(({ list }) => list)),
    ).pipe(
      Command.withDescription("List agents with their last sign of life."),
      example("agent list", "List all agents"),
    ),
    Command.make(
      "show",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ show }) => show)),
    ).pipe(
      Command.withDescription("Print an agent and its newest runs."),
      example("agent show agent-1", "Print an agent"),
    ),
    Command.make(
      "pause",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ pause }) => pause)),
    ).pipe(
      Command.withDescription(
        "Pause an agent: its runs stop at their next turn, and it gets no issue. Needs the role Admin.",
      ),
      Command.withShortDescription("Pause an agent"),
      example("agent pause agent-1", "Pause an agent"),
    ),
    Command.make(
      "resume",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ resume }) => resume)),
    ).pipe(
      Command.withDescription("Resume a paused agent. Needs the role Admin."),
      example("agent resume agent-1", "Resume an agent"),
    ),
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
    ).pipe(
      Command.withDescription("Create a key, and print it. It is shown only once."),
      example("key create worker --agent agent-1 --expires 30d", "Create a key for an agent"),
    ),
    Command.make(
      "list",
      { ...connection, limit },
      lazily(() => keys().then(({ list }) => list)),
    ).pipe(
      Command.withDescription("List keys, without their secrets."),
      example("key list", "List all keys"),
    ),
    Command.make(
      "delete",
      {
        ...connection,
        key: Argument.String("key").pipe(Argument.withDescription("The id of the key, key_...")),
      },
      lazily(() => keys().then(({ remove }) => remove)),
    ).pipe(
      Command.withDescription("Delete a key. It stops working immediately."),
      example("key delete key_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Delete a key"),
    ),
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
  example("events --follow --kinds issue.*", "Print what happens to issues"),
);

const status = Command.make(
  "status",
  {
    ...connection,
    project: Flag.String("project").pipe(
      Flag.withDescription("List what waits in this project only, without MCP servers; repeatable"),
      Flag.atLeast(0),
    ),
  },
  lazily(() => import("./Status.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(
    "Print what waits for a person, the most urgent first: open questions, reviews, failed issues, stuck chains with the reason, silent agents, and MCP servers that are out (Admin). Then the running issues.",
  ),
  Command.withShortDescription("Print what needs attention"),
  example("status --project shop", "Print what needs attention, with what is stuck in a project"),
);

export const commands = [status, agent, key, events] as const;
