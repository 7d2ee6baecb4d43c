import { Search } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(Search.Search, (search) =>
    Handlers.of("search", { find: ({ query }) => Reply.ok(search.find(query)) }),
  ),
);
