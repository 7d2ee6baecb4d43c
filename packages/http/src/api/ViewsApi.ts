import { Id, SavedView } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, paging } from "./Query.ts";

const path = "/api/views";
const params = { viewId: Id.ServiceId.annotateKey({ description: "The view's id." }) };

const list = HttpApiEndpoint.get("list", path, {
  query: paging,
  success: Schema.Array(SavedView.SavedView),
}).annotateMerge(
  about({
    summary: "List saved views",
    description:
      "Returns the caller's own views and the views of the caller's projects, oldest first by default; paged.",
    access: viewer,
  }),
);

const create = HttpApiEndpoint.post("create", path, {
  headers: idempotencyKey,
  payload: SavedView.SavedViewCreate.annotate({
    examples: [{ name: "Open bugs", query: "status=Open&label=bug" }],
  }),
  success: SavedView.SavedView.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
    Problem.UnknownReference,
    Problem.LimitExceeded,
    Problem.IdempotencyMismatch,
  ],
}).annotateMerge(
  about({
    summary: "Save a view",
    description:
      "A `projectId` shares the view with the project and requires the role Editor. The caller and each project have at most 100 views.",
    access: viewer,
    idempotencyKey: "honoured",
  }),
);

const update = HttpApiEndpoint.put("update", `${path}/:viewId`, {
  params,
  payload: SavedView.SavedViewUpdate.annotate({ examples: [{ name: "All open bugs" }] }),
  success: SavedView.SavedView,
  error: [Problem.NotFound, Problem.UnknownReference, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Change a saved view",
    description:
      "Changes the given fields. A view that is shared, before or after, requires the role Editor.",
    access: viewer,
  }),
);

const remove = HttpApiEndpoint.delete("delete", `${path}/:viewId`, {
  params,
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Delete a saved view",
    description: "A shared view requires the role Editor.",
    access: viewer,
  }),
);

/** Lists of issues that are saved under a name. */
export class ViewsApi extends HttpApiGroup.make("views")
  .add(list, create, update, remove)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Saved views",
      description: "Lists of issues that people saved under a name.",
    }),
  ) {}
