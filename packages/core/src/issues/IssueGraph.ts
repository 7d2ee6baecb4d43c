import { Schema } from "effect";
import { BriefIssue } from "./BriefIssue.ts";

/** What issues wait for, and what waits for them. */
export const IssueGraph = Schema.Struct({
  nodes: Schema.Array(BriefIssue).annotateKey({
    description: "Up to 500 issues: first where the graph starts, then with growing distance.",
  }),
  edges: Schema.Array(
    Schema.Struct({
      from: Schema.String.annotateKey({ description: "The issue that blocks." }),
      to: Schema.String.annotateKey({ description: "The issue that is blocked." }),
    }),
  ).annotateKey({ description: "Every `Blocks` link between two of the nodes, oldest first." }),
  truncated: Schema.Boolean.annotateKey({
    description: "Whether there are more issues, beyond `depth` or the limit of nodes.",
  }),
}).annotate({
  identifier: "IssueGraph",
  description: "Issues with what they wait for and what waits for them.",
});
export interface IssueGraph extends Schema.Schema.Type<typeof IssueGraph> {}

/** What a graph is read with. */
export const IssueGraphRequest = Schema.Struct({
  depth: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 50 }, { expected: "a whole number from 1 to 50" }),
    ),
  ).annotateKey({
    description: "How many links away from its start the graph goes, 1 to 50. Default: 10.",
  }),
});
export interface IssueGraphRequest extends Schema.Schema.Type<typeof IssueGraphRequest> {}
