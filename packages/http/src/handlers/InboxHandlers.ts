import { Inbox } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(Inbox.Inbox, (inbox) =>
    Handlers.of("inbox", { list: ({ query }) => Reply.page(query, inbox.list) }),
  ),
);
