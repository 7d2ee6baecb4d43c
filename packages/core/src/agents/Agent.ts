import { Schema } from "effect";
import * as Text from "../Text.ts";
import { addSeconds, Timestamp } from "../Timestamp.ts";

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
  callsNeedRun: Schema.Boolean.annotateKey({
    description:
      "Whether the agent calls MCP tools and reads resources only while a run of it is live, and the call acts for that run.",
  }),
  note: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The reason why the agent's runner currently starts no issues; null if it starts them, or sent no heartbeat for two hours.",
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
export interface AgentRow extends Omit<Agent, "activeRuns" | "note"> {
  readonly seq: number;
  /** Null unless the last heartbeat reported it. */
  readonly halted: Halted | null;
}

/** A runner that currently starts no issues, as its heartbeats report. */
export interface Halted {
  readonly reason: string;
  /** When the runner tries again; null if it does not know. */
  readonly until: Timestamp | null;
  /** The first heartbeat that reported the halt, and the last one. */
  readonly since: Timestamp;
  readonly at: Timestamp;
}

/** The time of the last heartbeat after which a halted runner is forgotten, two hours before `now`. */
export const haltedSince = (now: Timestamp): Timestamp => addSeconds(now, -7_200);

/** The agent's note at `now`. */
export const noteOf = ({ halted }: Pick<AgentRow, "halted">, now: Timestamp): string | null =>
  halted !== null && halted.at > haltedSince(now) ? halted.reason : null;

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
  callsNeedRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "Whether calls of MCP tools and resources need a live run. Omitted or null: no change. Default for a new agent: false.",
  }),
}).annotate({
  identifier: "AgentUpdate",
  description: "The body that registers or changes an agent.",
});
export interface AgentUpdate extends Schema.Schema.Type<typeof AgentUpdate> {}
