import { Option } from "effect";

/** The settings of a server in flags. */

export interface Flags {
  readonly maxResultBytes: Option.Option<number>;
  readonly idle: Option.Option<number>;
  readonly callTimeout: Option.Option<number>;
  readonly callMax: Option.Option<number>;
  readonly once: ReadonlyArray<string>;
  readonly onceErrors: Option.Option<"retry" | "unknown">;
  readonly settle: Option.Option<"agent" | "person">;
  readonly sendContext: Option.Option<boolean>;
  readonly recordCalls: Option.Option<"none" | "errors" | "all">;
}

/** The rules in the flags `--once`: `TOOL`, or `TOOL=/pointer,/pointer`. */
const rulesOf = (flags: ReadonlyArray<string>) => {
  if (flags.length === 0) return undefined;
  if (flags.join() === "none") return [];
  return flags.map((flag) => {
    const at = flag.indexOf("=/");
    return at < 0
      ? { tools: [flag] }
      : { tools: [flag.slice(0, at)], by: flag.slice(at + 1).split(/,(?=\/)/) };
  });
};

export const of = ({
  callMax,
  callTimeout,
  idle,
  maxResultBytes,
  once,
  onceErrors,
  recordCalls,
  sendContext,
  settle,
}: Flags) => ({
  maxResultBytes: Option.getOrUndefined(maxResultBytes),
  idleSeconds: Option.getOrUndefined(idle),
  callTimeoutSeconds: Option.getOrUndefined(callTimeout),
  callMaxSeconds: Option.getOrUndefined(callMax),
  once: rulesOf(once),
  onceErrors: Option.getOrUndefined(onceErrors),
  settle: Option.getOrUndefined(settle),
  sendContext: Option.getOrUndefined(sendContext),
  recordCalls: Option.getOrUndefined(recordCalls),
});
