import { InboxItem, Text } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";
import { paging } from "./Query.ts";

const { InboxFilter, InboxKind } = InboxItem;

/** A comma-separated list of kinds. */
const kinds = Text.commaList("kinds", InboxKind.literals).pipe(
  Schema.annotateEncoded({
    description: `Only items of these kinds, separated by commas: ${InboxKind.literals.join(", ")}.`,
  }),
);

const list = HttpApiEndpoint.get("list", "/api/inbox", {
  query: {
    projectId: InboxFilter.fields.projectId,
    kind: Schema.optionalKey(kinds),
    ...paging,
    order: paging.order.annotateKey({
      description: "`asc`, the default: the most urgent first. `desc`: the reverse.",
    }),
  },
  success: Schema.Array(InboxItem.InboxItem),
}).annotateMerge(
  about({
    summary: "List the inbox",
    description:
      "Returns the items that need a person, by priority, then `since`, then id; paged. An item disappears when its cause is resolved. `serverError` and `toolsChanged` are listed only for an Admin that is bound to no project, and only without `projectId`.",
    access: viewer,
  }),
);

/** The inbox of questions, reviews and failures. */
export class InboxApi extends HttpApiGroup.make("inbox")
  .add(list)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description: "Questions, reviews and failures that need a person.",
    }),
  ) {}
