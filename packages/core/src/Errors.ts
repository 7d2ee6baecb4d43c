import { Schema } from "effect";
import { StopReason } from "./agents/Run.ts";
import { IssueStatus } from "./issues/Issue.ts";
import { Role } from "./access/Role.ts";

/**
 * What the services refuse, one class each. The fields are what a caller can act on, the message
 * says it to people; the HTTP package renders each as the problem of the same name.
 */

const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `: ${names.join(", ")}`;

const firstOf = (ids: ReadonlyArray<string>): string => list(ids.slice(0, 3));

/** A value that fails its schema. `path` is the place in the input, dot-separated. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  errors: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
}) {
  /** The refusal of one value. */
  static at(path: string, message: string): InvalidRequest {
    return new InvalidRequest({ errors: [{ path, message }] });
  }

  override get message() {
    return this.errors
      .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
      .join("; ");
  }
}

/** A deletion that was not confirmed. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>()(
  "ConfirmationRequired",
  {},
) {
  override get message() {
    return "Confirm the deletion: the issue is gone for good then.";
  }
}

/** No credentials, or wrong, expired or revoked ones; the three are not told apart. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {
  override get message() {
    return "The credentials are not valid, or not any more.";
  }
}

/** The role is too low, or (null) another kind of principal is needed. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  requiredRole: Schema.NullOr(Role),
}) {
  override get message() {
    return this.requiredRole === null
      ? "This takes another kind of principal, whatever its role."
      : `This takes the role ${this.requiredRole} or above.`;
  }
}

/** It does not exist, or lies in a project that the principal may not see. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  resource: Schema.String,
  id: Schema.NullOr(Schema.String),
}) {
  override get message() {
    return this.id === null
      ? `There is no such ${this.resource}.`
      : `There is no ${this.resource} ${this.id} that you may see.`;
  }
}

/** A close that open dependents forbid. At most 100 are named. */
export class OpenDependents extends Schema.TaggedError<OpenDependents>()("OpenDependents", {
  dependents: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Resolve or close the open dependents first, or force the close${firstOf(this.dependents)}.`;
  }
}

/** A change of status that an open blocker forbids. At most 100 are named. */
export class Blocked extends Schema.TaggedError<Blocked>()("Blocked", {
  blockers: Schema.Array(Schema.String),
}) {
  override get message() {
    return this.blockers.length === 0
      ? "Link the issue to an open blocker first: without one it has nothing to wait for."
      : `Resolve the open blockers first, or remove their links${firstOf(this.blockers)}.`;
  }
}

/** A link that would close a cycle, named from the issue round to itself. */
export class DependencyCycle extends Schema.TaggedError<DependencyCycle>()("DependencyCycle", {
  cycle: Schema.Array(Schema.String),
}) {
  override get message() {
    return "Remove a link of the cycle first: issues cannot wait for each other.";
  }
}

/** The same relation already stands. */
export class LinkExists extends Schema.TaggedError<LinkExists>()("LinkExists", {
  linkId: Schema.String,
}) {
  override get message() {
    return "Use the link that is there: the two issues already stand in this relation.";
  }
}

/** A pause of an issue that is not InProgress. */
export class NotExecuting extends Schema.TaggedError<NotExecuting>()("NotExecuting", {
  issueStatus: IssueStatus,
}) {
  override get message() {
    return `Pause an issue while it is InProgress: this one is ${this.issueStatus}.`;
  }
}

/** A resume of an issue that is not paused. */
export class NotPaused extends Schema.TaggedError<NotPaused>()("NotPaused", {
  issueStatus: IssueStatus,
}) {
  override get message() {
    return `Resume an issue that is paused: this one is ${this.issueStatus} and not paused.`;
  }
}

/** A turn or finish by a run that no longer holds its issue. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", { reason: StopReason }) {
  override get message() {
    return "Stop working on this issue: the run no longer holds it.";
  }
}

/** Deleting the last Owner key that has not expired. */
export class LastOwnerKey extends Schema.TaggedError<LastOwnerKey>()("LastOwnerKey", {}) {
  override get message() {
    return "Make another Owner key first: this is the last one that has not expired.";
  }
}

/** The caller's precondition does not match the issue's present `version`. */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()(
  "PreconditionFailed",
  { version: Schema.Int },
) {
  override get message() {
    return `Read the issue again, which is at version ${this.version}, and repeat the change on it.`;
  }
}

/** `field` names something that does not exist, or may not be seen. */
export class UnknownReference extends Schema.TaggedError<UnknownReference>()("UnknownReference", {
  field: Schema.String,
  id: Schema.String,
}) {
  override get message() {
    return `Give an id in \`${this.field}\` that exists and that you may see.`;
  }
}

/** An issue linked to itself. */
export class SelfLink extends Schema.TaggedError<SelfLink>()("SelfLink", {}) {
  override get message() {
    return "Name another issue: an issue cannot be linked to itself.";
  }
}

/** One too many; `limit` is how many there may be. */
export class LimitExceeded extends Schema.TaggedError<LimitExceeded>()("LimitExceeded", {
  limit: Schema.Int,
}) {
  override get message() {
    return `Remove one first: there may be ${this.limit} at most.`;
  }
}

/** More bytes than allowed. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  limitBytes: Schema.Int,
}) {
  override get message() {
    return `Send at most ${this.limitBytes} bytes.`;
  }
}

/** The idempotency key was used for another request. */
export class IdempotencyMismatch extends Schema.TaggedError<IdempotencyMismatch>()(
  "IdempotencyMismatch",
  {},
) {
  override get message() {
    return "Use a new Idempotency-Key: this one was used for another request.";
  }
}

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

/**
 * Storage could not do its part: nothing of the change is kept. `isRetryable` says whether the same call may
 * succeed later (storage busy, disk full), `reason` is for the log.
 */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Schema.String,
  isRetryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect()),
}) {
  override get message() {
    return this.reason;
  }
}
