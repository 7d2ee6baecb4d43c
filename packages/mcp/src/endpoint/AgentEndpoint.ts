import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundClassificationOutcome,
  isInitializeRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import {
  type Comments,
  type EventLog,
  type Issues,
  type Links,
  Principal,
  type ToolGateway,
  Span,
} from "@quartermaster/core";
import { Clock, Context, Effect, Layer } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { HttpServerResponse } from "effect/http";
import * as AgentServer from "./AgentServer.ts";
import * as Answers from "./Answers.ts";
import { EndpointOptions } from "./EndpointOptions.ts";
import * as Exchange from "./Exchange.ts";
import { beginUse, endUse, type McpSession, McpSessions } from "./McpSessions.ts";
import type { Refusals } from "./Refusals.ts";
import { isPlain, SessionTransport } from "./SessionTransport.ts";
import { Toolbox } from "./Toolbox.ts";
import { ToolChanges } from "./ToolChanges.ts";

/** A request that the host has let in: by an agent's key, from where it may come. */
export interface EndpointRequest {
  readonly method: "POST" | "GET" | "HEAD" | "DELETE";
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The JSON of a POST. */
  readonly body?: unknown;
  readonly keyId: string;
  /** Of the key; null if never. */
  readonly expiresAt: string | null;
  /** When streams of changes end: the key is good no longer, or the host ends. */
  readonly until: Effect.Effect<void>;
}

/** What the endpoint stands on, besides the host's words for refusals. */
export type Services =
  | Comments.Comments
  | EventLog.EventLog
  | Issues.Issues
  | Links.Links
  | SecureRandom.SecureRandom
  | ToolGateway.ToolGateway;

const url = "http://quartermaster/mcp";

const headersOf = ({ headers }: EndpointRequest): Headers => {
  const given = new Headers();
  for (const name of ["accept", "content-type", "last-event-id"]) {
    if (headers[name] !== undefined) given.set(name, headers[name]);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("mcp-") && value !== undefined) given.set(name, value);
  }
  return given;
};

/** The method that a message asks for, if it is a single one. */
const methodOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "method" in body ? body.method : undefined;

const isModern = (version: string | undefined) => version !== undefined && version >= "2026";

/** The agents' endpoint: an MCP server over Streamable HTTP, in the present revision and the older ones. */
export class AgentEndpoint extends Context.Service<
  AgentEndpoint,
  {
    handle(
      request: EndpointRequest,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/mcp/endpoint/AgentEndpoint") {
  static readonly layerNoDeps = Layer.effect(
    AgentEndpoint,
    Effect.gen(function* () {
      const sessions = yield* McpSessions;
      const changes = yield* ToolChanges;
      const random = yield* SecureRandom.SecureRandom;
      const { maxSubscriptionsPerKey } = yield* EndpointOptions;
      const makeServer = yield* AgentServer.maker;
      const exchange = yield* Exchange.make(makeServer([Exchange.revision]));
      /** Open streams of `subscriptions/listen`, by key. */
      const subscriptions = new Map<string, number>();

      const count = (keyId: string, by: 1 | -1) => {
        const open = (subscriptions.get(keyId) ?? 0) + by;
        if (open > 0) subscriptions.set(keyId, open);
        else subscriptions.delete(keyId);
      };

      const webRequest = (request: EndpointRequest, signal?: AbortSignal) =>
        new Request(url, {
          method: request.method,
          headers: headersOf(request),
          ...(signal === undefined ? {} : { signal }),
        });

      /** The present revision keeps nothing between requests; who hangs up cancels. */
      const stateless = Effect.fnUntraced(function* (
        request: EndpointRequest,
        route: InboundClassificationOutcome,
      ) {
        const context = yield* Effect.context<Principal.CurrentPrincipal>();
        const { agentId } = Context.get(context, Principal.CurrentPrincipal);
        const { body, headers, keyId, until } = request;
        const authInfo = AgentServer.authInfoOf(keyId, context);
        if (Exchange.takes(route, headers)) {
          return Answers.message(yield* exchange(route, authInfo));
        }
        const listens = methodOf(body) === "subscriptions/listen" && agentId !== null;
        if (listens) yield* changes.note(agentId);
        const handler = createMcpHandler(() => makeServer(), {
          legacy: "reject",
          maxSubscriptions: maxSubscriptionsPerKey - (subscriptions.get(keyId) ?? 0),
          bus: {
            publish: () => {},
            subscribe: (listener) => {
              const stop = changes.listen(agentId ?? "", () =>
                listener({ kind: "tools_list_changed" }),
              );
              count(keyId, 1);
              return () => {
                stop();
                count(keyId, -1);
              };
            },
          },
        });
        const response = yield* Effect.promise((signal) =>
          handler.fetch(webRequest(request, signal), {
            authInfo,
            ...(request.method === "POST" ? { parsedBody: body } : {}),
          }),
        );
        return yield* Answers.fromWeb(response, listens ? { until } : {});
      });

      const begin = Effect.fnUntraced(function* (request: EndpointRequest) {
        const { agentId } = yield* Principal.CurrentPrincipal;
        const id = Hex.encode(yield* random.randomBytes(24));
        const usedAt = yield* Clock.currentTimeMillis;
        if (agentId !== null) yield* changes.note(agentId);
        const server = makeServer();
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

      const inSession = Effect.fnUntraced(function* (
        request: EndpointRequest,
        session: McpSession,
      ) {
        const context = yield* Effect.context<Principal.CurrentPrincipal>();
        const { body, headers, keyId, method, until } = request;
        const { transport } = session;
        const authInfo = AgentServer.authInfoOf(keyId, context);
        if (method === "POST" && isPlain(body) && transport.takes(body, headers)) {
          beginUse(session);
          const asked = transport.ask(body, { authInfo });
          const outcome = yield* Effect.ensuring(asked, endUse(session));
          const headers = { "mcp-session-id": session.id };
          return outcome === undefined ? Answers.none(headers) : Answers.message(outcome, headers);
        }
        const response = yield* Effect.promise(() =>
          transport.http.handleRequest(webRequest(request), {
            authInfo,
            ...(method === "POST" ? { parsedBody: body } : {}),
          }),
        );
        return yield* Answers.fromWeb(response, {
          ...(method === "GET" ? { until } : {}),
          onOpen: () => beginUse(session),
          close: endUse(session),
        });
      });

      /** A request of the older revisions: in its session, or the one that begins it. */
      const stateful = Effect.fnUntraced(function* (request: EndpointRequest) {
        const id = request.headers["mcp-session-id"];
        if (id !== undefined) {
          const session = yield* sessions.find(id, request.keyId);
          if (session === undefined) return Answers.noSession;
          if (request.method === "HEAD") return Answers.streamHead;
          return yield* inSession(request, session);
        }
        if (request.method === "POST" && isInitializeRequest(request.body)) {
          const session = yield* begin(request);
          const response = yield* inSession(request, session);
          if (response.status >= 400) session.stopListening();
          return response;
        }
        return Answers.refused(
          400,
          ProtocolErrorCode.InvalidRequest,
          "The header Mcp-Session-Id is required: begin a session by initialize.",
        );
      });

      const handle = Span.fn("AgentEndpoint.handle")(function* (request: EndpointRequest) {
        const { body, headers, method } = request;
        const version = headers["mcp-protocol-version"];
        if (method !== "POST") {
          const old = headers["mcp-session-id"] !== undefined || !isModern(version);
          return yield* old ? stateful(request) : Effect.succeed(Answers.postAlone);
        }
        // What is plain says nothing of the present revision.
        if (headers["mcp-session-id"] !== undefined && !isModern(version) && isPlain(body)) {
          return yield* stateful(request);
        }
        const route = classifyInboundRequest({
          httpMethod: method,
          body,
          ...(version === undefined ? {} : { protocolVersionHeader: version }),
          ...(headers["mcp-method"] === undefined
            ? {}
            : { mcpMethodHeader: headers["mcp-method"] }),
          ...(headers["mcp-name"] === undefined ? {} : { mcpNameHeader: headers["mcp-name"] }),
        });
        return yield* route.kind === "legacy" ? stateful(request) : stateless(request, route);
      });

      return AgentEndpoint.of({ handle });
    }),
  );

  static readonly layer: Layer.Layer<AgentEndpoint, never, Services | Refusals> =
    AgentEndpoint.layerNoDeps.pipe(
      Layer.provide(Layer.mergeAll(McpSessions.layer, ToolChanges.layer, Toolbox.layer)),
    );
}
