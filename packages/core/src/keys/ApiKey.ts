import { Schema } from "effect";
import type { Principal } from "../access/Principal.ts";
import { Role } from "../access/Role.ts";
import { HostId, ProjectId, ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";

/** An API key, without its secret. */
export const ApiKey = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The key's id." }),
  name: Schema.String.annotateKey({ description: "1 to 128 characters." }),
  role: Role.annotateKey({
    description:
      "The role of the key: `Metrics` can only read metrics; `Viewer` reads; `Editor` also changes issues and runs agents; `Admin` also manages agents, keys and MCP servers; `Owner` also manages Owner keys.",
  }),
  projects: Schema.NullOr(Schema.Array(Schema.String)).annotateKey({
    description: "The projects that the key may see; null for all.",
  }),
  agentId: Schema.NullOr(Schema.String).annotateKey({
    description: "The agent that the key acts as; null for none.",
  }),
  userId: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The user that the key acts as; null for an agent, and for a user with the id of the key.",
  }),
  createdAt: Timestamp.annotateKey({ description: "When the key was created." }),
  expiresAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the key expires; null if it never does.",
  }),
  lastUsedAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the key was last used, to the minute; null if it never was.",
  }),
}).annotate({ identifier: "ApiKey", description: "An API key, without its secret." });
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The name of a key, for people who read about its actions. */
export const ApiKeyName = Schema.Struct({
  id: ApiKey.fields.id,
  name: ApiKey.fields.name,
}).annotate({ identifier: "ApiKeyName", description: "The name of an API key." });
export interface ApiKeyName extends Schema.Schema.Type<typeof ApiKeyName> {}

/** The ids for which a caller wants names. */
export const ApiKeyNameFilter = Schema.Struct({
  id: Schema.Array(ServiceId)
    .check(Schema.isMinLength(1, { expected: "at least one id" }), Schema.isMaxLength(100))
    .annotateKey({ description: "Ids of keys, 1 to 100." }),
});
export interface ApiKeyNameFilter extends Schema.Schema.Type<typeof ApiKeyNameFilter> {}

/** A new API key, with its secret: `qm_<keyId>_<secret>`. */
export const ApiKeyCreated = Schema.Struct({
  ...ApiKey.fields,
  key: Schema.String.annotateKey({
    description: "The key, `qm_<keyId>_<secret>`. No other response contains it.",
  }),
}).annotate({ identifier: "ApiKeyCreated", description: "A new API key, with its secret." });
export interface ApiKeyCreated extends Schema.Schema.Type<typeof ApiKeyCreated> {}

/** The stored form of a key. `secretHash` is the SHA-256 of its secret in lower-case hex. */
export interface ApiKeyRow extends ApiKey {
  readonly seq: number;
  readonly secretHash: string;
}

export const ApiKeyCreate = Schema.Struct({
  name: Text.trimmedBetween(1, 128).pipe(
    Schema.annotateEncoded({
      description: "1 to 128 characters after trimming.",
    }),
  ),
  role: Role.annotateKey({
    description:
      "The role of the key, which cannot be above the role of the caller. An agent key is `Viewer` or `Editor`. A `Metrics` key has no `projects`, `agentId` or `userId`.",
  }),
  projects: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(ProjectId).check(
        Schema.isMinLength(1, { expected: "at least one project, or null for all" }),
        Schema.isMaxLength(1_000),
      ),
    ),
  ).annotateKey({
    description: "The projects that the key may see, 1 to 1,000. Default: null, which means all.",
  }),
  agentId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: "The agent that the key acts as; not together with `userId`. Default: null.",
  }),
  userId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description:
      "The user that the key acts as. Default: null, which means a user with the id of the key.",
  }),
  expiresAt: Schema.optionalKey(Schema.NullOr(TimestampInput)).annotateKey({
    description:
      "When the key expires: ISO 8601 with `Z` or an offset. Default: null, which means never.",
  }),
}).annotate({
  identifier: "ApiKeyCreate",
  description: "The body of a request that creates an API key.",
});
export interface ApiKeyCreate extends Schema.Schema.Type<typeof ApiKeyCreate> {}

/**
 * The principal that a key acts as: its user, its agent, or a user whose id is the key's id. A key
 * with the Metrics role sees no project.
 */
export const principalOf = (
  key: Omit<ApiKey, "name" | "createdAt" | "lastUsedAt" | "expiresAt">,
): Principal => ({
  type: key.agentId === null ? "User" : "Agent",
  id: key.agentId ?? key.userId ?? key.id,
  role: key.role,
  projects: key.role === "Metrics" ? [] : key.projects,
  agentId: key.agentId,
  userId: key.userId,
});

/** The principal of a valid key or session. */
export interface Credential {
  readonly principal: Principal;
  readonly keyId: string;
  /** Null for a key that never expires. */
  readonly expiresAt: Timestamp | null;
}

export const isExpired = (key: ApiKey, now: Timestamp): boolean =>
  key.expiresAt !== null && key.expiresAt <= now;

/** Returns whether the key is an unexpired Owner key that sees every project. */
export const isOwner = (key: ApiKey, now: Timestamp): boolean =>
  key.role === "Owner" && key.projects === null && !isExpired(key, now);

/** The key without the fields that only storage needs. */
export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  projects: row.projects,
  agentId: row.agentId,
  userId: row.userId,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
});
