import { Schema } from "effect";
import { BriefIssue } from "./BriefIssue.ts";

/** Issues and the links by which they block each other. */
export const IssueGraph = Schema.Struct({
  nodes: Schema.Array(BriefIssue).annotateKey({
    description: "Up to 500 issues, by their distance from the start of the graph.",
  }),
  edges: Schema.Array(
    Schema.Struct({
      from: Schema.String.annotateKey({ description: "The issue that blocks." }),
      to: Schema.String.annotateKey({ description: "The issue that is blocked." }),
    }),
  ).annotateKey({ description: "Every `Blocks` link between two of the nodes, oldest first." }),
  truncated: Schema.Boolean.annotateKey({
    description:
      "Whether the graph has more issues than `nodes`, beyond `depth` or the limit of nodes.",
  }),
}).annotate({
  identifier: "IssueGraph",
  description: "Issues and the links by which they block each other.",
});
export interface IssueGraph extends Schema.Schema.Type<typeof IssueGraph> {}

/** The options of a graph. */
export const IssueGraphRequest = Schema.Struct({
  depth: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 50 }, { expected: "a whole number from 1 to 50" }),
    ),
  ).annotateKey({
    description:
      "The largest distance from the start of the graph, in links: 1 to 50. Default: 10.",
  }),
});
export interface IssueGraphRequest extends Schema.Schema.Type<typeof IssueGraphRequest> {}
