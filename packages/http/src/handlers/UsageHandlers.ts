import { RunUsage } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(RunUsage.RunUsage, (usage) =>
    Handlers.of("usage", {
      report: ({ params, payload }) =>
        Reply.ok(
          Effect.map(usage.report(params.agentId, params.runId, payload), (sums) => ({
            usage: sums,
          })),
        ),
      ofIssue: ({ params }) => Reply.ok(usage.ofIssue(params.issueId)),
      list: ({ query }) => Reply.page(query, (page) => usage.list(page)),
    }),
  ),
);
