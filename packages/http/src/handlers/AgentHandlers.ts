import { Agents, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const agents = yield* Agents.Agents;
    const runs = yield* Runs.Runs;

    return Handlers.of("agents", {
      list: ({ query }) => Reply.page(query, (page) => agents.list(page)),
      get: ({ params }) => Reply.ok(agents.get(params.agentId)),
      put: ({ params, payload }) => Reply.ok(agents.put(params.agentId, payload)),
      delete: ({ params }) => Reply.noContent(agents.remove(params.agentId)),
      heartbeat: ({ params, payload }) => Reply.ok(runs.heartbeat(params.agentId, payload)),
      turn: ({ params, payload }) => Reply.ok(runs.turn(params.agentId, params.runId, payload)),
      finish: ({ params, payload }) =>
        Reply.versioned(runs.finish(params.agentId, params.runId, payload)),
      runs: ({ params, query }) => Reply.page(query, (page) => runs.list(params.agentId, page)),
    });
  }),
);
