import { Runtime, Schema } from "effect";

/** Why a command did not succeed. Each has the exit code of the same line in docs/contract/running.md. */
export const exitCodes = {
  usage: 1,
  failed: 1,
  refused: 2,
  notFound: 3,
  unauthenticated: 4,
  unreachable: 5,
} as const;

/** The message that a command prints to stderr before it exits with the code of `kind`. */
export class CommandError extends Schema.TaggedError<CommandError>()("CommandError", {
  kind: Schema.Literals([
    "usage",
    "failed",
    "refused",
    "notFound",
    "unauthenticated",
    "unreachable",
  ]),
  /** A sentence that says what happened and what to do. It never contains a secret. */
  message: Schema.String,
  /** The slug of the problem; null without a response. */
  problem: Schema.NullOr(Schema.String),
  /** Seconds after which the same request may succeed; null if repeating it is useless. */
  retryAfterSeconds: Schema.NullOr(Schema.Finite),
}) {
  override readonly [Runtime.errorExitCode] = exitCodes[this.kind];
}

/** The command that `quartermaster work` ran failed. */
export const failed = (message: string) =>
  new CommandError({ kind: "failed", message, problem: null, retryAfterSeconds: null });

export const usage = (message: string) =>
  new CommandError({ kind: "usage", message, problem: null, retryAfterSeconds: null });
