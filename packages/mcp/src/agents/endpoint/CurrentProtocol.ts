import {
  createMcpHandler,
  type InboundClassificationOutcome,
  type Server,
} from "@modelcontextprotocol/server";
import { Principal } from "@quartermaster/core";
import { Context, Effect } from "effect";
import { ToolChanges } from "../toolbox/ToolChanges.ts";
import * as AgentServer from "./AgentServer.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import { type EndpointRequest, toWeb } from "./EndpointRequest.ts";
import * as Instructions from "./Instructions.ts";
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

  return Effect.fnUntraced(function* (
    request: EndpointRequest,
    route: InboundClassificationOutcome,
  ) {
    const context = yield* Effect.context<Principal.CurrentPrincipal>();
    const { agentId } = Context.get(context, Principal.CurrentPrincipal);
    const { body, headers, keyId, method, until } = request;
    const authInfo = AgentServer.authInfoOf(request, context);
    const answer = plain.answer(route, headers, authInfo);
    if (answer !== null) return Responses.message(yield* answer);
    const asked = methodOf(body);
    const listens = asked === "subscriptions/listen" && agentId !== null;
    if (listens) yield* changes.note(agentId);
    const options = asked === "server/discover" ? { instructions: yield* instructionsOf } : {};
    const handler = handlerFor(keyId, agentId, options);
    const response = yield* Effect.promise((signal) =>
      handler.fetch(toWeb(request, signal), {
        authInfo,
        ...(method === "POST" ? { parsedBody: body } : {}),
      }),
    );
    return yield* Responses.fromWeb(response, listens ? { until } : {});
  });
});
