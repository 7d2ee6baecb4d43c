import { Schema } from "effect";
import { MatchedIn, Snippet } from "../issues/BriefIssue.ts";
import * as Text from "../Text.ts";

/** The kinds of hits. */
export const FindingKind = Schema.Literals(["issue", "project", "agent", "server"]);
export type FindingKind = typeof FindingKind.Type;

export const FindingRequest = Schema.Struct({
  q: Text.between(1, 1_024).annotateKey({
    description: "The words to look for, as in lists of issues.",
  }),
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 50 }, { expected: "a whole number from 1 to 50" }),
    ),
  ).annotateKey({
    description: "1 to 50. Default: 20.",
    contentSchema: { type: "integer", minimum: 1, maximum: 50, default: 20 },
  }),
});

/** An issue, project, agent or server that a search found. */
export const Finding = Schema.Struct({
  kind: FindingKind.annotateKey({ description: "The kind of the hit." }),
  id: Schema.String.annotateKey({ description: "Its id." }),
  key: Schema.NullOr(Schema.String).annotateKey({
    description: "An issue's key; otherwise null.",
  }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description: "The project of an issue, or the project itself; otherwise null.",
  }),
  title: Schema.String.annotateKey({ description: "Its title or name." }),
  matchedIn: MatchedIn.annotateKey({ description: "The fields with a word." }),
  snippet: Snippet.annotateKey({
    description: "Text around the first match. Matches are between U+0002 and U+0003.",
  }),
}).annotate({ identifier: "Finding", description: "A hit of the search." });
export interface Finding extends Schema.Schema.Type<typeof Finding> {}
