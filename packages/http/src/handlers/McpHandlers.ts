import { type Agent, Agents, Workers } from "@quartermaster/core";
import { AgentEndpoint, Refusals } from "@quartermaster/mcp";
import { Effect, Layer } from "effect";
import type { HttpServerRequest } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import type { Caller } from "../request/Caller.ts";
import * as Refused from "../request/Refused.ts";
import { Validity } from "../request/Validity.ts";
import * as Handlers from "./Handlers.ts";

/** Advice for models, which cannot send another request or use another key. */
const forModels: Readonly<Record<string, string>> = {
  Forbidden: "Your key is not allowed to do this. Continue without this tool, or ask a person.",
  NoRun: "You hold no run. Call work_next first.",
  OpenDependents: "Open issues depend on this issue. Resolve or close them first.",
  RunEnded: "The run no longer holds this issue. Stop working on it, and call work_next.",
  StorageError: "Storage is temporarily unavailable. Call the tool again in a few seconds.",
};

/** The refusals of tools, in the words of every other route unless a model needs others. */
const refusals = Layer.succeed(Refusals.Refusals, {
  problemOf: (refusal) => {
    const { detail, status, title, type, ...members } = Refusal.toProblem(refusal);
    return { type, title, status, detail: forModels[refusal._tag] ?? detail, ...members };
  },
});

const foreignRun = Refused.from(
  new Problem.Forbidden({
    detail:
      "`Quartermaster-Run` names a run that this key may not use. Name a run of the key's agent, in a project that the key may see, or omit the header.",
    requiredRole: null,
  }),
);

const isMethod = (method: string): method is AgentEndpoint.EndpointRequest["method"] =>
  method === "POST" || method === "GET" || method === "HEAD" || method === "DELETE";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const endpoint = yield* AgentEndpoint.AgentEndpoint;
    const { shutdown } = yield* HttpOptions;
    const { untilRefused } = yield* Validity;
    const workers = yield* Workers.Workers;
    const agents = yield* Agents.Agents;

    /** As `?tools=` of the connection has it, else as the agent is set. */
    const toolModeOf = ({ url }: HttpServerRequest.HttpServerRequest, { principal }: Caller) => {
      const tools = new URLSearchParams(url.split("?", 2)[1]).get("tools");
      if (tools === "search" || tools === "direct") return Effect.succeed<Agent.ToolMode>(tools);
      return principal.agentId === null
        ? Effect.succeed<Agent.ToolMode>("direct")
        : agents.toolMode(principal.agentId);
    };

    /** The run that a client was started for must be its agent's. An empty header names none. */
    const refusalOf = ({ principal }: Caller, runId = "") =>
      runId === "" || principal.agentId === null
        ? Effect.succeed(null)
        : workers.admit(principal.agentId, { id: "", runId, isShared: false }).pipe(
            Effect.as(null),
            Effect.catchTag("Forbidden", () => Effect.succeed(foreignRun)),
          );

    const handle = (
      request: HttpServerRequest.HttpServerRequest,
      caller: Caller,
      body?: unknown,
    ) => {
      const { headers, method } = request;
      return Effect.flatMap(refusalOf(caller, headers["quartermaster-run"]), (refusal) =>
        refusal !== null
          ? Effect.succeed(refusal)
          : endpoint.handle({
              method: isMethod(method) ? method : "POST",
              headers,
              body,
              keyId: caller.keyId,
              toolMode: toolModeOf(request, caller),
              expiresAt: caller.expiresAt,
              until: Effect.suspend(() => Effect.raceFirst(shutdown.begun, untilRefused(caller))),
            }),
      );
    };

    return Handlers.of("mcp", {
      call: ({ caller, payload, request }) => handle(request, caller, payload),
      listen: ({ caller, request }) => handle(request, caller),
      end: ({ caller, request }) => handle(request, caller),
    });
  }),
);

/** The agents' endpoint with the refusals of this contract. */
export const endpoint: Layer.Layer<AgentEndpoint.AgentEndpoint, never, AgentEndpoint.Services> =
  Layer.provide(AgentEndpoint.AgentEndpoint.layer, refusals);
