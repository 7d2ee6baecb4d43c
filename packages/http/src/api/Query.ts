import { IssueGraph, Page } from "@quartermaster/core";
import { Schema, SchemaTransformation } from "effect";

/** Query parameters of paged lists, and headers that several routes share. */

/** The query of every paged list. */
export const paging = {
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 500 }, { expected: "a whole number from 1 to 500" }),
    ),
  ).annotateKey({
    description: "Items per page, 1 to 500. Default: 100.",
    contentSchema: { type: "integer", minimum: 1, maximum: 500, default: 100 },
  }),
  cursor: Schema.optionalKey(Schema.String).annotateKey({
    description: "The position of the page, from the `next` link of the previous page.",
  }),
  order: Schema.optionalKey(Page.Order).annotateKey({
    description: "`asc`: oldest first. `desc`: newest first.",
  }),
};

/** The query of graphs. */
export const graphDepth = {
  depth: IssueGraph.IssueGraphRequest.fields.depth.annotateKey({
    contentSchema: { type: "integer", minimum: 1, maximum: 50, default: 10 },
  }),
};

/** `If-Match`, decoded to its versions, or `*`. */
const ifMatch = Schema.String.check(
  Schema.isPattern(/^\s*(\*|"(0|[1-9]\d{0,14})"(\s*,\s*"(0|[1-9]\d{0,14})")*)\s*$/, {
    expected: '* or a list of quoted versions such as "3"',
  }),
)
  // The OpenAPI document describes the encoded side.
  .annotate({
    description:
      'The versions of the issue or comment that may be changed, such as `"3"`, or `*` for any. If it has another version, responds with 412.',
  })
  .pipe(
    Schema.decodeTo(
      Schema.Union([Schema.Literal("*"), Schema.Array(Schema.Int)]),
      SchemaTransformation.transform({
        decode: (header): "*" | ReadonlyArray<number> =>
          header.includes("*") ? "*" : (header.match(/\d+/g) ?? []).map(Number),
        encode: (versions) =>
          versions === "*" ? versions : versions.map((version) => `"${version}"`).join(", "),
      }),
    ),
  );

/** The header of requests that change one issue or comment. */
export const precondition = { "if-match": Schema.optionalKey(ifMatch) };

/**
 * The header of requests that may take minutes, decoded to whether the caller wants an immediate
 * response.
 */
export const prefer = {
  prefer: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "With `respond-async` the server responds immediately with 202 and `Preference-Applied`, without waiting for the result. Other preferences are ignored.",
    }).pipe(
      Schema.decodeTo(
        Schema.Boolean,
        SchemaTransformation.transform({
          decode: (header) => /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i.test(header),
          encode: (isAsync) => (isAsync ? "respond-async" : ""),
        }),
      ),
    ),
  ),
};

/** The header of creations that are safe to repeat. */
export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(128, { expected: "1 to 128 characters" }),
    ),
  ).annotateKey({
    description:
      "1 to 128 characters. A retry with the same key and the same request within 24 hours returns the result of the first request.",
  }),
};
