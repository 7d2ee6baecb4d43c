import { Argument, Command } from "effect/cli";
import { connection, described, example, lazily, limit, listAlias } from "../Options.ts";

/** `quartermaster agent ...`. The code of the commands is in `Agents.ts`. */

const agents = () => import("./Agents.ts");

const agentId = Argument.String("agent").pipe(Argument.withDescription("The id of the agent"));

export const command = Command.make("agent").pipe(
  described("List, pause and resume agents, and print what they work on"),
  Command.withSubcommands([
    Command.make(
      "list",
      { ...connection, limit },
      lazily(() => agents().then(({ list }) => list)),
    ).pipe(
      listAlias,
      described("List agents and their last heartbeats"),
      example("agent list", "List all agents"),
    ),
    Command.make(
      "show",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ show }) => show)),
    ).pipe(
      described("Print an agent and its newest runs"),
      example("agent show agent-1", "Print an agent"),
    ),
    Command.make(
      "pause",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ pause }) => pause)),
    ).pipe(
      described(
        "Pause an agent",
        "Its runs stop at their next turn, and it gets no issues until you resume it. Requires the role Admin.",
      ),
      example("agent pause agent-1", "Pause an agent"),
    ),
    Command.make(
      "resume",
      { ...connection, agent: agentId },
      lazily(() => agents().then(({ resume }) => resume)),
    ).pipe(
      described("Resume a paused agent", "Requires the role Admin."),
      example("agent resume agent-1", "Resume an agent"),
    ),
  ]),
);
