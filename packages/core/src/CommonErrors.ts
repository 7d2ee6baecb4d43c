import { Effect, Option, Schema } from "effect";
import { ErrorClass, integer, text } from "./ErrorClass.ts";

/** Errors of the services of every room. */

/** The names as ": a, b"; empty without names. */
export const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `: ${names.join(", ")}`;

/** The first three names, in the form of `list`, so that a message stays readable. */
export const firstOf = (ids: ReadonlyArray<string>): string => list(ids.slice(0, 3));

const InvalidValue = Schema.Struct({
  path: text("The path of the value, dot-separated; empty for the whole request."),
  message: text("The reason why the value is invalid."),
});

/** Values that fail their schema. */
export class InvalidRequest extends ErrorClass<InvalidRequest>()(
  "InvalidRequest",
  {
    errors: Schema.Array(InvalidValue).annotate({ description: "Every invalid value." }),
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
export class ConfirmationRequired
  extends /* @__PURE__ */ ErrorClass<ConfirmationRequired>()(
    "ConfirmationRequired",
    {},
    () => "A deletion cannot be undone. Confirm it.",
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
      ? `There is no such ${resource}. Check the path.`
      : `The ${resource} ${id} does not exist, or you may not see it. Check the id.`,
) {}

/** The version of an issue or comment, or the definitions of tools, changed after the caller read them. */
export class PreconditionFailed extends ErrorClass<PreconditionFailed>()(
  "PreconditionFailed",
  {
    version: Schema.NullOr(Schema.Int).annotate({
      description: "The current version of the issue or comment; null for tools.",
    }),
    names: Schema.NullOr(Schema.Array(Schema.String)).annotate({
      description: "The first 100 tools whose definition differs; null for an issue or comment.",
    }),
  },
  ({ names, version }) =>
    version === null
      ? `The server's tools changed after they were shown${firstOf(names ?? [])}. Read them again and repeat the change.`
      : `It changed, and its version is ${version} now. Read it again and repeat the change.`,
) {}

/** A field names something that does not exist or that the principal may not see. */
export class UnknownReference extends ErrorClass<UnknownReference>()(
  "UnknownReference",
  {
    field: text("The field with the unknown id."),
    id: text("The unknown id."),
  },
  ({ field }) => `The id in \`${field}\` does not exist, or you may not see it. Use another id.`,
) {}

/** The limit for items of this kind is reached. */
export class LimitExceeded extends ErrorClass<LimitExceeded>()(
  "LimitExceeded",
  { limit: integer("The largest number of items.") },
  ({ limit }) => `The limit of ${limit} is reached. Remove one first.`,
) {}

/** The body exceeds the size limit. */
export class PayloadTooLarge extends ErrorClass<PayloadTooLarge>()(
  "PayloadTooLarge",
  { limitBytes: integer("The largest number of bytes.") },
  ({ limitBytes }) => `The body is too large. Send at most ${limitBytes} bytes.`,
) {}

/** The idempotency key belongs to another request. */
export class IdempotencyMismatch
  extends /* @__PURE__ */ ErrorClass<IdempotencyMismatch>()(
    "IdempotencyMismatch",
    {},
    () => "This Idempotency-Key was used for another request. Use a new one.",
  ) {}

/**
 * Storage failed and nothing of the change was stored. `isRetryable`: whether the same call may
 * succeed later (storage busy, disk full). `reason` is for the log.
 */
export class StorageError
  extends /* @__PURE__ */ ErrorClass<StorageError>()(
    "StorageError",
    {
      reason: Schema.String,
      isRetryable: Schema.Boolean,
      cause: Schema.optionalKey(Schema.Defect()),
    },
    ({ reason }) => reason,
  ) {}

/** The value that `find` returns. Fails with `NotFound` if there is none. */
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
