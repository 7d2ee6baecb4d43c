import type { Finish } from "@quartermaster/client";

/**
 * The end of a command:
 * - `exited`: with a code, or by a signal that the runner did not send;
 * - `missing`: it could not be started;
 * - `timedOut`: after `--timeout`;
 * - `halted`: the runner stops its commands, because no command can succeed now;
 * - `interrupted`: the runner shuts down or could not renew the lease.
 */
export type End =
  | { readonly kind: "exited"; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "timedOut" }
  | { readonly kind: "halted" }
  | { readonly kind: "interrupted" };

/** The last output of a command. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  /** The format of stdout. stderr is always text. */
  readonly format: "text" | "markdown";
}

/** EX_TEMPFAIL of sysexits.h: a temporary failure, to be retried later. */
const tryLater = 75;

const sentence = (end: End): string => {
  if (end.kind === "timedOut") return "The command did not finish in time.";
  if (end.kind === "missing") return `The command could not be started: ${end.reason}.`;
  if (end.kind === "interrupted" || end.kind === "halted") return "The runner stopped the command.";
  if (end.signal !== null) return `The command was killed by ${end.signal}.`;
  return `The command exited with ${end.code ?? "no code"}.`;
};

/** A code block with a fence longer than any run of backticks in the text. */
const codeBlock = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${text}\n${fence}`;
};

const stdoutOf = ({ format, stdout }: Output): string =>
  stdout === "" || format === "markdown" ? stdout : codeBlock(stdout);

/**
 * The report on a command: a sentence, then the end of stderr, or the end of stdout if stderr is
 * empty.
 */
const report = (sentence: string, output: Output): string => {
  const shown = output.stderr === "" ? stdoutOf(output) : codeBlock(output.stderr);
  return [sentence, shown].filter((text) => text !== "").join("\n\n");
};

const isEmpty = ({ stderr, stdout }: Output) => stdout === "" && stderr === "";

/** The comment on a command that was stopped; null if the command wrote nothing. */
export const ofStop = (reason: string, output: Output): string | null =>
  isEmpty(output) ? null : report(`The command was stopped (${reason}).`, output);

/** The outcome to hand in, derived from how the command ended and from its output. */
export const of = (end: End, output: Output, onSuccess: "review" | "resolved"): Finish => {
  if (end.kind === "interrupted" || end.kind === "halted") {
    const comment = isEmpty(output) ? null : report(sentence(end), output);
    return {
      outcome: "released",
      comment,
      ...(end.kind === "halted" ? { keepAttempts: true } : {}),
    };
  }
  const exitCode = end.kind === "exited" ? end.code : null;
  if (exitCode === 0) {
    return { outcome: onSuccess, comment: stdoutOf(output) || null, exitCode };
  }
  if (exitCode === tryLater) {
    return { outcome: "released", retryAfterSeconds: 60, exitCode };
  }
  return { outcome: "failed", retry: true, comment: report(sentence(end), output), exitCode };
};
