/** A problem, or a condition that may become one. */
export interface Finding {
  /** The name of the check. */
  readonly check: Check;
  /** `error`: the service does not work, or data is at risk. `warning`: a person has to act. */
  readonly severity: "error" | "warning";
  /** The problem, in one sentence. */
  readonly message: string;
  /** The command that fixes it. */
  readonly fix: string;
}

export const checks = [
  "configuration",
  "permissions",
  "disk",
  "integrity",
  "attachments",
  "clock",
  "runtimes",
  "secrets",
  "work",
  "processes",
  "webhooks",
] as const;
export type Check = (typeof checks)[number];
