import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { McpConnector } from "@quartermaster/core";
import { Effect, Redacted, type Scope } from "effect";

/** The response of a test's server to a request whose body has been read. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  message: Message | null,
) => void;

export interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly [name: string]: unknown };
}

const listening = (
  handler: Handler,
  tls?: { readonly key: string; readonly cert: string },
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>();
      const onRequest = (request: IncomingMessage, response: ServerResponse) => {
        let body = "";
        request.on("data", (chunk) => (body += chunk));
        request.on("end", () => handler(request, response, body === "" ? null : JSON.parse(body)));
      };
      const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
      server.on("connection", (socket) => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
      });
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo;
        resume(
          Effect.succeed({
            url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
            close: () => {
              server.close();
              for (const socket of sockets) socket.destroy();
            },
          }),
        );
      });
    }),
    ({ close }) => Effect.sync(close),
  ).pipe(Effect.map(({ url }) => url));

export const serve = (handler: Handler) => listening(handler);
export const serveTls = (key: string, cert: string, handler: Handler) =>
  listening(handler, { key, cert });

export const json = (
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) =>
  response
    .writeHead(200, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));

/** The handler of a correct server. The options replace some of its responses. */
export const good = (
  options: {
    readonly session?: () => string | undefined;
    readonly tools?: () => ReadonlyArray<unknown>;
    readonly instructions?: () => string | undefined;
    readonly call?: Handler;
  } = {},
): Handler => {
  return (request, response, message) => {
    if (request.method === "GET") return void response.writeHead(405).end();
    if (request.method === "DELETE") return void response.writeHead(200).end();
    const session = options.session?.();
    const { id, method, params } = message!;
    if (method === "initialize") {
      const result = {
        protocolVersion: params?.["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "fixture", version: "1.0.0" },
        instructions: options.instructions?.(),
      };
      const headers = session === undefined ? {} : { "mcp-session-id": session };
      return void json(response, { jsonrpc: "2.0", id, result }, headers);
    }
    if (session !== undefined && request.headers["mcp-session-id"] !== session) {
      return void response.writeHead(404).end("Session not found");
    }
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/call" && options.call) return options.call(request, response, message);
    const tools = options.tools?.() ?? [{ name: "echo", inputSchema: { type: "object" } }];
    const result =
      method === "tools/list"
        ? { tools }
        : { content: [{ type: "text", text: JSON.stringify(params?.["arguments"]) }], "x-more": 1 };
    json(response, { jsonrpc: "2.0", id, result });
  };
};

export const connect = (
  url: string,
  options: {
    readonly transport?: "http" | "sse";
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMillis?: number;
  } = {},
) =>
  Effect.flatMap(McpConnector.McpConnector, (connector) =>
    connector.connect(
      {
        transport: options.transport ?? "http",
        url: Redacted.make(url),
        headers: Object.fromEntries(
          Object.entries(options.headers ?? {}).map(([name, value]) => [
            name,
            Redacted.make(value),
          ]),
        ),
      },
      { timeoutMillis: options.timeoutMillis ?? 10_000 },
    ),
  );
