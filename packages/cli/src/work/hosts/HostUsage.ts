import { createHash } from "node:crypto";
import type { UsageReport } from "@quartermaster/client";

/** The tokens and the cost that hosts report, as reports of usage. */

/** The numbers of a host. Caches are not part of `input`, and reasoning is not part of `output`. */
export interface Numbers {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly reasoning?: unknown;
  readonly requests?: unknown;
  /** In US dollars. */
  readonly cost?: unknown;
}

/** A report without its source. The service knows a repeated report by its `key`. */
export interface HostUsage extends Omit<UsageReport, "source" | "cumulative" | "session"> {
  /** Whether the numbers are the totals of the host's session, over all its processes. */
  readonly isTotal: boolean;
}

const most = 10_000_000_000;

/** A number that the service accepts: a host that prints another one must not fail the hand-in. */
const whole = (value: unknown): number =>
  typeof value === "number" && value > 0 ? Math.min(Math.round(value), most) : 0;

/** The text if it fits into a report, and its hash otherwise. */
const fitting = (text: string, length: number): string =>
  text.length <= length && text !== "" ? text : hashOf(text);

export const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 32);

export const usageOf = (
  key: string,
  model: string,
  numbers: Numbers,
  isTotal = false,
): HostUsage => {
  const cacheReadTokens = whole(numbers.cacheRead);
  const cacheWriteTokens = whole(numbers.cacheWrite);
  const reasoningTokens = whole(numbers.reasoning);
  const { cost, requests } = numbers;
  return {
    key: fitting(key, 64),
    model: fitting(model.trim().toWellFormed(), 200),
    inputTokens: whole(numbers.input) + cacheReadTokens + cacheWriteTokens,
    outputTokens: whole(numbers.output) + reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    ...(typeof requests === "number" ? { requests: whole(requests) } : {}),
    ...(typeof cost === "number" ? { costMicros: whole(cost * 1e6) } : {}),
    isTotal,
  };
};

/**
 * The report for the service. The session's id stays on this machine: the report has a hash of it. Totals of an unknown
 * session are left out.
 */
export const reportOf = (
  { isTotal, ...usage }: HostUsage,
  session: string | undefined,
): UsageReport | null => {
  if (!isTotal) return { ...usage, source: "runner" };
  if (session === undefined) return null;
  return { ...usage, source: "runner", cumulative: true, session: hashOf(session) };
};

/** The model that the user's arguments name. */
export const modelIn = (args: ReadonlyArray<string>): string | undefined => {
  const at = args.findIndex((arg) => arg === "-m" || arg === "--model");
  const joined = args.find((arg) => arg.startsWith("--model="));
  return joined?.slice("--model=".length) || (at < 0 ? undefined : args[at + 1]) || undefined;
};
