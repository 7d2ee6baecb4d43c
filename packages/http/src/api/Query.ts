import { Page } from "@quartermaster/core";
import { Schema } from "effect";

/** What paged lists take in their query, and what some routes take in their headers. */

/** The query of every paged list. */
export const paging = {
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 500 }, { expected: "a whole number from 1 to 500" }),
    ).annotate({ description: "Items in a page, 100 unless told." }),
  ),
  cursor: Schema.optionalKey(
    Schema.String.annotate({
      description: "Where the page begins: taken from the `next` link of the page before.",
    }),
  ),
  order: Schema.optionalKey(
    Page.Order.annotate({ description: "`asc` is oldest first, `desc` newest first." }),
  ),
};

/** `If-Match` as it is written. */
const ifMatch = Schema.String.check(
  Schema.isPattern(/^\s*(\*|"\d{1,15}"(\s*,\s*"\d{1,15}")*)\s*$/, {
    expected: '* or a list of quoted versions such as "3"',
  }),
).annotate({ description: "Versions of the issue that the change may be made on, or `*`." });

/** The header of what changes one issue. */
export const precondition = { "if-match": Schema.optionalKey(ifMatch) };

/** The versions that an `If-Match` names. */
export const versionsOf = (header: string | undefined): "*" | ReadonlyArray<number> | undefined =>
  header === undefined
    ? undefined
    : header.includes("*")
      ? "*"
      : (header.match(/\d+/g) ?? []).map(Number);

/** The header of what may be sent again without being carried out again. */
export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(128, { expected: "1 to 128 characters" }),
    ).annotate({
      description:
        "The same key with the same request, within 24 hours, answers what the first did.",
    }),
  ),
};
