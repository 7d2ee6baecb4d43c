import {
  isInitializeRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { AgentSessions, Principal, Workers } from "@quartermaster/core";
import { Clock, Context, Effect } from "effect";
import { grantedAgent } from "../toolbox/GrantedAgent.ts";
import { type Kind, ToolChanges } from "../toolbox/ToolChanges.ts";
import * as AgentServer from "./AgentServer.ts";
import * as CallerOf from "./CallerOf.ts";
import { type EndpointRequest, post, toWeb } from "./EndpointRequest.ts";
import * as Instructions from "./Instructions.ts";
import * as KeepAlive from "./KeepAlive.ts";
import { beginUse, endUse, type McpSession, McpSessions } from "./McpSessions.ts";
import type { PlainRequests } from "./plain/PlainRequests.ts";
import { type Outcome, SessionTransport } from "./plain/SessionTransport.ts";
import * as Responses from "./Responses.ts";
import * as SessionId from "./SessionId.ts";

const sent: Readonly<Record<Kind, (server: Server) => Promise<void>>> = {
  tools: (server) => server.sendToolListChanged(),
  resources: (server) => server.sendResourceListChanged(),
  prompts: (server) => server.sendPromptListChanged(),
};

/** Sends a notification. Ignores failures, because the client may have disconnected. */
const announce = (server: Server, kind: Kind): void => {
  void sent[kind](server).catch(() => {});
};

/** Responds to a plain request with JSON. */
const asJson = (session: McpSession, answer: Effect.Effect<Outcome>, timing: KeepAlive.Timing) => {
  const headers = { "mcp-session-id": session.id };
  beginUse(session);
  const response = Effect.map(Effect.ensuring(answer, endUse(session)), (outcome) =>
    outcome === undefined ? Responses.none(headers) : Responses.message(outcome, headers),
  );
  return KeepAlive.orLate(response, timing, (pending) =>
    Responses.lateJson(pending, timing, headers),
  );
};

/**
 * Serves legacy protocol versions: each request belongs to a session or starts one with
 * `initialize`. `makeServer` creates the server of a session.
 *
 * The session on this node is a cache. If this node does not have a session, because another node
 * started it, the service restarted or the session was evicted, the node rebuilds it from its id.
 */
export const make = Effect.fnUntraced(function* (
  plain: PlainRequests,
  makeServer: (options: AgentServer.ServerFor) => Server,
) {
  const sessions = yield* McpSessions;
  const changes = yield* ToolChanges;
  const ids = yield* AgentSessions.AgentSessions;
  const workers = yield* Workers.Workers;
  const instructionsOf = yield* Instructions.make;
  const timing = yield* KeepAlive.CurrentTiming;

  /**
   * Opens a session with a server that waits for `initialize`. `onInitialized` runs before the
   * server handles it.
   */
  const open = Effect.fnUntraced(function* (
    request: EndpointRequest,
    id: string,
    missedChanges: boolean,
    options: AgentServer.ServerFor,
    onInitialized: (session: McpSession) => void,
  ) {
    const { agentId } = yield* Principal.CurrentPrincipal;
    const usedAt = yield* Clock.currentTimeMillis;
    if (agentId !== null) yield* changes.note(agentId);
    const server = makeServer(options);
    const transport = new SessionTransport(
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        keepAliveMs: timing.everyMillis,
        onsessioninitialized: () => onInitialized(session),
        onsessionclosed: () => sessions.remove(id),
      }),
    );
    const session: McpSession = {
      id,
      keyId: request.keyId,
      expiresAt: request.expiresAt === null ? null : Date.parse(request.expiresAt),
      server,
      transport,
      stopListening: changes.listen(agentId ?? "", (kind) => announce(server, kind)),
      missedChanges,
      usedAt,
      streams: 0,
    };
    yield* Effect.promise(() => server.connect(transport));
    return session;
  });

  /** Rebuilds a session from its id: sends its server an `initialize` equal to the client's. */
  const rebuild = Effect.fnUntraced(function* (request: EndpointRequest, id: string) {
    const carried = yield* ids.read(id, request.keyId);
    if (carried === null || !SessionId.isServed(carried.protocolVersion)) return undefined;
    const session = yield* open(request, id, true, {}, () => {});
    yield* Effect.promise(async () => {
      const response = await session.transport.http.handleRequest(post(), {
        parsedBody: SessionId.initializeOf(carried),
      });
      // The body ends when the server has responded.
      await response.text();
    });
    return sessions.adopt(session);
  });

  const sessionOf = Effect.fnUntraced(function* (request: EndpointRequest, id: string) {
    if (!sessions.has(id, request.keyId)) return yield* rebuild(request, id);
    if (yield* ids.isEnded(id)) {
      sessions.remove(id);
      return undefined;
    }
    return (yield* sessions.find(id, request.keyId)) ?? (yield* rebuild(request, id));
  });

  const inSession = Effect.fnUntraced(function* (request: EndpointRequest, session: McpSession) {
    const context = yield* Effect.context<Principal.CurrentPrincipal>();
    const { body, headers, method, until } = request;
    const { transport } = session;
    const authInfo = AgentServer.authInfoOf(request, context);
    const answer =
      method === "POST" ? plain.answerInSession(transport, body, headers, authInfo) : null;
    if (answer !== null) return yield* asJson(session, answer, timing);
    const response = yield* Effect.promise(() =>
      transport.http.handleRequest(toWeb(request), {
        authInfo,
        ...(method === "POST" ? { parsedBody: body } : {}),
      }),
    );
    if (response.ok && method === "DELETE") {
      yield* ids.end(session.id);
      const { agentId } = Context.get(context, Principal.CurrentPrincipal);
      if (agentId !== null) yield* workers.leave(agentId, CallerOf.inSession(session.id));
      // Another request may have rebuilt the session in the meantime.
      sessions.remove(session.id);
    }
    if (response.ok && method === "GET" && session.missedChanges) {
      session.missedChanges = false;
      announce(session.server, "tools");
      announce(session.server, "resources");
      if ((yield* grantedAgent) !== null) announce(session.server, "prompts");
    }
    return yield* Responses.fromWeb(response, {
      ...(method === "GET" ? { until } : {}),
      onOpen: () => beginUse(session),
      onClose: endUse(session),
      onAbort: () => transport.cancel(body),
    });
  });

  return Effect.fnUntraced(function* (request: EndpointRequest) {
    const { body, headers, keyId, method } = request;
    const id = headers["mcp-session-id"];
    if (id !== undefined) {
      const session = yield* sessionOf(request, id);
      if (session === undefined) return Responses.noSession;
      return method === "HEAD" ? Responses.streamHead : yield* inSession(request, session);
    }
    if (method === "POST" && isInitializeRequest(body)) {
      const issued = yield* ids.issue({ keyId, ...SessionId.carriedBy(body.params) });
      const hasPrompts = (yield* grantedAgent) !== null;
      const given = { instructions: yield* instructionsOf, hasPrompts };
      const session = yield* open(request, issued, false, given, sessions.add);
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
