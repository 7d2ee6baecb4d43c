import { Principal, ToolGateway } from "@quartermaster/core";
import { Effect } from "effect";
import { grantedAgent } from "../toolbox/GrantedAgent.ts";

/**
 * The instructions that a model reads first: its identity, the work loop and the instructions of
 * its servers.
 */

/** The maximum number of projects listed by name. Beyond it the text contains only their number. */
const projectsNamed = 20;

/** The maximum number of characters of servers' instructions, in total. */
const maxLength = 16_384;

type OfServer = Effect.Success<
  ReturnType<ToolGateway.ToolGateway["Service"]["instructions"]>
>[number];

const projectsOf = ({ projects }: Principal.Principal): string => {
  if (projects === null) return "all projects";
  if (projects.length > projectsNamed) return `${projects.length} projects`;
  return `the projects ${projects.join(", ")}`;
};

const own = (principal: Principal.Principal): string =>
  `You are the agent ${principal.agentId ?? principal.id}; your key may see ${projectsOf(principal)}. ` +
  "Issues are your work: pick one up with work_next. Call work_turn between two steps, and stop " +
  "when it tells you to. Hand the issue in with work_finish. Tools with `__` in their names belong to servers that " +
  "you may use.";

/** Quotes the text, so that a server cannot imitate another server's instructions. */
const quoted = ({ server, text }: OfServer): string =>
  `Instructions of the server ${server} for its tools, whose names start with ${server}__:\n> ${text.replaceAll("\n", "\n> ")}`;

const ofServers = (servers: ReadonlyArray<OfServer>): ReadonlyArray<string> => {
  const parts: Array<string> = [];
  const left: Array<string> = [];
  let length = 0;
  for (const one of servers) {
    length += one.text.length;
    if (length > maxLength) left.push(one.server);
    else parts.push(quoted(one));
  }
  return left.length === 0
    ? parts
    : [...parts, `Omitted for lack of room: the instructions of ${left.join(", ")}.`];
};

/** The instructions for the current principal. */
export const make = Effect.gen(function* () {
  const gateway = yield* ToolGateway.ToolGateway;
  return Effect.gen(function* () {
    const principal = yield* Principal.CurrentPrincipal;
    const agentId = yield* grantedAgent;
    const servers = agentId === null ? [] : yield* gateway.instructions(agentId);
    return [own(principal), ...ofServers(servers)].join("\n\n");
  });
});
