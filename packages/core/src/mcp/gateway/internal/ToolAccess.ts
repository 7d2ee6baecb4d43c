import { Effect, Option } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Timestamp from "../../../Timestamp.ts";
import * as Access from "../../AccessEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import * as Instructions from "../../Instructions.ts";
import { ToolUnavailable, type ToolUnavailableReason } from "../../McpErrors.ts";
import { McpServerStore, type Offer } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import * as CallAdvice from "./CallAdvice.ts";
import { type NamedTool, ToolLists } from "./ToolLists.ts";

/** A call that is not permitted, or that cannot be judged now. */
export type Refusal = StorageError | ToolUnavailable;

/** A tool, and the agent's permission for its server; null if the agent may not use the tool. */
export interface FoundTool {
  readonly tool: NamedTool;
  readonly permission: Access.Permission | null;
}

/** Decides, for lists and for calls, which tools an agent may use. */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const lists = yield* ToolLists;

  /** The tools that the agent may use, including tools of servers that are out. */
  const usable = Effect.fnUntraced(function* (agentId: string) {
    const tools: Array<NamedTool> = [];
    for (const { permission, server } of yield* store.grants(agentId)) {
      if (!Outage.isOffered(server)) continue;
      for (const tool of yield* lists.of(server)) {
        if (tool.state === "accepted" && Access.allows(permission, tool.definition)) {
          tools.push(tool);
        }
      }
    }
    return tools;
  });

  /** The accepted instructions of servers whose tools the agent may use, oldest server first. */
  const instructions = Effect.fnUntraced(function* (agentId: string) {
    return (yield* store.grants(agentId)).flatMap(({ permission, server }) => {
      const text = Instructions.served(server.instructions);
      return text !== null && Outage.isOffered(server) && permission.tools?.length !== 0
        ? [{ server: server.name, text }]
        : [];
    });
  });

  /** The server in the tool's name. Names of servers have no underscore. */
  const offerOf = (agentId: string, name: string) =>
    Effect.map(store.offer(name.split("__", 1)[0] ?? "", agentId), Option.getOrNull);

  const find = Effect.fnUntraced(function* (agentId: string, name: string) {
    const offer = yield* offerOf(agentId, name);
    if (offer === null) return null;
    const tool = yield* lists.named(offer.server, name);
    if (tool === undefined) return null;
    const { permission } = offer;
    const isAllowed = permission !== null && Access.allows(permission, tool.definition);
    const found: FoundTool = { tool, permission: isAllowed ? permission : null };
    return found;
  });

  /** The server in the name, if the agent may use it and its tools were never listed. */
  const unlisted = (agentId: string, name: string) =>
    Effect.map(offerOf(agentId, name), (offer) => (isUnlisted(offer) ? offer.server : null));

  return { usable, instructions, find, unlisted, revision: lists.revision };
});

const isUnlisted = (offer: Offer | null): offer is Offer =>
  offer !== null &&
  offer.permission !== null &&
  !offer.server.known &&
  Outage.isOffered(offer.server);

export const unavailable = (
  reason: typeof ToolUnavailableReason.Type,
  explanation: string,
  advice?: string,
  retry?: Outage.Retry,
) => Effect.fail(new ToolUnavailable({ reason, explanation, advice, retry }));

export const unknownTool = (name: string) =>
  unavailable("unknownTool", `There is no tool ${name}.`);

/** Fails because the server is out. */
export const out = Effect.fnUntraced(function* ({ name, outage }: InstalledServerRow) {
  if (outage === null) return yield* failed(name);
  const { reason, retryAt, since } = outage;
  const retry = { since, retryAt };
  if (CallAdvice.needsPerson(reason)) {
    return yield* unavailable(
      "failing",
      `The server ${name} has failed: ${reason}`,
      CallAdvice.unauthorized,
      retry,
    );
  }
  if (retryAt === null) return yield* failed(name, retry);
  const advice = CallAdvice.ofRetry(retry, "failing", yield* Timestamp.now);
  return yield* unavailable("failing", `The server ${name} has failed: ${reason}`, advice, retry);
});

const failed = (name: string, retry?: Outage.Retry) =>
  unavailable("failing", `The server ${name} has failed. Verify or enable it.`, undefined, retry);

/** Fails if the tool may not be called now. */
export const permit = ({ permission, tool }: FoundTool): Effect.Effect<void, ToolUnavailable> => {
  const { name, server, state } = tool;
  if (permission === null) return unavailable("notGranted", `${name} is not granted to the agent.`);
  if (server.status === "disabled") {
    return unavailable("notEnabled", `The server ${server.name} is disabled.`);
  }
  if (server.status === "error") return out(server);
  if (state === "gone") {
    return unavailable("unknownTool", `The server ${server.name} no longer has ${name}.`);
  }
  if (state === "blocked" || state === "invalid") {
    return unavailable(
      "withheld",
      `${name} is ${state}. An Admin can see the reason at the tools of its server.`,
      state === "blocked"
        ? "An Admin blocked this tool. Continue without it."
        : "The definition of this tool is invalid. Continue without it.",
    );
  }
  if (state !== "accepted") {
    return unavailable(
      "withheld",
      `${name} has changed since it was accepted. An Admin has to accept it again.`,
    );
  }
  return Effect.void;
};
