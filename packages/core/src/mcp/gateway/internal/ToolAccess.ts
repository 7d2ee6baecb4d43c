import { Effect, Option } from "effect";
import { AgentStore } from "../../../agents/AgentStore.ts";
import { ToolUnavailable, type ToolUnavailableReason } from "../../McpErrors.ts";
import { type Grant, McpServerStore, type Offer } from "../../McpServerStore.ts";
import { type NamedTool, ToolLists } from "./ToolLists.ts";

/** A tool, and whether the agent is granted it. */
export interface FoundTool {
  readonly tool: NamedTool;
  readonly granted: boolean;
}

/** Decides which tools an agent may use. Lists and calls ask the same questions. */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const agents = yield* AgentStore;
  const lists = yield* ToolLists;

  /** The tools that the agent may use now. */
  const usable = Effect.fnUntraced(function* (agentId: string) {
    const tools: Array<NamedTool> = [];
    for (const grant of yield* store.grants(agentId)) {
      if (grant.server.status !== "enabled") continue;
      for (const tool of yield* lists.of(grant.server)) {
        if (includes(grant, tool) && tool.state === "accepted") tools.push(tool);
      }
    }
    return tools;
  });

  /** The server that the name refers to. Names of servers have no underscore. */
  const offerOf = (agentId: string, name: string) =>
    Effect.map(store.offer(name.split("__", 1)[0] ?? "", agentId), Option.getOrNull);

  const find = Effect.fnUntraced(function* (agentId: string, name: string) {
    const offer = yield* offerOf(agentId, name);
    if (offer === null) return null;
    const tool = yield* lists.named(offer.server, name);
    if (tool === undefined) return null;
    const found: FoundTool = { tool, granted: offer.grant !== null && includes(offer.grant, tool) };
    return found;
  });

  /** The server of the name, if the agent may use it and its tools were never listed. */
  const unlisted = (agentId: string, name: string) =>
    Effect.map(offerOf(agentId, name), (offer) => (isUnlisted(offer) ? offer.server : null));

  /** Fails if the agent is paused. A call in flight is not affected: the next one is refused. */
  const notPaused = Effect.fnUntraced(function* (agentId: string) {
    const agent = Option.getOrNull(yield* agents.get(agentId));
    if (agent?.paused === true) {
      return yield* unavailable("agentPaused", `The agent ${agentId} is paused.`);
    }
  });

  return { notPaused, usable, find, unlisted, revision: lists.revision };
});

const isUnlisted = (offer: Offer | null): offer is Offer =>
  offer !== null &&
  offer.grant !== null &&
  !offer.server.known &&
  offer.server.status === "enabled";

const includes = (grant: Pick<Grant, "tools">, tool: Pick<NamedTool, "definition">): boolean =>
  grant.tools === null || grant.tools.includes(tool.definition.name);

export const unavailable = (
  reason: typeof ToolUnavailableReason.Type,
  explanation: string,
  advice?: string,
) => Effect.fail(new ToolUnavailable({ reason, explanation, advice }));

export const unknownTool = (name: string) =>
  unavailable("unknownTool", `There is no tool ${name}.`);

/** Fails if the tool may not be called now. */
export const permit = ({ granted, tool }: FoundTool): Effect.Effect<void, ToolUnavailable> => {
  const { name, server, state } = tool;
  if (!granted) return unavailable("notGranted", `${name} is not granted to the agent.`);
  if (server.status === "disabled") {
    return unavailable("notEnabled", `The server ${server.name} is disabled.`);
  }
  if (server.status === "error") {
    return unavailable("failing", `The server ${server.name} has failed. Verify or enable it.`);
  }
  if (state === "gone") {
    return unavailable("unknownTool", `The server ${server.name} no longer has ${name}.`);
  }
  if (state === "blocked" || state === "invalid") {
    return unavailable(
      "withheld",
      `${name} is ${state}. Look at the tools of its server.`,
      state === "blocked"
        ? "Do without this tool: an Admin blocked it."
        : "Do without this tool: what its server says of it is not valid.",
    );
  }
  if (state !== "accepted") {
    return unavailable(
      "withheld",
      `${name} has changed since it was accepted. Verify its server and accept its tools.`,
    );
  }
  return Effect.void;
};
