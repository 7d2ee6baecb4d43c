import { Schema } from "effect";
import { between } from "../Text.ts";

/** The tokens and the cost of requests to a model, as an agent or its host reports them. */

/** The sources of reports, the best one first. A run counts only the reports of its best source. */
export const sources = ["runner", "host", "agent", "otlp"] as const;
export const UsageSource = Schema.Literals(sources);
export type UsageSource = typeof UsageSource.Type;

/** The largest number in a report. */
export const maxReported = 10_000_000_000;

const number = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxReported }));
const count = (description: string) => number.annotateKey({ description });
const part = (description: string) =>
  Schema.optionalKey(Schema.NullOr(number)).annotateKey({ description });

const fields = Schema.Struct({
  key: between(1, 64).annotateKey({
    description:
      "The report's key, 1 to 64 characters. A run counts a key once: a repeat with the same values changes nothing, and one with other values is 409.",
  }),
  model: between(1, 200).annotateKey({ description: "The model, 1 to 200 characters." }),
  provider: Schema.optionalKey(Schema.NullOr(between(1, 200))).annotateKey({
    description: "The model's provider, 1 to 200 characters. Default: null.",
  }),
  source: Schema.optionalKey(Schema.NullOr(UsageSource)).annotateKey({
    description:
      "The reporter. A run counts only the reports of its best source: `runner`, then `host`, `agent`, `otlp`. Default: `agent`.",
  }),
  inputTokens: count(
    "All input tokens, including tokens that a cache was read from or written to.",
  ),
  outputTokens: count("All output tokens, including reasoning."),
  cacheReadTokens: part("The input tokens that were read from a cache. Default: 0."),
  cacheWriteTokens: part("The input tokens that were written to a cache. Default: 0."),
  reasoningTokens: part("The output tokens of reasoning. Default: 0."),
  requests: part("The number of requests to the model. Default: 1."),
  costMicros: part(
    "The cost in millionths of a US dollar, as the host knows it. Default: null, which means unknown.",
  ),
  cumulative: Schema.optionalKey(Schema.NullOr(Schema.Boolean)).annotateKey({
    description:
      "Whether the values are the totals of `session` until now, over all runs. Only the difference to earlier totals is counted. Default: false.",
  }),
  session: Schema.optionalKey(Schema.NullOr(between(1, 128))).annotateKey({
    description:
      "The host's session, 1 to 128 characters; required with `cumulative`. Default: null.",
  }),
});

/** The parts that are larger than the whole, and a missing session. */
const inconsistencies = (report: typeof fields.Type): ReadonlyArray<Schema.FilterIssue> => {
  const { cacheReadTokens, cacheWriteTokens, inputTokens, outputTokens, reasoningTokens } = report;
  const issues: Array<Schema.FilterIssue> = [];
  const read = cacheReadTokens ?? 0;
  if (read > inputTokens) {
    issues.push({ path: ["cacheReadTokens"], issue: "must be at most inputTokens" });
  } else if (read + (cacheWriteTokens ?? 0) > inputTokens) {
    issues.push({
      path: ["cacheWriteTokens"],
      issue: "must be at most inputTokens, together with cacheReadTokens",
    });
  }
  if ((reasoningTokens ?? 0) > outputTokens) {
    issues.push({ path: ["reasoningTokens"], issue: "must be at most outputTokens" });
  }
  if (report.cumulative === true && report.session == null) {
    issues.push({ path: ["session"], issue: "is required with cumulative" });
  }
  return issues;
};

/** A report of tokens and cost. */
export const UsageReport = fields
  .annotate({
    description:
      "Tokens and cost of one or more requests to a model. Numbers are integers from 0 to 10,000,000,000.",
  })
  .check(Schema.makeFilter(inconsistencies))
  .annotate({ identifier: "UsageReport" });
export interface UsageReport extends Schema.Schema.Type<typeof UsageReport> {}

const reports = Schema.Array(UsageReport).check(Schema.isMaxLength(50));

/** The member of a turn and of a hand-in. */
export const usage = Schema.optionalKey(Schema.NullOr(reports)).annotateKey({
  description:
    "Tokens and cost since the last report, up to 50 reports. They count even if the request is refused because the run ended at most 10 minutes ago. Default: none.",
});

/** The reports of a run. */
export const UsageReports = Schema.Struct({
  usage: reports.annotateKey({ description: "Up to 50 reports." }),
}).annotate({ identifier: "UsageReports", description: "Reports of tokens and cost." });
export interface UsageReports extends Schema.Schema.Type<typeof UsageReports> {}
