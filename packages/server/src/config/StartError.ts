import { Schema } from "effect";

/**
 * The reason why the server does not start: one sentence for the operator. It never contains a
 * secret.
 */
export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  message: Schema.String,
}) {}
