import { Stats } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(Stats.Stats, (stats) =>
    Handlers.of("stats", {
      get: ({ query }) => Reply.ok(stats.get(query)),
      agents: ({ query }) => Reply.page(query, (page) => stats.agents(page)),
    }),
  ),
);
