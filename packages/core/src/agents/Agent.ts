import { Schema } from "effect";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

/** The form in which an agent's MCP clients see its granted tools. */
export const ToolMode = Schema.Literals(["direct", "search"]);
export type ToolMode = typeof ToolMode.Type;

/** An autonomous worker of the host. */
export const Agent = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The agent's id, chosen by the host." }),
  name: Schema.String.annotateKey({
    description: "1 to 128 characters; the id by default.",
  }),
  lastHeartbeatAt: Schema.NullOr(Timestamp).annotateKey({
    description: "The time of the last heartbeat; null before the first one.",
  }),
  paused: Schema.Boolean.annotateKey({
    description: "While true, the agent gets no issues and cannot call MCP tools.",
  }),
  toolMode: ToolMode.annotateKey({
    description:
      "`direct`: `tools/list` of `/mcp` lists each granted tool. `search`: it lists three tools that search for, describe and call them.",
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
    description: "1 to 128 characters after trimming. Omitted or null: the name does not change.",
  }),
  paused: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "True pauses the agent: its live runs stop at their next turn, and it gets no issues and cannot call MCP tools. False resumes it. Omitted or null: no change. Default for a new agent: false.",
  }),
  toolMode: Schema.optionalKey(Schema.NullOr(ToolMode)).annotateKey({
    description:
      "The way in which `tools/list` of `/mcp` shows the granted tools. Omitted or null: no change. Default for a new agent: `direct`.",
  }),
}).annotate({
  identifier: "AgentUpdate",
  description: "The body that registers or changes an agent.",
});
export interface AgentUpdate extends Schema.Schema.Type<typeof AgentUpdate> {}
