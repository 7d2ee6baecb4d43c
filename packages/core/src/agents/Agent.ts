import { Schema } from "effect";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

/** An autonomous worker of the host. */
export const Agent = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The agent's id, chosen by the host." }),
  name: Schema.String.annotateKey({
    description: "1 to 128 UTF-16 units; the id by default.",
  }),
  lastHeartbeatAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the agent sent its last heartbeat; null if it never did.",
  }),
  activeRuns: Schema.Int.annotateKey({
    description: "Runs that have not ended and whose lease has not expired.",
  }),
  createdAt: Timestamp.annotateKey({ description: "When the agent was registered." }),
}).annotate({ identifier: "Agent", description: "An autonomous worker of the host." });
export interface Agent extends Schema.Schema.Type<typeof Agent> {}

/** An agent as storage has it. The storage assigns `seq`, its position in the order of registration. */
export interface AgentRow extends Omit<Agent, "activeRuns"> {
  readonly seq: number;
}

export const AgentUpdate = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text.trimmedBetween(1, 128))).annotateKey({
    description: "1 to 128 UTF-16 units after trimming. Omitted or null: the name is left alone.",
  }),
}).annotate({
  identifier: "AgentUpdate",
  description: "The body that registers or renames an agent.",
});
export interface AgentUpdate extends Schema.Schema.Type<typeof AgentUpdate> {}
