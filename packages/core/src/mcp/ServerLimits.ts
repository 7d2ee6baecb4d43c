import { Schema } from "effect";

/** The limits of an installed server, which its install and its updates set. */

export interface ServerLimits {
  readonly maxResultBytes: number;
  readonly idleSeconds: number;
  /** Null: `McpOptions.toolSeconds`. */
  readonly callTimeoutSeconds: number | null;
  readonly callMaxSeconds: number;
}

/** The default of `callMaxSeconds`. */
const hour = 3_600;
const maxResultBytes = 32 * 1024 * 1024;
const maxIdleSeconds = 31_536_000;
const day = 86_400;

const limit = (minimum: number, maximum: number, description: string) =>
  Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum, maximum }))),
  ).annotateKey({ description });

/** The limits in the body of a request. */
export const fields = {
  maxResultBytes: limit(
    1,
    maxResultBytes,
    "The largest result of a call, 1 to 33,554,432 bytes. A larger result is replaced with a result with `isError` that reports the size. Null: 4,194,304, the default.",
  ),
  idleSeconds: limit(
    0,
    maxIdleSeconds,
    "The time after which an unused connection is closed, 0 to 31,536,000 seconds; 0: never. Null: 300, the default.",
  ),
  callTimeoutSeconds: limit(
    1,
    hour,
    "The time after which a call without progress ends, 1 to 3,600 seconds. Null: the default of the service, which its operator sets (60).",
  ),
  callMaxSeconds: limit(
    1,
    day,
    "The time after which a call ends even with progress, 1 to 86,400 seconds. Null: 3,600, the default.",
  ),
};

/** The limits of a server in responses. */
export const rendered = {
  maxResultBytes: Schema.Int.annotateKey({
    description:
      "The largest result of a call, in bytes. A larger result is replaced with a result with `isError` that reports the size.",
  }),
  idleSeconds: Schema.Int.annotateKey({
    description: "The time after which an unused connection is closed, in seconds; 0: never.",
  }),
  callTimeoutSeconds: Schema.NullOr(Schema.Int).annotateKey({
    description:
      "The time after which a call without progress ends, in seconds; null for the default of the service.",
  }),
  callMaxSeconds: Schema.Int.annotateKey({
    description: "The time after which a call ends even with progress, in seconds.",
  }),
  warnings: Schema.Array(Schema.String).annotateKey({
    description: "Effects of the settings that an Admin may not expect; empty if there are none.",
  }),
};

type Given = { readonly [K in keyof ServerLimits]?: number | null };

/** The limits after a change: an omitted limit keeps its value, and null restores the default. */
export const change = (
  given: Given,
  current: ServerLimits | null,
  options: Pick<ServerLimits, "idleSeconds" | "maxResultBytes">,
): ServerLimits => {
  const { idleSeconds, maxResultBytes } = options;
  const defaults = {
    maxResultBytes,
    idleSeconds,
    callTimeoutSeconds: null,
    callMaxSeconds: hour,
  };
  const of = <K extends keyof ServerLimits>(name: K) =>
    given[name] === undefined ? (current ?? defaults)[name] : (given[name] ?? defaults[name]);
  return {
    maxResultBytes: of("maxResultBytes"),
    idleSeconds: of("idleSeconds"),
    callTimeoutSeconds: of("callTimeoutSeconds"),
    callMaxSeconds: of("callMaxSeconds"),
  };
};

/** The limits of a server without its other fields. */
export const of = ({
  callMaxSeconds,
  callTimeoutSeconds,
  idleSeconds,
  maxResultBytes,
}: ServerLimits): ServerLimits => ({
  maxResultBytes,
  idleSeconds,
  callTimeoutSeconds,
  callMaxSeconds,
});

export const isEqual = (a: ServerLimits, b: ServerLimits): boolean =>
  JSON.stringify(of(a)) === JSON.stringify(of(b));

/** The limit that `plugins/` sets in the hosts which have one. */
const hostSeconds = 600;

export const warnings = ({ callTimeoutSeconds }: ServerLimits): ReadonlyArray<string> =>
  callTimeoutSeconds === null || callTimeoutSeconds <= hostSeconds
    ? []
    : [
        `callTimeoutSeconds is ${callTimeoutSeconds}, but Claude Code, Codex, Gemini CLI and opencode cancel a call after ${hostSeconds} seconds. Raise the limit in their configuration of this service too.`,
      ];

/** The time limits of a call in milliseconds: without progress, and in all. */
export const times = (
  { callMaxSeconds, callTimeoutSeconds }: ServerLimits,
  toolSeconds: number,
): { readonly timeoutMillis: number; readonly maxMillis: number } => ({
  timeoutMillis: (callTimeoutSeconds ?? toolSeconds) * 1_000,
  maxMillis: callMaxSeconds * 1_000,
});
