import type { Finish } from "@quartermaster/client";

/**
 * How a command ended:
 * - `exited`, with a code or by a signal that the runner did not send;
 * - `missing`, because it could not be started;
 * - `timedOut`, after `--timeout`;
 * - `interrupted`, because the runner shuts down or could not renew the lease.
 */
export type End =
  | { readonly kind: "exited"; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "timedOut" }
  | { readonly kind: "interrupted" };

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** EX_TEMPFAIL of sysexits.h: not now, try again later. */
const tryLater = 75;

const sentence = (end: Exclude<End, { kind: "interrupted" }>): string => {
  if (end.kind === "timedOut") return "The command did not finish in time.";
  if (end.kind === "missing") return `The command could not be started: ${end.reason}.`;
  if (end.signal !== null) return `The command was killed by ${end.signal}.`;
  return `The command exited with ${end.code ?? "no code"}.`;
};

/** How the run is handed in. */
export const of = (end: End, output: Output, onSuccess: "review" | "resolved"): Finish => {
  if (end.kind === "interrupted") return { outcome: "released" };
  if (end.kind === "exited" && end.code === 0) {
    return { outcome: onSuccess, comment: output.stdout === "" ? null : output.stdout };
  }
  if (end.kind === "exited" && end.code === tryLater) {
    return { outcome: "released", retryAfterSeconds: 60 };
  }
  const comment = [sentence(end), output.stderr].filter((text) => text !== "").join("\n\n");
  return { outcome: "failed", retry: true, comment };
};
