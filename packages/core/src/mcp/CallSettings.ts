import { Schema } from "effect";
import type { CatalogEntry } from "./CatalogEntry.ts";
import { Recorded } from "./ToolCall.ts";

/** The settings of an installed server that say what its requests and the records of its calls contain. */

export interface CallSettings {
  /** Whether requests to the server name their call and have the caller's trace. */
  readonly sendContext: boolean;
  readonly recordCalls: Recorded;
}

const sendContext =
  "Whether requests to the server have `quartermaster/call` (whose call it is) and the caller's `traceparent`, `tracestate` and `baggage` in `_meta`.";
const recordCalls =
  "The parts of the server's calls that are recorded: `none` for outcomes only, `errors` for texts of errors too, `all` for arguments and results too.";

/** The settings in the body of a request. */
export const fields = {
  sendContext: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description: `${sendContext} Null: true for a server by stdio and false for a remote server, the default.`,
  }),
  recordCalls: Schema.optionalKey(Schema.NullOr(Recorded)).annotateKey({
    description: `${recordCalls} Null: \`errors\`, the default.`,
  }),
};

/** The settings of a server in responses. */
export const rendered = {
  sendContext: Schema.Boolean.annotateKey({ description: sendContext }),
  recordCalls: Recorded.annotateKey({ description: recordCalls }),
};

type Given = { readonly [K in keyof CallSettings]?: CallSettings[K] | null };

/** The settings of a server without its other fields. */
export const of = ({ recordCalls, sendContext }: CallSettings): CallSettings => ({
  sendContext,
  recordCalls,
});

/** The settings after a change: an omitted setting keeps its value, and null restores the default. */
export const change = (
  given: Given,
  current: CallSettings | null,
  { transport }: Pick<CatalogEntry, "transport">,
): CallSettings => {
  const defaults: CallSettings = { sendContext: transport === "stdio", recordCalls: "errors" };
  const value = <K extends keyof CallSettings>(name: K): CallSettings[K] =>
    given[name] === undefined ? (current ?? defaults)[name] : (given[name] ?? defaults[name]);
  return { sendContext: value("sendContext"), recordCalls: value("recordCalls") };
};

export const isEqual = (a: CallSettings, b: CallSettings): boolean =>
  a.sendContext === b.sendContext && a.recordCalls === b.recordCalls;
