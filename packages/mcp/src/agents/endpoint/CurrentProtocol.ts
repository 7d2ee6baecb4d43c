import {
  type AuthInfo,
  createMcpHandler,
  type InboundClassificationOutcome,
  type Server,
} from "@modelcontextprotocol/server";
import { Principal } from "@quartermaster/core";
import { Context, Effect } from "effect";
import { grantedAgent } from "../toolbox/GrantedAgent.ts";
import { ToolChanges } from "../toolbox/ToolChanges.ts";
import * as AgentServer from "./AgentServer.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import { type EndpointRequest, toWeb } from "./EndpointRequest.ts";
import * as Instructions from "./Instructions.ts";
import * as KeepAlive from "./KeepAlive.ts";
import type { PlainRequests } from "./plain/PlainRequests.ts";
import * as Responses from "./Responses.ts";

/** The method of a single message. */
const methodOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "method" in body ? body.method : undefined;

/**
 * Serves the current protocol version, which has no sessions: the endpoint stores nothing between
 * requests, and a client cancels a request by closing it.
 */
export const make = Effect.fnUntraced(function* (
  plain: PlainRequests,
  makeServer: (options: AgentServer.ServerFor) => Server,
) {
  const changes = yield* ToolChanges;
  const instructionsOf = yield* Instructions.make;
  const { maxSubscriptionsPerKey } = yield* EndpointOptions;
  const timing = yield* KeepAlive.CurrentTiming;
  /** Open streams of `subscriptions/listen`, by key. */
  const subscriptions = new Map<string, number>();

  const count = (keyId: string, by: 1 | -1) => {
    const open = (subscriptions.get(keyId) ?? 0) + by;
    if (open > 0) subscriptions.set(keyId, open);
    else subscriptions.delete(keyId);
  };

  const handlerFor = (keyId: string, agentId: string | null, options: AgentServer.ServerFor) =>
    createMcpHandler(() => makeServer(options), {
      legacy: "reject",
      keepAliveMs: timing.everyMillis,
      maxSubscriptions: maxSubscriptionsPerKey - (subscriptions.get(keyId) ?? 0),
      bus: {
        publish: () => {},
        subscribe: (listener) => {
          const stop = changes.listen(agentId ?? "", (kind) =>
            listener({ kind: `${kind}_list_changed` }),
          );
          count(keyId, 1);
          return () => {
            stop();
            count(keyId, -1);
          };
        },
      },
    });

  const fetch = (
    request: EndpointRequest,
    options: AgentServer.ServerFor,
    agentId: string | null,
    authInfo: AuthInfo,
  ) =>
    Effect.promise((signal) =>
      handlerFor(request.keyId, agentId, options).fetch(toWeb(request, signal), {
        authInfo,
        ...(request.method === "POST" ? { parsedBody: request.body } : {}),
      }),
    );

  return Effect.fnUntraced(function* (
    request: EndpointRequest,
    route: InboundClassificationOutcome,
  ) {
    const context = yield* Effect.context<Principal.CurrentPrincipal>();
    const { agentId } = Context.get(context, Principal.CurrentPrincipal);
    const { body, headers, until } = request;
    const authInfo = AgentServer.authInfoOf(request, context);
    const asked = methodOf(body);
    if (asked === "subscriptions/listen") {
      if (agentId !== null) yield* changes.note(agentId);
      const hasPrompts = (yield* grantedAgent) !== null;
      const response = yield* fetch(request, { hasPrompts }, agentId, authInfo);
      return yield* Responses.fromWeb(response, agentId === null ? {} : { until });
    }
    const answer = plain.answer(route, headers, authInfo);
    const options =
      asked === "server/discover"
        ? { instructions: yield* instructionsOf, hasPrompts: (yield* grantedAgent) !== null }
        : {};
    const response =
      answer === null
        ? Effect.flatMap(fetch(request, options, agentId, authInfo), (sent) =>
            Responses.fromWeb(sent, {}),
          )
        : Effect.map(answer, (message) => Responses.message(message));
    return yield* KeepAlive.orLate(response, timing, (pending) =>
      Responses.lateEvents(pending, timing),
    );
  });
});
