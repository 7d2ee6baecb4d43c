import { Agents, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import * as Answer from "./Answer.ts";

export const layer = Group.group(
  Api,
  "agents",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* Agents.Agents;
    const runs = yield* Runs.Runs;

    return handlers.handleAll({
      list: ({ query }) => Answer.page(agents.list(query)),
      put: ({ params, payload }) => Answer.ok(agents.put(params.agentId, payload)),
      heartbeat: ({ params, payload }) => Answer.ok(runs.heartbeat(params.agentId, payload)),
      turn: ({ params }) => Answer.ok(runs.turn(params.agentId, params.runId)),
      finish: ({ params, payload }) =>
        Answer.versioned(runs.finish(params.agentId, params.runId, payload)),
      runs: ({ params, query }) => Answer.page(runs.list(params.agentId, query)),
    });
  }),
);
