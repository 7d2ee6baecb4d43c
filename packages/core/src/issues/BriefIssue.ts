import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import type { Found } from "../search/Snippet.ts";
import { Timestamp } from "../Timestamp.ts";
import { Issue, type IssueRow, toIssue } from "./Issue.ts";

const { description: _, links: __, metadata: ___, ...fields } = Issue.fields;

/** The fields of an issue with a word of a search. */
export const MatchedIn = Schema.Array(
  Schema.Literals(["key", "title", "labels", "description", "files", "comments"]),
);

/** The text around the first match of a search. */
export const Snippet = Schema.NullOr(Schema.String);

/** An issue in the brief form of lists for people and models. */
export const BriefIssue = Schema.Struct({
  ...fields,
  blockedByCount: Schema.Int.annotateKey({
    description:
      "The number of open issues that block this one, without issues that the caller may not see.",
  }),
  blocksCount: Schema.Int.annotateKey({
    description:
      "The number of open issues that this one blocks, without issues that the caller may not see.",
  }),
  openQuestions: Schema.Int.annotateKey({ description: "The number of open questions." }),
  liveRun: Schema.NullOr(
    Schema.Struct({
      runId: ServiceId.annotateKey({ description: "The run's id." }),
      agentId: Schema.String.annotateKey({ description: "The agent that executes the run." }),
      leaseExpiresAt: Timestamp.annotateKey({
        description: "When the lease expires unless it is renewed.",
      }),
    }),
  ).annotateKey({ description: "The run that holds the issue; null if there is none." }),
  matchedIn: Schema.optionalKey(MatchedIn).annotateKey({
    description: "With `q`: the fields with a word.",
  }),
  snippet: Schema.optionalKey(Snippet).annotateKey({
    description: "With `q`: text around the first match. Matches are between U+0002 and U+0003.",
  }),
}).annotate({
  identifier: "BriefIssue",
  description:
    "An issue without its description, links and metadata, and with its live run and the numbers of blockers, blocked issues and questions.",
});
export interface BriefIssue extends Schema.Schema.Type<typeof BriefIssue> {}

/** The live run of an issue, and the numbers of its blockers, dependents and questions. */
export type Surroundings = Pick<
  BriefIssue,
  "blockedByCount" | "blocksCount" | "openQuestions" | "liveRun"
>;

export const toBrief = (
  row: IssueRow,
  surroundings: Surroundings,
  found?: Found | undefined,
): BriefIssue => {
  const { description: _, links: __, metadata: ___, ...issue } = toIssue(row, []);
  return { ...issue, ...surroundings, ...found };
};
