import { Schema } from "effect";
import * as Text from "../Text.ts";
import { Issue, sideEffects } from "./Issue.ts";
import { IssueCreate } from "./IssueInput.ts";

const maxIssues = 500;

/** The name of an issue within its plan: 1 to 64 characters, unlike the id of an issue. */
const Ref = Text.between(1, 64).check(
  Schema.isPattern(/^(?!iss_)/, { expected: "a name that does not start with iss_" }),
);

/** An issue of a plan: the fields that create an issue, its name in the plan, and its blockers. */
export const PlannedIssue = Schema.Struct({
  ref: Ref.annotateKey({
    description:
      "The unique name of the issue in the plan: 1 to 64 characters, not starting with `iss_`.",
  }),
  ...IssueCreate.fields,
  blockedBy: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))).annotateKey({
    description:
      "The blockers of the issue: refs of issues in the plan, and ids or keys of other issues (`iss_...`, `SHOP-142`). A ref has precedence over a key. Default: none.",
  }),
  blockedByIssueId: IssueCreate.fields.blockedByIssueId.annotateKey({
    description: "Another entry of `blockedBy`. Default: null.",
  }),
}).annotate({ identifier: "PlannedIssue", description: "An issue in a plan." });
export interface PlannedIssue extends Schema.Schema.Type<typeof PlannedIssue> {}

/** The body that creates many issues. */
export const Plan = Schema.Struct({
  issues: Schema.Array(PlannedIssue)
    .check(Schema.isMaxLength(maxIssues))
    .annotateKey({ description: `Up to ${maxIssues} issues.` }),
}).annotate({
  identifier: "Plan",
  description: "The body of a request that creates issues with their blockers.",
});
export interface Plan extends Schema.Schema.Type<typeof Plan> {}

/** An issue that a plan created. */
export const CreatedIssue = Schema.Struct({
  ref: Schema.String.annotateKey({ description: "The issue's name in the plan." }),
  issue: Issue,
  ...sideEffects,
}).annotate({ identifier: "CreatedIssue", description: "An issue that a plan created." });
export interface CreatedIssue extends Schema.Schema.Type<typeof CreatedIssue> {}
