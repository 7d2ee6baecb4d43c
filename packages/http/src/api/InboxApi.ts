import { Id, InboxItem, Text } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
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
    mine: InboxFilter.fields.mine,
    view: Schema.optionalKey(Schema.Literals(["items", "groups"])).annotateKey({
      description: "`groups` returns groups of items that one action answers. Default: `items`.",
    }),
    ...paging,
    order: paging.order.annotateKey({
      description: "`asc`, the default: the most urgent first. `desc`: the reverse.",
    }),
  },
  success: [Schema.Array(InboxItem.InboxItem), Schema.Array(InboxItem.InboxGroup)],
}).annotateMerge(
  about({
    summary: "List the inbox",
    description:
      "Returns the items that need a person, by priority, then the number of open issues that wait for them, then `since`, then id; paged. An item disappears when its cause is resolved. `serverError` and `toolsChanged` are listed only for an Admin that is bound to no project, and only without `projectId`.",
    access: viewer,
  }),
);

const snooze = HttpApiEndpoint.post("snooze", "/api/inbox/snooze", {
  payload: InboxItem.InboxSnooze.annotate({
    examples: [{ items: [{ kind: "review", id: "iss_1" }], until: "2026-08-01T09:00:00.000Z" }],
  }),
  success: HttpApiSchema.NoContent,
  error: Problem.LimitExceeded,
}).annotateMerge(
  about({
    summary: "Snooze items of the inbox",
    description:
      "Hides items from the caller's list until a time, at most 30 days, or until their `since` changes. With `until` null they are listed again. Other callers still see them.",
    access: editor,
  }),
);

const dismiss = HttpApiEndpoint.delete("dismiss", "/api/inbox/mentions/:issueId", {
  params: { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) },
  success: HttpApiSchema.NoContent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Dismiss a mention",
    description:
      "Removes the caller's item `mentioned` of an issue, until the next mention. A comment of the caller on the issue does the same.",
    access: viewer,
  }),
);

/** The inbox of questions, reviews and failures. */
export class InboxApi extends HttpApiGroup.make("inbox")
  .add(list, snooze, dismiss)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Inbox",
      description: "Questions, reviews and failures that need a person.",
    }),
  ) {}
