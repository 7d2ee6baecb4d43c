import { Inbox } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(Inbox.Inbox, (inbox) =>
    Handlers.of("inbox", {
      list: ({ query: { view, ...query } }) =>
        view === "groups" ? Reply.page(query, inbox.groups) : Reply.page(query, inbox.list),
      dismiss: ({ params }) => Reply.noContent(inbox.dismiss(params.issueId)),
      snooze: ({ payload }) => Reply.noContent(inbox.snooze(payload)),
    }),
  ),
);
