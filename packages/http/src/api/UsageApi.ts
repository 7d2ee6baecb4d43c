import { Id, Usage, UsageReport } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const report = HttpApiEndpoint.post("report", "/api/agents/:agentId/runs/:runId/usage", {
  params: {
    agentId: Id.HostId.annotateKey({ description: "The agent's id, chosen by the host." }),
    runId: Id.ServiceId.annotateKey({ description: "The run's id." }),
  },
  payload: UsageReport.UsageReports.annotate({
    examples: [
      {
        usage: [
          {
            key: "turn-1",
            model: "claude-opus-4-5",
            inputTokens: 48_210,
            cacheReadTokens: 41_002,
            outputTokens: 1_830,
            costMicros: 112_400,
          },
        ],
      },
    ],
  }),
  success: Schema.Struct({
    usage: Schema.NullOr(Usage.RunUsage).annotateKey({
      description: "The usage of the run; null if nothing was reported.",
    }),
  }).annotate({ identifier: "UsageAnswer", description: "The usage of a run." }),
  error: [Problem.NotFound, Problem.RunEnded, Problem.UsageKey],
}).annotateMerge(
  about({
    summary: "Report the usage of a run",
    description:
      "Counts tokens and cost, until 10 minutes after the end of the run, and returns the run's usage. A turn and a hand-in take the same reports. A repeated report changes nothing.",
    access: { ...editor, only: "agent" },
    idempotencyKey: "refused",
  }),
);

const ofIssue = HttpApiEndpoint.get("ofIssue", "/api/projects/issues/:issueId/usage", {
  params: { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) },
  success: Usage.GroupUsage,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an issue's usage",
    description: "Returns the usage of all runs of the issue; `key` is the issue's id.",
    access: viewer,
  }),
);

const list = HttpApiEndpoint.get("list", "/api/usage", {
  query: { ...paging, ...Usage.UsageFilter.fields },
  success: Schema.Array(Usage.GroupUsage),
}).annotateMerge(
  about({
    summary: "List usage",
    description:
      "Returns the usage of runs in projects that the caller may see, in groups in the order of their keys (`asc` by default); paged. Sums are retained for 400 days, and runs without usage for 90 days. Sums of deleted issues are included.",
    access: viewer,
  }),
);

/** The reported tokens and cost of runs. */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(report, ofIssue, list)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Usage", description: "Reported tokens and cost of runs." }),
  ) {}
