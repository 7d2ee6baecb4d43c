import { Schema } from "effect";
import { HostId } from "../Id.ts";
import * as Text from "../Text.ts";
import { TimestampInput } from "../Timestamp.ts";
import { ExternalRef, maxLabels } from "./HostFields.ts";
import { IssuePriority, IssueStatus } from "./Issue.ts";

/** The sort criteria of a list of issues. `IssueOrder` defines the orders. */
export const IssueSort = Schema.Literals(["created", "updated", "priority"]);
export type IssueSort = typeof IssueSort.Type;

/** The filters of a list of issues, all of which must match, and its order. */
export const IssueFilter = Schema.Struct({
  status: Schema.optionalKey(Schema.Array(IssueStatus)).annotateKey({
    description: "Only issues with one of these statuses.",
  }),
  assigneeId: Schema.optionalKey(HostId).annotateKey({
    description: "Only issues with this `assignedAgentId` or `assigneeUserId`.",
  }),
  goalId: Schema.optionalKey(HostId).annotateKey({ description: "Only issues of this goal." }),
  priority: Schema.optionalKey(IssuePriority).annotateKey({
    description: "Only issues with this priority.",
  }),
  q: Schema.optionalKey(Text.between(0, 1_024)).annotateKey({
    description:
      "Full-text search: only issues whose title, description and comments contain all words, in any order and case. There is no query syntax. At most 1,024 characters and 32 distinct words.",
  }),
  updatedSince: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description:
        "Only issues that changed at this time or later. ISO 8601 with `Z` or an offset.",
    }),
  ),
  label: Schema.optionalKey(
    Schema.Array(Text.trimmedBetween(1, 64)).check(Schema.isMaxLength(maxLabels)),
  ).pipe(
    Schema.annotateEncoded({
      description: `Only issues with this label. Repeat the parameter for issues with all of several labels, up to ${maxLabels}.`,
    }),
  ),
  externalRef: Schema.optionalKey(ExternalRef).annotateKey({
    description: "Only issues with this external reference.",
  }),
  paused: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: only paused issues. False: all others.",
  }),
  ready: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: only issues that their agent would pick up now. False: all others.",
  }),
  sort: Schema.optionalKey(IssueSort).annotateKey({
    description:
      "`created` (default) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed.",
  }),
});
export interface IssueFilter extends Schema.Schema.Type<typeof IssueFilter> {}
