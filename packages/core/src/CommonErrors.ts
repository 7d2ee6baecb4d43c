import { Effect, Option, Schema } from "effect";
import { ErrorClass, integer, text } from "./ErrorClass.ts";

/** Errors that services of every room fail with. */

/** ": a, b", or nothing without names. */
export const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `: ${names.join(", ")}`;

/** As `list`, of the first three names, so that a message stays readable. */
export const firstOf = (ids: ReadonlyArray<string>): string => list(ids.slice(0, 3));

const InvalidValue = Schema.Struct({
  path: text("Where the value is, dot-separated; empty for the whole request."),
  message: text("What is wrong with the value, as a sentence."),
});

/** Values that fail their schema. */
export class InvalidRequest extends ErrorClass<InvalidRequest>()(
  "InvalidRequest",
  {
    errors: Schema.Array(InvalidValue).annotate({ description: "Every value that is not valid." }),
  },
  ({ errors }) =>
    errors.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join(" "),
) {
  /** The error of one value. */
  static at(path: string, message: string): InvalidRequest {
    return new InvalidRequest({ errors: [{ path, message }] });
  }
}

/** A deletion without confirmation. */
export class ConfirmationRequired extends ErrorClass<ConfirmationRequired>()(
  "ConfirmationRequired",
  {},
  () => "Confirm the deletion: it cannot be undone.",
) {}

/** The resource does not exist, or is in a project that the principal may not see. */
export class NotFound extends ErrorClass<NotFound>()(
  "NotFound",
  {
    resource: text("The kind of resource, such as `issue`."),
    id: Schema.NullOr(Schema.String).annotate({
      description: "The id that was not found; null for an unknown path.",
    }),
  },
  ({ id, resource }) =>
    id === null
      ? `There is no such ${resource}.`
      : `Check the id: there is no ${resource} ${id} that you may see.`,
) {}

/** What the caller saw is no longer current: the version of an issue, or definitions of tools. */
export class PreconditionFailed extends ErrorClass<PreconditionFailed>()(
  "PreconditionFailed",
  {
    version: Schema.NullOr(Schema.Int).annotate({
      description: "The issue's current version; null for tools.",
    }),
    names: Schema.NullOr(Schema.Array(Schema.String)).annotate({
      description: "The first 100 tools whose definition differs; null for an issue.",
    }),
  },
  ({ names, version }) =>
    version === null
      ? `Read the server's tools again and repeat the change: they are no longer as they were shown${firstOf(names ?? [])}.`
      : `Read the issue again and repeat the change: it is at version ${version} now.`,
) {}

/** A field names something that does not exist or that the principal may not see. */
export class UnknownReference extends ErrorClass<UnknownReference>()(
  "UnknownReference",
  {
    field: text("The field that has the unknown id."),
    id: text("The unknown id."),
  },
  ({ field }) => `Set \`${field}\` to an id that exists and that you may see.`,
) {}

/** One item too many. */
export class LimitExceeded extends ErrorClass<LimitExceeded>()(
  "LimitExceeded",
  { limit: integer("How many items there may be.") },
  ({ limit }) => `Remove one first: the limit is ${limit}.`,
) {}

/** More bytes than allowed. */
export class PayloadTooLarge extends ErrorClass<PayloadTooLarge>()(
  "PayloadTooLarge",
  { limitBytes: integer("How many bytes may be sent.") },
  ({ limitBytes }) => `Send at most ${limitBytes} bytes.`,
) {}

/** The idempotency key belongs to another request. */
export class IdempotencyMismatch extends ErrorClass<IdempotencyMismatch>()(
  "IdempotencyMismatch",
  {},
  () => "Use a new Idempotency-Key: this one was used for another request.",
) {}

/**
 * Storage failed and nothing of the change was stored. `isRetryable` says whether the same call may
 * succeed later (storage busy, disk full); `reason` is for the log.
 */
export class StorageError extends ErrorClass<StorageError>()(
  "StorageError",
  {
    reason: Schema.String,
    isRetryable: Schema.Boolean,
    cause: Schema.optionalKey(Schema.Defect()),
  },
  ({ reason }) => reason,
) {}

/** The value that `find` returns, or the failure `NotFound`. */
export const getOrNotFound = <A, E, R>(
  resource: string,
  id: string,
  find: Effect.Effect<Option.Option<A>, E, R>,
): Effect.Effect<A, E | NotFound, R> =>
  Effect.flatMap(find, (value) =>
    Option.isSome(value)
      ? Effect.succeed(value.value)
      : Effect.fail(new NotFound({ resource, id })),
  );
