import { Schema } from "effect";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

/** An autonomous worker of the host. */
export const Agent = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  lastHeartbeatAt: Schema.NullOr(Timestamp),
  /** Runs that are active or stopping and whose lease has not ended. */
  activeRuns: Schema.Int,
  createdAt: Timestamp,
}).annotate({ identifier: "Agent" });
export interface Agent extends Schema.Schema.Type<typeof Agent> {}

/** An agent as storage keeps it; `seq` is its place in the order of registration, given by the storage. */
export interface AgentRow extends Omit<Agent, "activeRuns"> {
  readonly seq: number;
}

export const AgentUpdate = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text.trimmedBetween(1, 128))),
}).annotate({ identifier: "AgentUpdate" });
export interface AgentUpdate extends Schema.Schema.Type<typeof AgentUpdate> {}
