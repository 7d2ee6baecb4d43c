import { Schema } from "effect";
import { HostId } from "../Id.ts";
import * as Text from "../Text.ts";
import { TimestampInput } from "../Timestamp.ts";
import { ExternalRef, maxLabels } from "./HostFields.ts";
import { IssuePriority, IssueStatus } from "./Issue.ts";

/** What a list of issues is ordered by. `IssueOrder` has the orders. */
export const IssueSort = Schema.Literals(["created", "updated", "priority"]);
export type IssueSort = typeof IssueSort.Type;

/** Filters of a list of issues, all of which must match, and its order. */
export const IssueFilter = Schema.Struct({
  status: Schema.optionalKey(Schema.Array(IssueStatus)).annotateKey({
    description: "Issues of these statuses only.",
  }),
  assigneeId: Schema.optionalKey(HostId).annotateKey({
    description: "Issues whose assigned agent or assigned user has this id.",
  }),
  goalId: Schema.optionalKey(HostId).annotateKey({ description: "Issues of this goal only." }),
  priority: Schema.optionalKey(IssuePriority).annotateKey({
    description: "Issues of this priority only.",
  }),
  q: Schema.optionalKey(Text.between(0, 1_024)).annotateKey({
    description:
      "Full text: issues that contain all words in title, description and comments, in any order and case, without a query syntax. At most 1,024 UTF-16 units and 32 distinct words.",
  }),
  updatedSince: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description: "Issues that changed at this time or later. ISO 8601 with `Z` or an offset.",
    }),
  ),
  label: Schema.optionalKey(
    Schema.Array(Text.trimmedBetween(1, 64)).check(Schema.isMaxLength(maxLabels)),
  ).pipe(
    Schema.annotateEncoded({
      description: `Issues that have this label; all of them, if several are given, up to ${maxLabels}.`,
    }),
  ),
  externalRef: Schema.optionalKey(ExternalRef).annotateKey({
    description: "Issues with this external reference only.",
  }),
  paused: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: issues that are paused. False: all others.",
  }),
  ready: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: issues that their agent would pick up now. False: all others.",
  }),
  sort: Schema.optionalKey(IssueSort).annotateKey({
    description:
      "`created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed.",
  }),
});
export interface IssueFilter extends Schema.Schema.Type<typeof IssueFilter> {}
