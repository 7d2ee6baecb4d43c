import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import * as Input from "../Input.ts";
import { IssueUpdate } from "./IssueInput.ts";

const maxItems = 200;

/** The fields of an update, or exactly one of `action` and `review`. */
const BulkChange = Schema.Struct({
  ...IssueUpdate.fields,
  action: Input.optional(Schema.Literals(["pause", "resume", "close", "delete"]), {
    description: "The action on each issue. It excludes every other field.",
  }),
  review: Input.optional(Schema.Literals(["approve", "changes"]), {
    description:
      "The end of a review: `approve` resolves each issue, `changes` opens it again. It excludes every other field.",
  }),
})
  .annotate({
    description:
      "The change of each issue: the body of an update, an action, or the end of a review.",
  })
  .check(
    Schema.makeFilter(
      (change) =>
        (change.action === undefined && change.review === undefined) ||
        Object.keys(change).length === 1,
      { expected: "the fields of an update, or only an action, or only a review" },
    ),
  )
  .annotate({ identifier: "BulkChange" });

/** The body that changes many issues. */
export const Bulk = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      issueId: ServiceId.annotateKey({ description: "The issue." }),
      version: Input.optional(Schema.Int, {
        description: "The version that the issue must have, as `If-Match`. Default: any.",
      }),
    }),
  )
    .check(
      Schema.isMinLength(1, { expected: "at least one issue" }),
      Schema.isMaxLength(maxItems, { expected: `at most ${maxItems} issues` }),
    )
    .annotateKey({ description: `1 to ${maxItems} issues, changed in this order.` }),
  change: BulkChange,
  force: Input.optional(Schema.Boolean, {
    description:
      "With the action `close`: closes issues although open dependents wait for them. Default: false.",
  }),
  confirm: Input.optional(Schema.Boolean, {
    description: "With the action `delete`: must be true, since a deletion is permanent.",
  }),
}).annotate({
  identifier: "Bulk",
  description: "The body of a request that makes the same change to many issues.",
});
export interface Bulk extends Schema.Schema.Type<typeof Bulk> {}

/** The outcome of one issue of a bulk change. */
export const BulkResult = Schema.Struct({
  issueId: ServiceId.annotateKey({
    description: "The issue's id; the text of the request if it names no issue.",
  }),
  issueKey: Schema.optionalKey(ServiceId).annotateKey({
    description:
      "The key with which the request named the issue, as it was sent. Absent if it sent the id.",
  }),
  status: Schema.Int.annotateKey({
    description: "The HTTP status of a request that changes only this issue.",
  }),
  problem: Schema.optionalKey(
    Schema.StructWithRest(
      Schema.Struct({
        type: Schema.String.annotateKey({ description: "The URN of the problem." }),
        title: Schema.String.annotateKey({ description: "The name of the problem." }),
        status: Schema.Int.annotateKey({ description: "The HTTP status." }),
        detail: Schema.String.annotateKey({
          description: "The cause, and the next step.",
        }),
      }),
      [Schema.Record(Schema.String, Schema.Unknown)],
    ),
  ).annotateKey({
    description:
      "The problem document of that request, with the members of its type. Absent if the change was made.",
  }),
}).annotate({ identifier: "BulkResult", description: "The outcome of one issue." });
export interface BulkResult extends Schema.Schema.Type<typeof BulkResult> {}
