import type { Client, RequestOptions, Tool as SdkTool } from "@modelcontextprotocol/client";
import type { McpConnector, Tool } from "@quartermaster/core";
import { Effect, type Scope } from "effect";
import { anything } from "../protocol/PassThrough.ts";

/** A connected client, and the requests that it sends. */
export interface Session {
  readonly client: Client;
  readonly page: (
    cursor: string | undefined,
    timeoutMillis: number,
  ) => Effect.Effect<unknown, unknown>;
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    definition: Tool.ToolDefinition | undefined,
    options: RequestOptions,
  ) => Effect.Effect<McpConnector.ToolResult, unknown>;
}

/** Wraps a connected client, and closes it with the scope. `onToolsChanged` gets each notification. */
export const make = Effect.fnUntraced(function* (
  client: Client,
  onToolsChanged: () => void,
): Effect.fn.Return<Session, never, Scope.Scope> {
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.tryPromise(() => client.close())));
  client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged);
  if (client.getProtocolEra() === "modern")
    yield* Effect.forkScoped(listen(client, onToolsChanged));

  const request = (
    method: "tools/list" | "tools/call",
    params: Record<string, unknown>,
    options: RequestOptions,
  ) => attempt((signal) => client.request({ method, params }, anything, { ...options, signal }));

  const page: Session["page"] = (cursor, timeoutMillis) => {
    // A server without the tools capability may not implement `tools/list`.
    if (client.getServerCapabilities()?.tools === undefined) return Effect.succeed({ tools: [] });
    return request("tools/list", cursor === undefined ? {} : { cursor }, {
      timeout: timeoutMillis,
    });
  };

  const call: Session["call"] = (name, args, definition, options) => {
    const params = { name, arguments: args };
    const answer = hasHeaders(client, definition)
      ? attempt((signal) =>
          client.callTool(params, {
            ...options,
            signal,
            toolDefinition: withoutOutput(definition),
          }),
        )
      : request("tools/call", params, options);
    return answer as Effect.Effect<McpConnector.ToolResult, unknown>;
  };

  return { client, page, call };
});

const attempt = <A>(f: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: f, catch: (error) => error });

/** Since revision 2026-07-28 tools may require arguments as headers, which the SDK adds. */
const hasHeaders = (
  client: Client,
  definition: Tool.ToolDefinition | undefined,
): definition is Tool.ToolDefinition =>
  definition !== undefined &&
  client.getProtocolEra() === "modern" &&
  JSON.stringify(definition["inputSchema"] ?? {}).includes('"x-mcp-header"');

const withoutOutput = ({ outputSchema: _, ...definition }: Tool.ToolDefinition) =>
  definition as unknown as SdkTool;

/** Since revision 2026-07-28 servers notify only clients that listen. */
const listen = (client: Client, onToolsChanged: () => void) => {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return Effect.void;
  const once = Effect.acquireUseRelease(
    attempt((signal) => client.listen({ toolsListChanged: true }, { signal })),
    (subscription) => attempt(() => subscription.closed),
    (subscription) => Effect.ignore(attempt(() => subscription.close())),
  );
  return once.pipe(
    Effect.ignore,
    Effect.andThen(Effect.sleep("2 seconds")),
    // Changes may have been missed.
    Effect.andThen(Effect.sync(onToolsChanged)),
    Effect.forever,
  );
};
