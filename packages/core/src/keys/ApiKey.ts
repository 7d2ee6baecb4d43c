import { Schema } from "effect";
import type { Principal } from "../access/Principal.ts";
import { Role } from "../access/Role.ts";
import { HostId, ProjectId, ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";

/** A personal API key, as it is listed: never with its secret. */
export const ApiKey = Schema.Struct({
  id: ServiceId,
  name: Schema.String,
  role: Role,
  projects: Schema.NullOr(Schema.Array(Schema.String)),
  agentId: Schema.NullOr(Schema.String),
  userId: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  /** To the minute. */
  lastUsedAt: Schema.NullOr(Timestamp),
}).annotate({ identifier: "ApiKey" });
export interface ApiKey extends Schema.Schema.Type<typeof ApiKey> {}

/** The answer to its creation, the only one that ever has `key`: `qm_<keyId>_<secret>`. */
export const ApiKeyCreated = Schema.Struct({ ...ApiKey.fields, key: Schema.String }).annotate({
  identifier: "ApiKeyCreated",
});
export interface ApiKeyCreated extends Schema.Schema.Type<typeof ApiKeyCreated> {}

/** A key as storage keeps it: `secretHash` is the SHA-256 of its secret in lower-case hex. */
export interface ApiKeyRow extends ApiKey {
  readonly seq: number;
  readonly secretHash: string;
}

export const ApiKeyCreate = Schema.Struct({
  name: Text.trimmedBetween(1, 128),
  role: Role,
  projects: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(ProjectId).check(
        Schema.isMinLength(1, { expected: "at least one project, or null for all" }),
        Schema.isMaxLength(1_000),
      ),
    ),
  ),
  agentId: Schema.optionalKey(Schema.NullOr(HostId)),
  userId: Schema.optionalKey(Schema.NullOr(HostId)),
  expiresAt: Schema.optionalKey(Schema.NullOr(TimestampInput)),
}).annotate({ identifier: "ApiKeyCreate" });
export interface ApiKeyCreate extends Schema.Schema.Type<typeof ApiKeyCreate> {}

/** The principal that a key acts as: its user, its agent, or a user whose id is the key's id. */
export const principalOf = (
  key: Omit<ApiKey, "name" | "createdAt" | "lastUsedAt" | "expiresAt">,
): Principal => ({
  type: key.agentId === null ? "User" : "Agent",
  id: key.agentId ?? key.userId ?? key.id,
  role: key.role,
  projects: key.projects,
  agentId: key.agentId,
  userId: key.userId,
});
