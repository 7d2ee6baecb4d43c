import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import {
  Agents,
  AgentSessions,
  Attachments,
  Comments,
  EventLog,
  Issues,
  Links,
  MasterKeys,
  type McpConnector,
  Principal,
  Projects,
  IssueEffects,
  Questions,
  PromptGateway,
  ResourceGateway,
  Runs,
  ToolGateway,
  Workers,
} from "@quartermaster/core";
import { MemoryStorage, SeededRandom, TestCore } from "@quartermaster/testing";
import { Context, Effect, Layer, type Scope, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as PlainRequests from "../../src/agents/endpoint/plain/PlainRequests.ts";
import { AgentEndpoint, Refusals } from "../../src/index.ts";

/** The agents' endpoint in process, over a gateway with one tool: `echo` returns its arguments. */

type Call = (args: Readonly<Record<string, unknown>>) => Effect.Effect<McpConnector.ToolResult>;

export interface Options {
  /** Whether plain requests take the fast path. Default: true. */
  readonly plain?: boolean;
  /** Default: direct. */
  readonly toolMode?: "direct" | "search";
  /** The behavior of the tool. */
  readonly call?: Call;
  /** Additional members of the tool's definition. */
  readonly definition?: object;
  /** The behavior of the work loop. Default: it renews nothing, and has no notice. */
  readonly workers?: Partial<Pick<Workers.Workers["Service"], "notices" | "renew">>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the response, or the data of the last event of a stream. */
  readonly text: string;
}

const definition = { name: "echo", inputSchema: { type: "object" }, "x-vendor": { kept: true } };

const echo: Call = (args) =>
  Effect.succeed({ content: [{ type: "text", text: JSON.stringify(args) }], "x-more": 1 });

/** Sessions with the same ids at every endpoint. */
const sessions = AgentSessions.AgentSessions.layer.pipe(
  Layer.provide([MemoryStorage.layer, MasterKeys.MasterKeys.layer([TestCore.masterKey(1)])]),
  Layer.provide(SeededRandom.layer),
  Layer.provide(NodeCrypto.layer),
);

const services = ({ call = echo, definition: more, workers }: Options) =>
  Layer.mergeAll(
    Layer.mock(ToolGateway.ToolGateway, {
      instructions: () => Effect.succeed([]),
      usable: () =>
        Effect.succeed([{ name: "fix__echo", definition: { ...definition, ...more } } as never]),
      call: (_, input) => call((input.arguments ?? {}) as Readonly<Record<string, unknown>>),
    }),
    Layer.mock(PromptGateway.PromptGateway, { list: () => Effect.succeed([]) }),
    Layer.mock(ResourceGateway.ResourceGateway, {
      servers: () => Effect.succeed([]),
      changed: Stream.never,
    }),
    Layer.mock(EventLog.EventLog, { subscribe: () => Effect.succeed(Stream.never) }),
    Layer.mock(Issues.Issues, {}),
    Layer.mock(Comments.Comments, {}),
    Layer.mock(Links.Links, {}),
    Layer.mock(IssueEffects.IssueEffects, {}),
    Layer.mock(Questions.Questions, {}),
    Layer.mock(Agents.Agents, {}),
    Layer.mock(Projects.Projects, {}),
    Layer.mock(Runs.Runs, {}),
    Layer.mock(Attachments.Attachments, {}),
    Layer.mock(Workers.Workers, {
      renew: () => Effect.succeed([]),
      notices: () => Effect.succeed([]),
      acting: () => Effect.succeed({ run: null, several: [] }),
      ...workers,
    }),
    Layer.succeed(Refusals.Refusals, { problemOf: () => ({ detail: "Refused." }) }),
    sessions,
  );

const agent: Principal.Principal = {
  type: "Agent",
  id: "bot",
  role: "Editor",
  projects: null,
  agentId: "bot",
  userId: null,
};

const lastData = (text: string) =>
  text
    .split("\n")
    .findLast((line) => line.startsWith("data: "))
    ?.slice("data: ".length) ?? "";

export type Endpoint = (
  body: unknown,
  headers?: Readonly<Record<string, string>>,
) => Effect.Effect<Reply>;

export const accept = { accept: "application/json, text/event-stream" };

/** Returns a function that sends a POST to the endpoint. */
export const make = (options: Options = {}): Effect.Effect<Endpoint, never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.fresh(
        AgentEndpoint.AgentEndpoint.layer.pipe(
          Layer.provide(services(options)),
          Layer.provide(Layer.succeed(PlainRequests.Enabled, options.plain ?? true)),
        ),
      ),
    );
    const { handle } = Context.get(context, AgentEndpoint.AgentEndpoint);
    return Effect.fnUntraced(function* (body, headers = {}) {
      const response = yield* Effect.provideService(
        Effect.orDie(
          handle({
            method: "POST",
            headers: { "content-type": "application/json", ...accept, ...headers },
            body,
            keyId: "key",
            toolMode: Effect.succeed(options.toolMode ?? "direct"),
            expiresAt: null,
            until: Effect.never,
          }),
        ),
        Principal.CurrentPrincipal,
        agent,
      );
      const web = HttpServerResponse.toWeb(response);
      const text = yield* Effect.promise(() => web.text());
      const type = web.headers.get("content-type") ?? "";
      return {
        status: web.status,
        headers: Object.fromEntries(web.headers),
        text: type.startsWith("text/event-stream") ? lastData(text) : text,
      };
    }, Effect.scoped);
  });

export const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** Starts a session. Returns the header that names it. */
export const startSession = (endpoint: Endpoint) =>
  Effect.map(endpoint(initialize), ({ headers }) => ({
    "mcp-session-id": headers["mcp-session-id"] ?? "",
  }));

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the current protocol version, with matching headers. */
export const current = (
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: unknown = 1,
) => ({
  body: { jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } },
  headers: {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
  },
});
