import { Context } from "effect";

/** The trace of the caller's request, as W3C Trace Context and Baggage write it. */
export interface Trace {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The trace that the present call belongs to. The roads provide it; servers receive it in `_meta`. */
export const CurrentTrace = Context.Reference<Trace>("@quartermaster/core/mcp/CurrentTrace", {
  defaultValue: () => ({}),
});

const names = ["traceparent", "tracestate", "baggage"] as const;

/** Longer values are left out, so that a caller cannot make a request to a server large. */
const maxLength = 8_192;

/** The trace in headers or in `_meta`. */
export const of = (members: Readonly<Record<string, unknown>> | undefined): Trace => {
  const found: { -readonly [K in keyof Trace]: Trace[K] } = {};
  for (const name of names) {
    const value = members?.[name];
    if (typeof value === "string" && value !== "" && value.length <= maxLength) found[name] = value;
  }
  return found;
};
