import { Predicate, Schema } from "effect";
import { HostId } from "../Id.ts";
import * as Input from "../Input.ts";
import type { ToolDefinition } from "./Tool.ts";

/** The permissions of a grant. */
const permission = {
  tools: Schema.NullOr(Schema.Array(Schema.String)).annotateKey({
    description: "The server's own names of the tools that the agent may use; null for all tools.",
  }),
  readOnly: Schema.Boolean.annotateKey({
    description:
      "Restricts these tools to tools whose accepted definition has `annotations.readOnlyHint: true`.",
  }),
  callsPerMinute: Schema.NullOr(Schema.Int).annotateKey({
    description: "The largest number of calls within 60 seconds, per node; null for no limit.",
  }),
  maxConcurrentCalls: Schema.NullOr(Schema.Int).annotateKey({
    description: "The largest number of calls in flight, per node; null for no limit.",
  }),
};

const agentId = "The agent's id.";
const granted = "Whether the agent may use the server.";

/** The access of one agent to one server. */
export const AccessEntry = Schema.Struct({
  agentId: Schema.String.annotateKey({ description: agentId }),
  granted: Schema.Boolean.annotateKey({ description: granted }),
  ...permission,
  tokens: Schema.Int.annotateKey({
    description:
      "Estimated tokens that the definitions of the agent's tools from this server cost its model; 0 without access.",
  }),
}).annotate({
  identifier: "AccessEntry",
  description: "The access of one agent to one server.",
});
export interface AccessEntry extends Schema.Schema.Type<typeof AccessEntry> {}

/** The stored form of an access entry. */
export type StoredAccess = Omit<AccessEntry, "tokens">;

/** The permissions of a grant. */
export type Permission = Omit<StoredAccess, "agentId" | "granted">;

/** The permissions of an unrestricted grant. */
export const everything: Permission = {
  tools: null,
  readOnly: false,
  callsPerMinute: null,
  maxConcurrentCalls: null,
};

/** Returns whether a grant allows a tool with this accepted definition. */
export const allows = ({ readOnly, tools }: Permission, definition: ToolDefinition): boolean => {
  const { annotations } = definition;
  const isReadOnly =
    Predicate.isReadonlyObject(annotations) && annotations["readOnlyHint"] === true;
  return (tools === null || tools.includes(definition.name)) && (!readOnly || isReadOnly);
};

const limit = (what: string) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))),
  ).annotateKey({
    description: `${what}, 1 to 100,000, counted per node; null for no limit. Omitted: no change.`,
  });

/**
 * Changes to the access of agents to a server. The access of agents that are not listed does not
 * change.
 */
export const AccessUpdate = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      agentId: HostId.annotateKey({ description: agentId }),
      granted: Schema.Boolean.annotateKey({ description: granted }),
      tools: Schema.optionalKey(
        Schema.NullOr(
          Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))).check(
            Schema.isMaxLength(10_000),
          ),
        ),
      ).annotateKey({
        description:
          "The server's own names of the tools that the agent may use; null for all tools. Omitted: no change.",
      }),
      readOnly: Input.optional(Schema.Boolean, {
        description:
          "Restricts these tools to tools whose accepted definition has `annotations.readOnlyHint: true`. Omitted: no change.",
      }),
      callsPerMinute: limit("The largest number of calls within 60 seconds"),
      maxConcurrentCalls: limit("The largest number of calls in flight"),
    }),
  )
    .check(Schema.isMaxLength(10_000))
    .annotateKey({
      description: "Up to 10,000 agents. The access of other agents does not change.",
    }),
}).annotate({
  identifier: "AccessUpdate",
  description: "The body of a request that grants and revokes access to a server.",
});
export interface AccessUpdate extends Schema.Schema.Type<typeof AccessUpdate> {}
