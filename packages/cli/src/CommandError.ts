import { Runtime, Schema } from "effect";

/** Exit codes by the kind of failure. docs/contract/running.md documents them. */
export const exitCodes = {
  usage: 1,
  failed: 1,
  refused: 2,
  notFound: 3,
  unauthenticated: 4,
  unreachable: 5,
} as const;

/**
 * The failure of a command. The command prints the message to stderr and exits with the code of
 * `kind`.
 */
export class CommandError extends Schema.TaggedError<CommandError>()("CommandError", {
  kind: Schema.Literals([
    "usage",
    "failed",
    "refused",
    "notFound",
    "unauthenticated",
    "unreachable",
  ]),
  /** A sentence with the problem and the remedy. It never contains a secret. */
  message: Schema.String,
  /** The slug of the problem; null if the server did not respond. */
  problem: Schema.NullOr(Schema.String),
  /** Seconds after which the same request may succeed; null if a retry cannot succeed. */
  retryAfterSeconds: Schema.NullOr(Schema.Finite),
}) {
  override readonly [Runtime.errorExitCode] = exitCodes[this.kind];
}

/** The error when the command of `quartermaster work` fails. */
export const failed = (message: string) =>
  new CommandError({ kind: "failed", message, problem: null, retryAfterSeconds: null });

export const usage = (message: string) =>
  new CommandError({ kind: "usage", message, problem: null, retryAfterSeconds: null });
