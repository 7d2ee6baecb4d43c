import { Bulk } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { about, editor } from "./Access.ts";
import * as Problem from "./Problem.ts";

/** The endpoint that makes the same change to many issues. */
export const bulk = HttpApiEndpoint.post("bulk", "/api/projects/issues/bulk", {
  payload: Bulk.Bulk.annotate({
    examples: [
      { items: [{ issueId: "iss_1", version: 3 }], change: { priority: "high" } },
      { items: [{ issueId: "iss_1" }, { issueId: "iss_2" }], change: { action: "resume" } },
    ],
  }),
  success: Schema.Array(Bulk.BulkResult),
  error: Problem.ConfirmationRequired,
}).annotateMerge(
  about({
    summary: "Change many issues",
    description:
      "Makes the same change to up to 200 issues, one after the other. Each issue is a transaction of its own, and a failure stops no other. Returns an outcome for each issue, in the order of the request.",
    access: { ...editor, only: "person" },
    idempotencyKey: "refused",
  }),
);
