import {
  CurrentRun,
  CurrentTrace,
  Errors,
  type McpConnector,
  Runs,
  type ToolCall,
  ToolGateway,
} from "@quartermaster/core";
import { KeepAlive } from "@quartermaster/mcp";
import { Effect } from "effect";
import * as Refusal from "../api/Refusal.ts";
import * as Reply from "../endpoint/Reply.ts";
import * as Delivered from "../request/Delivered.ts";
import * as Handlers from "./Handlers.ts";

/** The result reduced to the members of the contract. */
const whole = (result: McpConnector.ToolResult): ToolCall.ToolCallResult => ({
  content: result.content,
  structuredContent: result.structuredContent ?? null,
  isError: result.isError ?? false,
  ...(result._meta !== undefined && { _meta: result._meta }),
});

/** A refusal as a result, for a response that has started. */
const refused = (refusal: Refusal.Refusal): ToolCall.ToolCallResult => {
  const problem = Refusal.toProblem(refusal);
  return {
    content: [{ type: "text", text: problem.detail }],
    structuredContent: { ...problem },
    isError: true,
  };
};

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const gateway = yield* ToolGateway.ToolGateway;
    const runs = yield* Runs.Runs;
    const timing = yield* KeepAlive.CurrentTiming;

    /** Handles a call whose body names the run that it acts for. */
    const actingFor = Effect.fnUntraced(function* <A, E, R>(
      runId: string,
      called: Effect.Effect<A, E, R>,
    ) {
      const named = yield* CurrentRun.CurrentRun;
      if (named !== null && named.id !== runId) {
        return yield* Errors.InvalidRequest.at(
          "runId",
          "must be the run that the header Quartermaster-Run names",
        );
      }
      const run = yield* runs.acting(runId);
      return yield* Effect.provideService(called, CurrentRun.CurrentRun, run);
    });

    return Handlers.of("tools", {
      list: ({ params, query }) => Reply.ok(gateway.list(params.agentId, query)),
      call: ({ params, payload: { runId, ...call }, request }) => {
        const { headers } = request;
        const effectName = headers["idempotency-key"] || undefined;
        if (effectName !== undefined && effectName.length > 128) {
          return Effect.fail(
            Errors.InvalidRequest.at("idempotency-key", "must have 1 to 128 characters"),
          );
        }
        const called = Effect.provideService(
          Effect.map(gateway.call(params.agentId, call, { effectName }), whole),
          CurrentTrace.CurrentTrace,
          CurrentTrace.of(headers),
        );
        return Delivered.reported(
          request,
          Reply.patient(runId === undefined ? called : actingFor(runId, called), timing, refused),
        );
      },
      calls: ({ query }) => Reply.page(query, (page) => gateway.calls(page)),
      record: ({ params }) => Reply.ok(gateway.recordOf(params.callId)),
      callsOfRun: ({ params: { agentId, runId }, query }) =>
        Reply.page(query, (page) => gateway.callsOf(agentId, runId, page)),
    });
  }),
);
