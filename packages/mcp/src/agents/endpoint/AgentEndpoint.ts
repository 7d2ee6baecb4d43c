import { classifyInboundRequest } from "@modelcontextprotocol/server";
import type {
  Agents,
  AgentSessions,
  Attachments,
  Comments,
  Errors,
  EventLog,
  IssueEffects,
  Issues,
  Links,
  Principal,
  Projects,
  Questions,
  PromptGateway,
  ResourceGateway,
  Runs,
  ToolGateway,
  Workers,
} from "@quartermaster/core";
import { Context, Effect, Layer, type Scope } from "effect";
import type { HttpServerResponse } from "effect/http";
import type { Refusals } from "../toolbox/Refusals.ts";
import { Toolbox } from "../toolbox/Toolbox.ts";
import { ToolChanges } from "../toolbox/ToolChanges.ts";
import * as AgentServer from "./AgentServer.ts";
import * as CurrentProtocol from "./CurrentProtocol.ts";
import type { EndpointRequest } from "./EndpointRequest.ts";
import * as LegacyProtocol from "./LegacyProtocol.ts";
import { McpSessions } from "./McpSessions.ts";
import * as PlainRequests from "./plain/PlainRequests.ts";
import * as Responses from "./Responses.ts";

export type { EndpointRequest } from "./EndpointRequest.ts";

/** Services that the endpoint needs in addition to the host's `Refusals`. */
export type Services =
  | Agents.Agents
  | AgentSessions.AgentSessions
  | Attachments.Attachments
  | Comments.Comments
  | EventLog.EventLog
  | IssueEffects.IssueEffects
  | Issues.Issues
  | Links.Links
  | Projects.Projects
  | Questions.Questions
  | PromptGateway.PromptGateway
  | ResourceGateway.ResourceGateway
  | Runs.Runs
  | ToolGateway.ToolGateway
  | Workers.Workers;

/**
 * The agents' endpoint: an MCP server over Streamable HTTP. Selects the current or a legacy
 * protocol version for each request.
 */
export class AgentEndpoint extends Context.Service<
  AgentEndpoint,
  {
    /** The request ends when its scope closes. */
    handle(
      request: EndpointRequest,
    ): Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      Errors.StorageError,
      Principal.CurrentPrincipal | Scope.Scope
    >;
  }
>()("@quartermaster/mcp/agents/endpoint/AgentEndpoint") {
  static readonly layerNoDeps = Layer.effect(
    AgentEndpoint,
    Effect.gen(function* () {
      const makeServer = yield* AgentServer.maker;
      const plain = yield* PlainRequests.make((supportedProtocolVersions) =>
        makeServer({ supportedProtocolVersions }),
      );
      const current = yield* CurrentProtocol.make(plain, makeServer);
      const legacy = yield* LegacyProtocol.make(plain, makeServer);

      // The host already traces its requests, and the stack trace of `Effect.fn` costs 12 us per
      // request.
      const handle = Effect.fnUntraced(function* (request: EndpointRequest) {
        const { body, headers, method } = request;
        const version = headers["mcp-protocol-version"];
        if (method !== "POST") {
          const isLegacy =
            headers["mcp-session-id"] !== undefined || !PlainRequests.isCurrent(version);
          return isLegacy ? yield* legacy(request) : Responses.postOnly;
        }
        if (plain.isOfSession(body, headers)) return yield* legacy(request);
        const route = classifyInboundRequest({
          httpMethod: method,
          body,
          ...(version === undefined ? {} : { protocolVersionHeader: version }),
          ...(headers["mcp-method"] === undefined
            ? {}
            : { mcpMethodHeader: headers["mcp-method"] }),
          ...(headers["mcp-name"] === undefined ? {} : { mcpNameHeader: headers["mcp-name"] }),
        });
        return yield* route.kind === "legacy" ? legacy(request) : current(request, route);
      });

      return AgentEndpoint.of({ handle });
    }),
  );

  static readonly layer: Layer.Layer<AgentEndpoint, never, Services | Refusals> =
    AgentEndpoint.layerNoDeps.pipe(
      Layer.provide(Layer.mergeAll(McpSessions.layer, ToolChanges.layer, Toolbox.layer)),
    );
}
