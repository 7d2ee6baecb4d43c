import { type Agent, Agents, Run } from "@quartermaster/core";
import { AgentEndpoint, PublicUrl, Refusals } from "@quartermaster/mcp";
import { Effect, Layer, Predicate } from "effect";
import type { HttpServerRequest } from "effect/http";
import * as Refusal from "../api/Refusal.ts";
import { HttpOptions } from "../HttpOptions.ts";
import type { Caller } from "../request/Caller.ts";
import * as Delivered from "../request/Delivered.ts";
import * as NamedRun from "../request/NamedRun.ts";
import * as PublicOrigin from "../request/PublicOrigin.ts";
import { Validity } from "../request/Validity.ts";
import * as Handlers from "./Handlers.ts";

/** Advice for models, which cannot send other requests or use another key. */
const forModels: Readonly<Record<string, string>> = {
  Held: "The run in runId holds the issue. If it is yours, hand it in with work_finish and its runId. If its process is gone, take it over with work_turn, its runId and takeOver. Otherwise leave the issue to it.",
  Forbidden: "Your key is not allowed to do this. Continue without this tool, or ask a person.",
  IdempotencyMismatch:
    "This name of an effect stands for a call with other arguments. Use another name.",
  NoRun: "You hold no run. Call work_next first.",
  OpenDependents: "Open issues depend on this issue. Resolve or close them first.",
  StorageError: "Storage is temporarily unavailable. Call the tool again in a few seconds.",
};

/** The sentence for models; undefined if the sentence of the other routes fits. */
const wordsFor = (refusal: Refusals.Refusal): string | undefined => {
  const { _tag: tag } = refusal;
  if (tag === "NotFound" && refusal.resource === "issue") {
    return "Ids start with iss_, and keys look like SHOP-142. Find the issue with issues_list and q.";
  }
  if (tag === "RunEnded") {
    return `Your run may not do this: ${Run.reasonInWords[refusal.reason]}. Stop working on its issue, and call work_turn.`;
  }
  if (tag === "NoRun" && (refusal.runIds ?? []).length > 0) {
    return `${forModels[tag]} Other processes of your agent hold the runs in runIds. If one of them is gone, take its run over with work_turn, its runId and takeOver.`;
  }
  return tag === "Forbidden" && refusal.explanation !== undefined ? undefined : forModels[tag];
};

/** Refusals of tools: the wording of every other route, except where `forModels` replaces it. */
const refusals = Layer.succeed(Refusals.Refusals, {
  problemOf: (refusal) => {
    const { detail, status, title, type, ...members } = Refusal.toProblem(refusal);
    return { type, title, status, detail: wordsFor(refusal) ?? detail, ...members };
  },
});

/** The id of no run, in place of a value that is not a text. */
const noRun = "run_";

/** The runs in the `_meta` of a body's messages. A null and an empty text count as missing, like an empty header. */
const runsOf = (body: unknown): ReadonlyArray<string> => [
  ...new Set(
    [body].flat().flatMap((message) => {
      const params = Predicate.isReadonlyObject(message) ? message["params"] : undefined;
      const meta = Predicate.isReadonlyObject(params) ? params["_meta"] : undefined;
      const runId = Predicate.isReadonlyObject(meta) ? meta["quartermaster/run"] : undefined;
      if (runId === undefined || runId === null || runId === "") return [];
      return [typeof runId === "string" ? runId : noRun];
    }),
  ),
];

const isMethod = (method: string): method is AgentEndpoint.EndpointRequest["method"] =>
  method === "POST" || method === "GET" || method === "HEAD" || method === "DELETE";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const endpoint = yield* AgentEndpoint.AgentEndpoint;
    const settings = yield* HttpOptions;
    const { shutdown } = settings;
    const { untilRefused } = yield* Validity;
    const acting = yield* NamedRun.make;
    const agents = yield* Agents.Agents;

    /** The tool mode in `?tools=` of the connection; otherwise the agent's setting. */
    const toolModeOf = ({ url }: HttpServerRequest.HttpServerRequest, { principal }: Caller) => {
      const tools = new URLSearchParams(url.split("?", 2)[1]).get("tools");
      if (tools === "search" || tools === "direct") return Effect.succeed<Agent.ToolMode>(tools);
      return principal.agentId === null
        ? Effect.succeed<Agent.ToolMode>("direct")
        : agents.toolMode(principal.agentId);
    };

    const handle = (
      request: HttpServerRequest.HttpServerRequest,
      caller: Caller,
      body?: unknown,
    ) => {
      const { headers, method } = request;
      const handled = endpoint.handle({
        method: isMethod(method) ? method : "POST",
        headers,
        body,
        keyId: caller.keyId,
        toolMode: toolModeOf(request, caller),
        expiresAt: caller.expiresAt,
        until: Effect.suspend(() => Effect.raceFirst(shutdown.started, untilRefused(caller))),
      });
      const url = `${PublicOrigin.of(settings, request)}${settings.prefix}`;
      const named = NamedRun.of(request);
      const runIds = runsOf(body).filter((runId) => runId !== named);
      // The messages of a batch may name several runs. Each message acts for its own.
      return named !== null && runIds.length > 0
        ? Effect.succeed(NamedRun.differs("params._meta.quartermaster/run"))
        : runIds.reduce(
            (rest, runId) => acting(runId, rest),
            Effect.provideService(
              Effect.suspend(() => handled),
              PublicUrl.PublicUrl,
              url,
            ),
          );
    };

    return Handlers.of("mcp", {
      call: ({ caller, payload, request }) =>
        Delivered.reported(request, handle(request, caller, payload)),
      listen: ({ caller, request }) => handle(request, caller),
      end: ({ caller, request }) => handle(request, caller),
    });
  }),
);

/** The agents' endpoint, with this contract's refusals. */
export const endpoint: Layer.Layer<AgentEndpoint.AgentEndpoint, never, AgentEndpoint.Services> =
  Layer.provide(AgentEndpoint.AgentEndpoint.layer, refusals);
