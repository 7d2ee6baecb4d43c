import { Schema } from "effect";

/** Why the server does not start: one sentence for who started it. It never tells a secret. */
export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  message: Schema.String,
}) {}
