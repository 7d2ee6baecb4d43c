import { Schema } from "effect";
import { HostId, ProjectId } from "../Id.ts";
import { TimestampInput } from "../Timestamp.ts";

/** Sums of reported tokens and cost. */

const sum = (description: string) => Schema.Int.annotateKey({ description });

const sums = {
  requests: sum("The requests to models."),
  inputTokens: sum("The input tokens, including tokens of caches."),
  outputTokens: sum("The output tokens, including reasoning."),
  cacheReadTokens: sum("The input tokens that were read from caches."),
  cacheWriteTokens: sum("The input tokens that were written to caches."),
  reasoningTokens: sum("The output tokens of reasoning."),
  costMicros: sum("The known cost, in millionths of a US dollar."),
  requestsWithoutCost: sum("The requests whose cost is not known."),
};

/** The sums, by name. */
export type Sums = Schema.Struct<typeof sums>["Type"];

/** The names of the sums. */
export const names = Object.keys(sums) as ReadonlyArray<keyof Sums>;

/** The sums of nothing. */
export const none: Sums = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costMicros: 0,
  requestsWithoutCost: 0,
};

/** The models of a run that are listed. */
export const maxModels = 10;

/** The usage of a run. */
export const RunUsage = Schema.Struct({
  ...sums,
  models: Schema.Array(Schema.String).annotateKey({
    description: "Its models, at most 10; the model with the most tokens first.",
  }),
}).annotate({
  identifier: "RunUsage",
  description: "The reported usage of a run. A sum stops at 9,007,199,254,740,991.",
});
export interface RunUsage extends Schema.Schema.Type<typeof RunUsage> {}

/** The usage of a group of runs. */
export const GroupUsage = Schema.Struct({
  key: Schema.String.annotateKey({
    description: "The agent, project, model or issue, or the day in UTC, such as 2026-11-25.",
  }),
  runs: sum("The runs, including runs without usage."),
  ...sums,
  runsWithoutUsage: sum("The runs that reported nothing. Always 0 for a model."),
}).annotate({
  identifier: "GroupUsage",
  description: "The reported usage of a group of runs. A sum stops at 9,007,199,254,740,991.",
});
export interface GroupUsage extends Schema.Schema.Type<typeof GroupUsage> {}

export const GroupBy = Schema.Literals(["agent", "project", "model", "issue", "day"]);
export type GroupBy = typeof GroupBy.Type;

export const UsageFilter = Schema.Struct({
  groupBy: Schema.optionalKey(GroupBy).annotateKey({
    description: "The groups. Default: `day`.",
  }),
  from: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description:
        "Only usage from this time on. Usage is counted by the hour: from the start of its hour.",
    }),
  ),
  to: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description:
        "Only usage before this time. Usage is counted by the hour: until the end of its hour.",
    }),
  ),
  agentId: Schema.optionalKey(HostId).annotateKey({ description: "Only usage of this agent." }),
  projectId: Schema.optionalKey(ProjectId).annotateKey({
    description: "Only usage of runs of issues of this project.",
  }),
});
export interface UsageFilter extends Schema.Schema.Type<typeof UsageFilter> {}
