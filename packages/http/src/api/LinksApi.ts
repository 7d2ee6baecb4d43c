import { Id, IssueLink } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/projects/issues/:issueId/links";
const params = { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) };

const list = HttpApiEndpoint.get("list", path, {
  params,
  query: paging,
  success: Schema.Array(IssueLink.IssueLink),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's links",
    description:
      "Returns outgoing and incoming links, as seen from this issue, oldest first by default; paged. Omits links to issues that the caller may not see.",
    access: viewer,
  }),
);

const create = HttpApiEndpoint.post("create", path, {
  params,
  headers: idempotencyKey,
  payload: IssueLink.LinkCreate.annotate({
    examples: [{ targetIssueId: "iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", linkType: "BlockedBy" }],
  }),
  success: IssueLink.IssueLink.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
    Problem.RunEnded,
    Problem.UnknownReference,
    Problem.SelfLink,
    Problem.LimitExceeded,
    Problem.LinkExists,
    Problem.DependencyCycle,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Link two issues",
    description:
      "`BlockedBy` makes this issue wait for the other; `Blocks` makes the other wait for this one.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/projects/links/:linkId", {
  params: { linkId: Id.ServiceId.annotateKey({ description: "The link's id." }) },
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Delete a link",
    description:
      "The link can be deleted from either end; the caller must be allowed to see both issues. An issue that has no other open blocker becomes `Open`.",
    access: editor,
  }),
);

/** Relations between issues. */
export class LinksApi extends HttpApiGroup.make("links")
  .add(list, create, remove)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Links",
      description: "Dependencies and other relations between issues.",
    }),
  ) {}
