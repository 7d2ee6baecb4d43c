import { Schema } from "effect";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

/** How an agent's MCP clients see the tools that it is granted. */
export const ToolMode = Schema.Literals(["direct", "search"]);
export type ToolMode = typeof ToolMode.Type;

/** An autonomous worker of the host. */
export const Agent = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The agent's id, chosen by the host." }),
  name: Schema.String.annotateKey({
    description: "1 to 128 UTF-16 units; the id by default.",
  }),
  lastHeartbeatAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the agent sent its last heartbeat; null if it never did.",
  }),
  paused: Schema.Boolean.annotateKey({
    description: "While true, the agent claims no issue and calls no tool of a server.",
  }),
  toolMode: ToolMode.annotateKey({
    description:
      "`direct`: `tools/list` of `/mcp` lists each granted tool. `search`: it lists tools that search, describe and call them.",
  }),
  activeRuns: Schema.Int.annotateKey({
    description: "Runs that have not ended and whose lease has not expired.",
  }),
  createdAt: Timestamp.annotateKey({ description: "When the agent was registered." }),
}).annotate({ identifier: "Agent", description: "An autonomous worker of the host." });
export interface Agent extends Schema.Schema.Type<typeof Agent> {}

/**
 * The stored form of an agent. The storage assigns `seq`, its position in the order of
 * registration.
 */
export interface AgentRow extends Omit<Agent, "activeRuns"> {
  readonly seq: number;
}

export const AgentUpdate = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text.trimmedBetween(1, 128))).annotateKey({
    description: "1 to 128 UTF-16 units after trimming. Omitted or null: the name is left alone.",
  }),
  paused: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "True stops the agent's live runs at their next turn, claims no issue for it and refuses its calls of servers' tools; false ends the pause. Omitted or null: left alone. Default of a new agent: false.",
  }),
  toolMode: Schema.optionalKey(Schema.NullOr(ToolMode)).annotateKey({
    description:
      "How MCP clients see the granted tools. Omitted or null: left alone. Default of a new agent: `direct`.",
  }),
}).annotate({
  identifier: "AgentUpdate",
  description: "The body that registers or changes an agent.",
});
export interface AgentUpdate extends Schema.Schema.Type<typeof AgentUpdate> {}
