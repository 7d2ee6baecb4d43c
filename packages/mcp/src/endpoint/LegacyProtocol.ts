import {
  isInitializeRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Principal } from "@quartermaster/core";
import { Clock, Effect } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { ToolChanges } from "../tools/ToolChanges.ts";
import * as AgentServer from "./AgentServer.ts";
import { type EndpointRequest, toWeb } from "./EndpointRequest.ts";
import { beginUse, endUse, type McpSession, McpSessions } from "./McpSessions.ts";
import type { PlainRequests } from "./plain/PlainRequests.ts";
import { SessionTransport } from "./plain/SessionTransport.ts";
import * as Responses from "./Responses.ts";

/**
 * Requests of legacy protocol versions: each belongs to a session, or starts one by `initialize`.
 * `makeServer` makes a session's server.
 */
export const make = Effect.fnUntraced(function* (
  plain: PlainRequests,
  makeServer: (options: AgentServer.ServerFor) => Server,
) {
  const sessions = yield* McpSessions;
  const changes = yield* ToolChanges;
  const random = yield* SecureRandom.SecureRandom;

  /** A session that is stored as soon as the server has accepted `initialize`. */
  const open = Effect.fnUntraced(function* (request: EndpointRequest) {
    const principal = yield* Principal.CurrentPrincipal;
    const { agentId } = principal;
    const id = Hex.encode(yield* random.randomBytes(24));
    const usedAt = yield* Clock.currentTimeMillis;
    if (agentId !== null) yield* changes.note(agentId);
    const server = makeServer({ principal });
    const transport = new SessionTransport(
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessioninitialized: () => {
          sessions.add(session);
        },
        onsessionclosed: () => sessions.remove(id),
      }),
    );
    const session: McpSession = {
      id,
      keyId: request.keyId,
      expiresAt: request.expiresAt === null ? null : Date.parse(request.expiresAt),
      server,
      transport,
      stopListening: changes.listen(agentId ?? "", () => {
        server.sendToolListChanged().catch(() => {});
      }),
      usedAt,
      streams: 0,
    };
    yield* Effect.promise(() => server.connect(transport));
    return session;
  });

  const inSession = Effect.fnUntraced(function* (request: EndpointRequest, session: McpSession) {
    const context = yield* Effect.context<Principal.CurrentPrincipal>();
    const { body, headers, method, until } = request;
    const { transport } = session;
    const authInfo = AgentServer.authInfoOf(request, context);
    const answer =
      method === "POST" ? plain.answerInSession(transport, body, headers, authInfo) : null;
    if (answer !== null) {
      beginUse(session);
      const outcome = yield* Effect.ensuring(answer, endUse(session));
      const headers = { "mcp-session-id": session.id };
      return outcome === undefined ? Responses.none(headers) : Responses.message(outcome, headers);
    }
    const response = yield* Effect.promise(() =>
      transport.http.handleRequest(toWeb(request), {
        authInfo,
        ...(method === "POST" ? { parsedBody: body } : {}),
      }),
    );
    return yield* Responses.fromWeb(response, {
      ...(method === "GET" ? { until } : {}),
      onOpen: () => beginUse(session),
      onClose: endUse(session),
    });
  });

  return Effect.fnUntraced(function* (request: EndpointRequest) {
    const id = request.headers["mcp-session-id"];
    if (id !== undefined) {
      const session = yield* sessions.find(id, request.keyId);
      if (session === undefined) return Responses.noSession;
      if (request.method === "HEAD") return Responses.streamHead;
      return yield* inSession(request, session);
    }
    if (request.method === "POST" && isInitializeRequest(request.body)) {
      const session = yield* open(request);
      const response = yield* inSession(request, session);
      if (response.status >= 400) session.stopListening();
      return response;
    }
    return Responses.refused(
      400,
      ProtocolErrorCode.InvalidRequest,
      "The header Mcp-Session-Id is required. Start a session with initialize.",
    );
  });
});
