import { Effect, Option, Schema } from "effect";

/** Refusals that services of every room share. */

/** ": a, b", or nothing for no names. */
export const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `: ${names.join(", ")}`;

/** As `list`, of the first three: a message stays readable. */
export const firstOf = (ids: ReadonlyArray<string>): string => list(ids.slice(0, 3));

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

/** The caller's precondition does not match the present `version`. */
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
