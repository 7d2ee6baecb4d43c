import { CatalogEntry, ErrorClass, Errors, InstalledServer, Timestamp } from "@quartermaster/core";
import { Schema, Struct } from "effect";
import { HttpApiError } from "effect/http-api";

/**
 * Responses with status 400 and above: RFC 9457 problems, `application/problem+json`, one class for
 * each `type`. `fieldsOf` takes the extension members from core's error of the same name.
 */

/** `LastOwnerKey` as `last-owner-key`. */
type Slug<Tag extends string> = Tag extends `${infer First}${infer Rest}`
  ? `${Uncapitalize<First>}${Rest extends Uncapitalize<Rest> ? "" : "-"}${Slug<Rest>}`
  : Tag;

const slugOf = (tag: string) => tag.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();

const detail = Schema.String.annotate({ description: "One sentence that says what to do." });

/** Status, title, and when it occurs. */
const declared = {
  InvalidRequest: [400, "Invalid request", "Malformed JSON, or a value that is not valid."],
  ConfirmationRequired: [400, "Confirmation required", "A deletion without `confirm=true`."],
  Unauthenticated: [401, "Unauthenticated", "No credentials, or wrong, expired or revoked ones."],
  Forbidden: [403, "Forbidden", "The role is too low, or another kind of key is needed."],
  Csrf: [
    403,
    "Cross-site request",
    "A write by session cookie from another origin, or without the session's secret.",
  ],
  HttpsRequired: [
    403,
    "HTTPS required",
    "A call with secrets over a connection that others can read.",
  ],
  NotFound: [
    404,
    "Not found",
    "It does not exist, or is in a project that the caller may not see.",
  ],
  MethodNotAllowed: [405, "Method not allowed", "The path has other methods; see `Allow`."],
  OpenDependents: [409, "Open dependents", "Open dependents forbid the close."],
  Blocked: [409, "Blocked", "An open blocker forbids the change of status."],
  DependencyCycle: [409, "Dependency cycle", "The link would close a cycle of blockers."],
  LinkExists: [409, "Link exists", "The two issues are already linked by this relation."],
  ExternalRefTaken: [
    409,
    "External reference taken",
    "Another issue of the project has the `externalRef`.",
  ],
  NotExecuting: [409, "Not executing", "A pause of an issue that is not InProgress."],
  NotPaused: [409, "Not paused", "A resume of an issue that is not paused."],
  Paused: [409, "Paused", "A change of a paused issue with an agent key."],
  Held: [
    409,
    "Held",
    "A change with an agent key while a run holds the issue that the change does not act for.",
  ],
  QuestionClosed: [
    409,
    "Question closed",
    "An answer to a question that is not open, or a question on an issue that is done.",
  ],
  RunEnded: [
    409,
    "Run ended",
    "A turn, a finish or a change of an issue by a run that no longer holds its issue.",
  ],
  NoRun: [409, "No run", "A call that needs a run, by a caller that holds none."],
  InUse: [409, "In use", "A deletion of what is still used, or a change of what the host brings."],
  ToolUnavailable: [409, "Tool unavailable", "A tool call that cannot be made."],
  NameTaken: [
    409,
    "Name taken",
    "Another installed server has the name, or another catalog entry the id.",
  ],
  LastOwnerKey: [409, "Last owner key", "Deleting the last Owner key that has not expired."],
  PreconditionFailed: [
    412,
    "Precondition failed",
    "`If-Match` does not match the issue's version, or tools are not as they were shown.",
  ],
  PayloadTooLarge: [413, "Payload too large", "The body has more bytes than allowed."],
  UnsupportedMediaType: [
    415,
    "Unsupported media type",
    "The route does not accept this media type.",
  ],
  UnknownReference: [
    422,
    "Unknown reference",
    "The body names something that does not exist or may not be seen.",
  ],
  SelfLink: [422, "Self link", "An issue linked to itself."],
  LimitExceeded: [422, "Limit exceeded", "One item too many."],
  IdempotencyMismatch: [422, "Idempotency mismatch", "The key was used for another request."],
  MissingEnv: [422, "Missing variables", "Required variables are missing or empty."],
  UnknownEnv: [422, "Unknown variables", "Variables that the catalog entry does not declare."],
  ForbiddenPath: [
    422,
    "Forbidden path",
    "The value contains a path in the data directory, is a folder above it or in a file system of the kernel, or would be an option of the program.",
  ],
  RuntimeMissing: [
    422,
    "Runtime missing",
    "The host does not have the runtime that the server needs.",
  ],
  SandboxMissing: [
    422,
    "Sandbox missing",
    "The host does not have the sandbox that the server is to run in.",
  ],
  VerificationFailed: [
    422,
    "Verification failed",
    "The newer version does not verify. Nothing changed.",
  ],
  AuthorizationFailed: [422, "Authorization failed", "The server cannot be authorized."],
  RateLimited: [
    429,
    "Rate limited",
    "Too many requests or failed authentications. See `Retry-After`.",
  ],
  Internal: [
    500,
    "Internal error",
    "An unexpected error. The log has its cause under the request id.",
  ],
  Unavailable: [503, "Unavailable", "Shutting down, or storage is unavailable. See `Retry-After`."],
} as const;
type Declared = typeof declared;

type Class<
  Self,
  Tag extends keyof Declared,
  Fields extends Schema.Struct.Fields,
> = HttpApiError.ProblemClass<
  Self,
  Tag,
  `urn:quartermaster:problem:${Slug<Tag>}`,
  Declared[Tag][0],
  Fields & { readonly detail: typeof detail },
  {}
>;

const problem =
  <Self>() =>
  <const Tag extends keyof Declared, const Fields extends Schema.Struct.Fields = {}>(
    tag: Tag,
    fields?: Fields,
  ): Class<Self, Tag, Fields> => {
    const [status, title, description] = declared[tag];
    const type = `urn:quartermaster:problem:${slugOf(tag)}`;
    const members = { detail, ...fields };
    const Problem = HttpApiError.Problem<Error>()(tag, { type, status, title }, members, {
      description,
    });
    ErrorClass.printAsError(Problem.prototype, members);
    // TypeScript cannot know that `Self` is the class that extends this one.
    return Problem as unknown as Class<Self, Tag, Fields>;
  };

/** The fields of core's error of the same name. */
const fieldsOf = <Fields extends { readonly _tag: unknown }>(error: { readonly fields: Fields }) =>
  Struct.omit(error.fields, ["_tag"]);

export class InvalidRequest extends problem<InvalidRequest>()(
  "InvalidRequest",
  fieldsOf(Errors.InvalidRequest),
) {}
export class ConfirmationRequired extends problem<ConfirmationRequired>()("ConfirmationRequired") {}
export class Unauthenticated extends problem<Unauthenticated>()("Unauthenticated") {}
export class Forbidden extends problem<Forbidden>()("Forbidden", fieldsOf(Errors.Forbidden)) {}
export class Csrf extends problem<Csrf>()("Csrf") {}
export class HttpsRequired extends problem<HttpsRequired>()("HttpsRequired") {}
export class NotFound extends problem<NotFound>()("NotFound", fieldsOf(Errors.NotFound)) {}
export class MethodNotAllowed extends problem<MethodNotAllowed>()("MethodNotAllowed") {}
export class OpenDependents extends problem<OpenDependents>()(
  "OpenDependents",
  fieldsOf(Errors.OpenDependents),
) {}
export class Blocked extends problem<Blocked>()("Blocked", fieldsOf(Errors.Blocked)) {}
export class DependencyCycle extends problem<DependencyCycle>()(
  "DependencyCycle",
  fieldsOf(Errors.DependencyCycle),
) {}
export class LinkExists extends problem<LinkExists>()("LinkExists", fieldsOf(Errors.LinkExists)) {}
export class ExternalRefTaken extends problem<ExternalRefTaken>()(
  "ExternalRefTaken",
  fieldsOf(Errors.ExternalRefTaken),
) {}
export class NotExecuting extends problem<NotExecuting>()(
  "NotExecuting",
  fieldsOf(Errors.NotExecuting),
) {}
export class NotPaused extends problem<NotPaused>()("NotPaused", fieldsOf(Errors.NotPaused)) {}
export class Paused extends problem<Paused>()("Paused") {}
export class Held extends problem<Held>()("Held", fieldsOf(Errors.Held)) {}
export class QuestionClosed extends problem<QuestionClosed>()(
  "QuestionClosed",
  fieldsOf(Errors.QuestionClosed),
) {}
export class RunEnded extends problem<RunEnded>()("RunEnded", fieldsOf(Errors.RunEnded)) {}
export class NoRun extends problem<NoRun>()("NoRun") {}
export class InUse extends problem<InUse>()("InUse") {}
export class ToolUnavailable extends problem<ToolUnavailable>()("ToolUnavailable", {
  reason: Errors.ToolUnavailableReason.annotateKey({
    description: "Why the tool cannot be called.",
  }),
  since: Schema.optionalKey(Timestamp.Timestamp).annotateKey({
    description: "Since when the server cannot be reached, if it cannot.",
  }),
  retryAt: Schema.optionalKey(Schema.NullOr(Timestamp.Timestamp)).annotateKey({
    description:
      "Beside `since`: when the service tries the server again automatically; null if it does not, or with the next call.",
  }),
}) {}
export class NameTaken extends problem<NameTaken>()("NameTaken") {}
export class LastOwnerKey extends problem<LastOwnerKey>()("LastOwnerKey") {}
export class PreconditionFailed extends problem<PreconditionFailed>()(
  "PreconditionFailed",
  fieldsOf(Errors.PreconditionFailed),
) {}
export class PayloadTooLarge extends problem<PayloadTooLarge>()(
  "PayloadTooLarge",
  fieldsOf(Errors.PayloadTooLarge),
) {}
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()("UnsupportedMediaType") {}
export class UnknownReference extends problem<UnknownReference>()(
  "UnknownReference",
  fieldsOf(Errors.UnknownReference),
) {}
export class SelfLink extends problem<SelfLink>()("SelfLink") {}
export class LimitExceeded extends problem<LimitExceeded>()(
  "LimitExceeded",
  fieldsOf(Errors.LimitExceeded),
) {}
export class IdempotencyMismatch extends problem<IdempotencyMismatch>()("IdempotencyMismatch") {}
export class MissingEnv extends problem<MissingEnv>()("MissingEnv", fieldsOf(Errors.MissingEnv)) {}
export class UnknownEnv extends problem<UnknownEnv>()("UnknownEnv", fieldsOf(Errors.UnknownEnv)) {}
export class ForbiddenPath extends problem<ForbiddenPath>()("ForbiddenPath", {
  name: Schema.String.annotate({ description: "The variable's name." }),
}) {}
export class RuntimeMissing extends problem<RuntimeMissing>()("RuntimeMissing", {
  runtime: CatalogEntry.Runtime.annotateKey({ description: "The runtime that the server needs." }),
}) {}
export class SandboxMissing extends problem<SandboxMissing>()("SandboxMissing", {
  sandbox: Schema.String.annotateKey({ description: "The sandbox that the host does not have." }),
}) {}
export class VerificationFailed extends problem<VerificationFailed>()("VerificationFailed", {
  verification: InstalledServer.VerifyResult.annotateKey({
    description: "What the verification found.",
  }),
}) {}
export class AuthorizationFailed extends problem<AuthorizationFailed>()("AuthorizationFailed", {
  reason: Errors.AuthorizationFailedReason.annotateKey({
    description: "Why the server cannot be authorized.",
  }),
}) {}
export class RateLimited extends problem<RateLimited>()("RateLimited") {}
export class Internal extends problem<Internal>()("Internal") {}
export class Unavailable extends problem<Unavailable>()("Unavailable") {}
