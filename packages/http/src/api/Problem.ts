import { CatalogEntry, Errors, InstalledServer, Issue, Role, Run } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";

/**
 * What an answer of 400 and more says: RFC 9457 problems, `application/problem+json`. One class
 * for each `type`; `detail` is one sentence that says what to do.
 */

const urn = <const Slug extends string>(slug: Slug) => `urn:quartermaster:problem:${slug}` as const;

const detail = Schema.String;

/** 400: malformed JSON, a body, query or path value that fails its schema, an unknown property. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()(
  "InvalidRequest",
  { type: urn("invalid-request"), status: 400, title: "Invalid request" },
  { detail, errors: Errors.InvalidRequest.fields.errors },
) {}

/** 400: a deletion without `confirm=true`. */
export class ConfirmationRequired extends HttpApiError.Problem<ConfirmationRequired>()(
  "ConfirmationRequired",
  { type: urn("confirmation-required"), status: 400, title: "Confirmation required" },
  { detail },
) {}

/** 401: no credentials, or wrong, expired or revoked ones. */
export class Unauthenticated extends HttpApiError.Problem<Unauthenticated>()(
  "Unauthenticated",
  { type: urn("unauthenticated"), status: 401, title: "Unauthenticated" },
  { detail },
) {}

/** 403: the role is too low, or (`requiredRole` null) another kind of key is needed. */
export class Forbidden extends HttpApiError.Problem<Forbidden>()(
  "Forbidden",
  { type: urn("forbidden"), status: 403, title: "Forbidden" },
  { detail, requiredRole: Schema.NullOr(Role.Role) },
) {}

/** 403: a cookie-authenticated write that is not from the same origin. */
export class Csrf extends HttpApiError.Problem<Csrf>()(
  "Csrf",
  { type: urn("csrf"), status: 403, title: "Cross-site request" },
  { detail },
) {}

/** 403: a call that carries secrets came over a connection that others can read. */
export class HttpsRequired extends HttpApiError.Problem<HttpsRequired>()(
  "HttpsRequired",
  { type: urn("https-required"), status: 403, title: "HTTPS required" },
  { detail },
) {}

/** 404: it does not exist, or lies in a project that the caller may not see. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  { type: urn("not-found"), status: 404, title: "Not found" },
  { detail, resource: Schema.String, id: Schema.NullOr(Schema.String) },
) {}

/** 405: the path has other methods; `Allow` names them. */
export class MethodNotAllowed extends HttpApiError.Problem<MethodNotAllowed>()(
  "MethodNotAllowed",
  { type: urn("method-not-allowed"), status: 405, title: "Method not allowed" },
  { detail },
) {}

/** 409: a close that open dependents forbid. */
export class OpenDependents extends HttpApiError.Problem<OpenDependents>()(
  "OpenDependents",
  { type: urn("open-dependents"), status: 409, title: "Open dependents" },
  { detail, dependents: Schema.Array(Schema.String) },
) {}

/** 409: a change of status that an open blocker forbids. */
export class Blocked extends HttpApiError.Problem<Blocked>()(
  "Blocked",
  { type: urn("blocked"), status: 409, title: "Blocked" },
  { detail, blockers: Schema.Array(Schema.String) },
) {}

/** 409: a link that would close a cycle, named from the issue round to itself. */
export class DependencyCycle extends HttpApiError.Problem<DependencyCycle>()(
  "DependencyCycle",
  { type: urn("dependency-cycle"), status: 409, title: "Dependency cycle" },
  { detail, cycle: Schema.Array(Schema.String) },
) {}

/** 409: the same relation already stands. */
export class LinkExists extends HttpApiError.Problem<LinkExists>()(
  "LinkExists",
  { type: urn("link-exists"), status: 409, title: "Link exists" },
  { detail, linkId: Schema.String },
) {}

/** 409: a pause of an issue that is not InProgress. */
export class NotExecuting extends HttpApiError.Problem<NotExecuting>()(
  "NotExecuting",
  { type: urn("not-executing"), status: 409, title: "Not executing" },
  { detail, issueStatus: Issue.IssueStatus },
) {}

/** 409: a resume of an issue that is not paused. */
export class NotPaused extends HttpApiError.Problem<NotPaused>()(
  "NotPaused",
  { type: urn("not-paused"), status: 409, title: "Not paused" },
  { detail, issueStatus: Issue.IssueStatus },
) {}

/** 409: a turn or finish by a run that no longer holds its issue. */
export class RunEnded extends HttpApiError.Problem<RunEnded>()(
  "RunEnded",
  { type: urn("run-ended"), status: 409, title: "Run ended" },
  { detail, reason: Run.StopReason },
) {}

/** 409: a tool call that cannot be made. */
export class ToolUnavailable extends HttpApiError.Problem<ToolUnavailable>()(
  "ToolUnavailable",
  { type: urn("tool-unavailable"), status: 409, title: "Tool unavailable" },
  { detail, reason: Errors.ToolUnavailableReason },
) {}

/** 409: an installed server's name is in use. */
export class NameTaken extends HttpApiError.Problem<NameTaken>()(
  "NameTaken",
  { type: urn("name-taken"), status: 409, title: "Name taken" },
  { detail },
) {}

/** 409: deleting the last Owner key that has not expired. */
export class LastOwnerKey extends HttpApiError.Problem<LastOwnerKey>()(
  "LastOwnerKey",
  { type: urn("last-owner-key"), status: 409, title: "Last owner key" },
  { detail },
) {}

/** 412: `If-Match` does not match the issue's version. */
export class PreconditionFailed extends HttpApiError.Problem<PreconditionFailed>()(
  "PreconditionFailed",
  { type: urn("precondition-failed"), status: 412, title: "Precondition failed" },
  { detail, version: Schema.Int },
) {}

/** 413: more bytes than allowed. */
export class PayloadTooLarge extends HttpApiError.Problem<PayloadTooLarge>()(
  "PayloadTooLarge",
  { type: urn("payload-too-large"), status: 413, title: "Payload too large" },
  { detail, limitBytes: Schema.Int },
) {}

/** 415: a body of a type that the route does not take. */
export class UnsupportedMediaType extends HttpApiError.Problem<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  { type: urn("unsupported-media-type"), status: 415, title: "Unsupported media type" },
  { detail },
) {}

/** 422: the body names something that does not exist or may not be seen. */
export class UnknownReference extends HttpApiError.Problem<UnknownReference>()(
  "UnknownReference",
  { type: urn("unknown-reference"), status: 422, title: "Unknown reference" },
  { detail, field: Schema.String, id: Schema.String },
) {}

/** 422: an issue linked to itself. */
export class SelfLink extends HttpApiError.Problem<SelfLink>()(
  "SelfLink",
  { type: urn("self-link"), status: 422, title: "Self link" },
  { detail },
) {}

/** 422: one too many. */
export class LimitExceeded extends HttpApiError.Problem<LimitExceeded>()(
  "LimitExceeded",
  { type: urn("limit-exceeded"), status: 422, title: "Limit exceeded" },
  { detail, limit: Schema.Int },
) {}

/** 422: the idempotency key was used for another request. */
export class IdempotencyMismatch extends HttpApiError.Problem<IdempotencyMismatch>()(
  "IdempotencyMismatch",
  { type: urn("idempotency-mismatch"), status: 422, title: "Idempotency mismatch" },
  { detail },
) {}

/** 422: required variables are not supplied, or empty. */
export class MissingEnv extends HttpApiError.Problem<MissingEnv>()(
  "MissingEnv",
  { type: urn("missing-env"), status: 422, title: "Missing variables" },
  { detail, missing: Schema.Array(Schema.String) },
) {}

/** 422: variables that the catalogue's entry does not declare. */
export class UnknownEnv extends HttpApiError.Problem<UnknownEnv>()(
  "UnknownEnv",
  { type: urn("unknown-env"), status: 422, title: "Unknown variables" },
  { detail, unknown: Schema.Array(Schema.String) },
) {}

/** 422: a variable whose value is a path in or above the data directory. */
export class ForbiddenPath extends HttpApiError.Problem<ForbiddenPath>()(
  "ForbiddenPath",
  { type: urn("forbidden-path"), status: 422, title: "Forbidden path" },
  { detail, name: Schema.String },
) {}

/** 422: the runtime that the server needs is not detected. */
export class RuntimeMissing extends HttpApiError.Problem<RuntimeMissing>()(
  "RuntimeMissing",
  { type: urn("runtime-missing"), status: 422, title: "Runtime missing" },
  { detail, runtime: CatalogEntry.Runtime },
) {}

/** 422: the newer version does not verify; nothing changed. */
export class VerificationFailed extends HttpApiError.Problem<VerificationFailed>()(
  "VerificationFailed",
  { type: urn("verification-failed"), status: 422, title: "Verification failed" },
  { detail, verification: InstalledServer.VerifyResult },
) {}

/** 422: a server that cannot be authorized. `reason` says why; `detail` says it in a sentence. */
export class AuthorizationFailed extends HttpApiError.Problem<AuthorizationFailed>()(
  "AuthorizationFailed",
  { type: urn("authorization-failed"), status: 422, title: "Authorization failed" },
  { detail, reason: Errors.AuthorizationFailedReason },
) {}

/** 429: too many requests, or too many failed authentications; with `Retry-After`. */
export class RateLimited extends HttpApiError.Problem<RateLimited>()(
  "RateLimited",
  { type: urn("rate-limited"), status: 429, title: "Rate limited" },
  { detail },
) {}

/** 500: a defect; the log has its cause under the request id. */
export class Internal extends HttpApiError.Problem<Internal>()(
  "Internal",
  { type: urn("internal"), status: 500, title: "Internal error" },
  { detail },
) {}

/** 503: shutting down, storage out of reach, disk full; with `Retry-After`. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  { type: urn("unavailable"), status: 503, title: "Unavailable" },
  { detail },
) {}

/** Any of them. */
export type Problem =
  | InvalidRequest
  | ConfirmationRequired
  | Unauthenticated
  | Forbidden
  | Csrf
  | HttpsRequired
  | NotFound
  | MethodNotAllowed
  | OpenDependents
  | Blocked
  | DependencyCycle
  | LinkExists
  | NotExecuting
  | NotPaused
  | RunEnded
  | ToolUnavailable
  | NameTaken
  | LastOwnerKey
  | PreconditionFailed
  | PayloadTooLarge
  | UnsupportedMediaType
  | UnknownReference
  | SelfLink
  | LimitExceeded
  | IdempotencyMismatch
  | MissingEnv
  | UnknownEnv
  | ForbiddenPath
  | RuntimeMissing
  | VerificationFailed
  | AuthorizationFailed
  | RateLimited
  | Internal
  | Unavailable;
