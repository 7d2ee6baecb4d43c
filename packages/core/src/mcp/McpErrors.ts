import { Schema } from "effect";
import { list } from "../CommonErrors.ts";

/** Refusals about MCP servers and their tools. */

/** An installed server's name is in use. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {
  name: Schema.String,
}) {
  override get message() {
    return `Choose another name: an installed server is called ${this.name} already.`;
  }
}

/** Required variables that are not supplied, or empty. */
export class MissingEnv extends Schema.TaggedError<MissingEnv>()("MissingEnv", {
  missing: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Give a value to each required variable${list(this.missing)}.`;
  }
}

/** Variables that the catalogue's entry does not declare. */
export class UnknownEnv extends Schema.TaggedError<UnknownEnv>()("UnknownEnv", {
  unknown: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Leave out what the catalogue's entry does not declare${list(this.unknown)}.`;
  }
}

/** A variable whose value is a path in or above the data directory. */
export class ForbiddenPath extends Schema.TaggedError<ForbiddenPath>()("ForbiddenPath", {
  name: Schema.String,
}) {
  override get message() {
    return `Give ${this.name} another path: this one lies in or above what the service keeps.`;
  }
}

/** The runtime that the server needs is not detected. */
export class RuntimeMissing extends Schema.TaggedError<RuntimeMissing>()("RuntimeMissing", {
  runtime: Schema.Literals(["node", "python", "pipx"]),
}) {
  override get message() {
    return `Install ${this.runtime} on this host first: it is not detected, and the server needs it.`;
  }
}

/** The newer version does not verify; nothing changed. */
export class VerificationFailed extends Schema.TaggedError<VerificationFailed>()(
  "VerificationFailed",
  {
    verification: Schema.Struct({
      status: Schema.Literals(["ok", "error"]),
      details: Schema.String,
      capabilities: Schema.optionalKey(Schema.Array(Schema.String)),
    }),
  },
) {
  override get message() {
    return "Stay with the present version: the newer one does not verify, and nothing changed.";
  }
}

/** Why an authorization server is of no use. */
export const OAuthFailureReason = Schema.Literals([
  "noMetadata",
  "unsupported",
  "issuerMismatch",
  "insecure",
  "redirected",
  "unreachable",
  "badAnswer",
  "refused",
  "invalidGrant",
]);

export const AuthorizationFailedReason = Schema.Literals([
  "notAuthorizable",
  "badVariables",
  "badState",
  ...OAuthFailureReason.literals,
]);

/** A server that cannot be authorized, or was not. `explanation` is one sentence for people. */
export class AuthorizationFailed extends Schema.TaggedError<AuthorizationFailed>()(
  "AuthorizationFailed",
  { reason: AuthorizationFailedReason, explanation: Schema.String },
) {
  override get message() {
    return this.explanation;
  }
}

export const ToolUnavailableReason = Schema.Literals([
  "unknownTool",
  "notGranted",
  "notEnabled",
  "failing",
  "withheld",
  "timeout",
  "crashed",
]);

/** A tool call that cannot be made. `explanation` is one sentence for people. */
export class ToolUnavailable extends Schema.TaggedError<ToolUnavailable>()("ToolUnavailable", {
  reason: ToolUnavailableReason,
  explanation: Schema.String,
}) {
  override get message() {
    return this.explanation;
  }
}
