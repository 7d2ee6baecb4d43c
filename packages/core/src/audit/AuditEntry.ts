import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { HostId } from "../Id.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";

/** The kind of a subject, and its change. */
export const AuditAction = Schema.Literals([
  "key.created",
  "key.deleted",
  "session.created",
  "session.deleted",
  "access.granted",
  "access.revoked",
  "access.changed",
  "server.installed",
  "server.updated",
  "server.authorized",
  "server.enabled",
  "server.disabled",
  "server.uninstalled",
  "server.toolsAccepted",
  "server.toolsBlocked",
  "server.toolsUnblocked",
  "catalogEntry.created",
  "catalogEntry.updated",
  "catalogEntry.deleted",
  "agent.updated",
  "agent.deleted",
  "project.created",
  "project.updated",
  "project.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.rotated",
  "webhook.deleted",
]);
export type AuditAction = typeof AuditAction.Type;

/** The key, session, server, agent, project, catalog entry or webhook of an action. */
export const AuditSubject = Schema.Struct({
  type: Schema.Literals([
    "key",
    "session",
    "server",
    "catalogEntry",
    "agent",
    "project",
    "webhook",
  ]).annotateKey({
    description: "The kind of the subject.",
  }),
  id: Schema.String.annotateKey({ description: "The id of the subject." }),
  name: Schema.NullOr(Schema.String).annotateKey({
    description: "The name of the subject at that time; null if it had none.",
  }),
}).annotate({
  identifier: "AuditSubject",
  description: "The subject of an entry of the audit log.",
});
export interface AuditSubject extends Schema.Schema.Type<typeof AuditSubject> {}

/** An entry of the audit log: who changed what, and from where. It has no values. */
export const AuditEntry = Schema.Struct({
  at: Timestamp.annotateKey({ description: "The time of the change." }),
  actor: Actor.annotateKey({ description: "The user or agent that made the change." }),
  keyId: Schema.NullOr(Schema.String).annotateKey({
    description: "The API key of the request, or the key of its session; null without a key.",
  }),
  address: Schema.NullOr(Schema.String).annotateKey({
    description: "The network address of the client; null for a change in process.",
  }),
  userAgent: Schema.NullOr(Schema.String).annotateKey({
    description: "The first 200 characters of the client's `User-Agent`; null if it sent none.",
  }),
  action: AuditAction.annotateKey({
    description: "The change: the kind of its subject, and a verb.",
  }),
  subject: AuditSubject.annotateKey({ description: "The subject of the change." }),
  changes: Schema.Array(Schema.String).annotateKey({
    description:
      "The names of what changed, never the values: fields, variables, tools, or for access the agents.",
  }),
}).annotate({ identifier: "AuditEntry", description: "An entry of the audit log." });
export interface AuditEntry extends Schema.Schema.Type<typeof AuditEntry> {}

/** The stored form of an entry. */
export interface AuditRow extends AuditEntry {
  readonly seq: number;
}

/** The filters of the audit log. */
export const AuditFilter = Schema.Struct({
  action: Schema.optionalKey(Schema.Array(AuditAction)).annotateKey({
    description: "Only these actions.",
  }),
  actor: Schema.optionalKey(HostId).annotateKey({
    description: "Only entries of the user or agent with this id.",
  }),
  from: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({ description: "Only entries from this time on." }),
  ),
  to: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({ description: "Only entries before this time." }),
  ),
});
export interface AuditFilter extends Schema.Schema.Type<typeof AuditFilter> {}
