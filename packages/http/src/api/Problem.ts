import { CatalogEntry, ErrorClass, Errors, InstalledServer, Timestamp } from "@quartermaster/core";
import { Schema, Struct } from "effect";
import { HttpApiError } from "effect/http-api";
import { declared } from "./ProblemTypes.ts";

/**
 * Responses with status 400 and above: RFC 9457 problems in `application/problem+json`, one class
 * per `type`. `fieldsOf` copies the extension members from core's error of the same name.
 */

/** Converts `LastOwnerKey` to `last-owner-key`. */
type Slug<Tag extends string> = Tag extends `${infer First}${infer Rest}`
  ? `${Uncapitalize<First>}${Rest extends Uncapitalize<Rest> ? "" : "-"}${Slug<Rest>}`
  : Tag;

const slugOf = (tag: string) => tag.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase();

const detail = Schema.String.annotate({ description: "What happened, and what to do about it." });

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

/** The fields of the core error with the same name. */
const fieldsOf = <Fields extends { readonly _tag: unknown }>(error: { readonly fields: Fields }) =>
  Struct.omit(error.fields, ["_tag"]);

export class InvalidRequest extends problem<InvalidRequest>()(
  "InvalidRequest",
  fieldsOf(Errors.InvalidRequest),
) {}
export class ConfirmationRequired extends problem<ConfirmationRequired>()("ConfirmationRequired") {}
export class Unauthenticated extends problem<Unauthenticated>()("Unauthenticated") {}
export class Forbidden extends problem<Forbidden>()("Forbidden", {
  requiredRole: Errors.Forbidden.fields.requiredRole,
}) {}
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
export class Exists extends problem<Exists>()("Exists") {}
export class CommentFixed extends problem<CommentFixed>()("CommentFixed") {}
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
export class RotationOpen extends problem<RotationOpen>()("RotationOpen") {}
export class DeliveryPending extends problem<DeliveryPending>()("DeliveryPending") {}
export class LogGap extends problem<LogGap>()("LogGap", fieldsOf(Errors.LogGap)) {}
export class UsageKey extends problem<UsageKey>()("UsageKey", fieldsOf(Errors.UsageKey)) {}
export class EffectOpen extends problem<EffectOpen>()("EffectOpen", fieldsOf(Errors.EffectOpen)) {}
export class EffectSettled extends problem<EffectSettled>()(
  "EffectSettled",
  fieldsOf(Errors.EffectSettled),
) {}
export class NoRun extends problem<NoRun>()("NoRun", fieldsOf(Errors.NoRun)) {}
export class InUse extends problem<InUse>()("InUse") {}
export class ToolUnavailable extends problem<ToolUnavailable>()("ToolUnavailable", {
  reason: Errors.ToolUnavailableReason.annotateKey({
    description: "The reason why the tool cannot be called.",
  }),
  runId: Schema.optionalKey(Schema.String).annotateKey({
    description: "With `runEnded`: the run that the call acted for.",
  }),
  callId: Schema.optionalKey(Schema.String).annotateKey({
    description: "With `effectUnknown`: the call whose reply was lost.",
  }),
  since: Schema.optionalKey(Timestamp.Timestamp).annotateKey({
    description: "The time since which the server cannot be reached; missing if it can.",
  }),
  retryAt: Schema.optionalKey(Schema.NullOr(Timestamp.Timestamp)).annotateKey({
    description:
      "Present with `since`: the time of the next automatic attempt; null if there is none, or if the next call tries again.",
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
    description: "The result of the verification.",
  }),
}) {}
export class AuthorizationFailed extends problem<AuthorizationFailed>()("AuthorizationFailed", {
  reason: Errors.AuthorizationFailedReason.annotateKey({
    description: "The reason why the server cannot be authorized.",
  }),
}) {}
export class RateLimited extends problem<RateLimited>()("RateLimited") {}
export class Internal extends problem<Internal>()("Internal") {}
export class Unavailable extends problem<Unavailable>()("Unavailable") {}
