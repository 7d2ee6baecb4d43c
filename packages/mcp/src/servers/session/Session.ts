import type { Client, RequestOptions, Tool as SdkTool } from "@modelcontextprotocol/client";
import type { McpConnector, Tool } from "@quartermaster/core";
import { Effect, type Scope } from "effect";
import { anything } from "../../protocol/PassThrough.ts";
import * as Elicitation from "./Elicitation.ts";

/** The lists of a server, by the field of the result that contains them. */
export const lists = {
  tools: "tools/list",
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
  prompts: "prompts/list",
} as const;
export type List = keyof typeof lists;

type Meta = McpConnector.CallOptions["meta"];

const capabilityOf = {
  tools: "tools",
  resources: "resources",
  resourceTemplates: "resources",
  prompts: "prompts",
} as const;

/** A connected client and its requests. */
export interface Session {
  readonly client: Client;
  /** Reads a page of a list; an empty page if the server did not announce the list. */
  readonly page: (
    list: List,
    cursor: string | undefined,
    timeoutMillis: number,
  ) => Effect.Effect<unknown, unknown>;
  readonly read: (
    uri: string,
    timeoutMillis: number,
    meta: Meta,
  ) => Effect.Effect<unknown, unknown>;
  readonly prompt: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    timeoutMillis: number,
    meta: Meta,
  ) => Effect.Effect<unknown, unknown>;
  /** Nothing if the server did not announce completions. */
  readonly complete: (
    completion: McpConnector.Completion,
    timeoutMillis: number,
    meta: Meta,
  ) => Effect.Effect<unknown, unknown>;
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    definition: Tool.ToolDefinition | undefined,
    options: RequestOptions,
    meta: Meta,
  ) => Effect.Effect<McpConnector.ToolResult, unknown>;
}

/** Called for each notification that a list has changed. Prompts are listed with the tools. */
export interface ListEvents {
  readonly onToolsChanged: () => void;
  readonly onResourcesChanged: () => void;
}

/** Wraps a connected client. Closing the scope closes it. */
export const make = Effect.fnUntraced(function* (
  client: Client,
  events: ListEvents,
): Effect.fn.Return<Session, never, Scope.Scope> {
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.tryPromise(() => client.close())));
  Elicitation.refuse(client);
  client.setNotificationHandler("notifications/tools/list_changed", events.onToolsChanged);
  client.setNotificationHandler("notifications/prompts/list_changed", events.onToolsChanged);
  client.setNotificationHandler("notifications/resources/list_changed", events.onResourcesChanged);
  if (client.getProtocolEra() === "modern") yield* Effect.forkScoped(listen(client, events));

  const request = (
    method:
      | (typeof lists)[List]
      | "completion/complete"
      | "prompts/get"
      | "resources/read"
      | "tools/call",
    params: Record<string, unknown>,
    options: RequestOptions,
  ) => attempt((signal) => client.request({ method, params }, anything, { ...options, signal }));

  const page: Session["page"] = (list, cursor, timeoutMillis) => {
    // A server without the capability may lack the method.
    if (client.getServerCapabilities()?.[capabilityOf[list]] === undefined) {
      return Effect.succeed({ [list]: [] });
    }
    return request(lists[list], cursor === undefined ? {} : { cursor }, {
      timeout: timeoutMillis,
    });
  };

  /** A request whose result no one can be asked to complete. */
  const ask = (
    method: "prompts/get" | "resources/read",
    params: Record<string, unknown>,
    timeout: number,
    meta: Meta,
  ) =>
    Effect.flatMap(
      request(method, { ...params, ...inParams(meta) }, { timeout, allowInputRequired: true }),
      Elicitation.required,
    );

  const read: Session["read"] = (uri, timeout, meta) =>
    ask("resources/read", { uri }, timeout, meta);

  const prompt: Session["prompt"] = (name, args, timeout, meta) =>
    ask("prompts/get", { name, arguments: args }, timeout, meta);

  const complete: Session["complete"] = (completion, timeout, meta) =>
    client.getServerCapabilities()?.completions === undefined
      ? Effect.succeed({ completion: { values: [] } })
      : request("completion/complete", { ...completion, ...inParams(meta) }, { timeout });

  const call: Session["call"] = (name, args, definition, options, meta) => {
    const params = { name, arguments: args, ...inParams(meta) };
    const answer = hasHeaders(client, definition)
      ? attempt((signal) =>
          client.callTool(params, {
            ...options,
            signal,
            allowInputRequired: true,
            toolDefinition: withoutOutput(definition),
          }),
        )
      : request("tools/call", params, { ...options, allowInputRequired: true });
    return Effect.map(answer, Elicitation.answered) as Effect.Effect<
      McpConnector.ToolResult,
      unknown
    >;
  };

  return { client, page, read, prompt, complete, call };
});

const inParams = (meta: Meta) => (meta === undefined ? {} : { _meta: meta });

const attempt = <A>(f: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: f, catch: (error) => error });

/** Since protocol version 2026-07-28 tools may require arguments as headers, which the SDK adds. */
const hasHeaders = (
  client: Client,
  definition: Tool.ToolDefinition | undefined,
): definition is Tool.ToolDefinition =>
  definition !== undefined &&
  client.getProtocolEra() === "modern" &&
  JSON.stringify(definition["inputSchema"] ?? {}).includes('"x-mcp-header"');

const withoutOutput = ({ outputSchema: _, ...definition }: Tool.ToolDefinition) =>
  definition as unknown as SdkTool;

/** Since protocol version 2026-07-28 servers notify only clients with a subscription. */
const listen = (client: Client, { onResourcesChanged, onToolsChanged }: ListEvents) => {
  const { prompts, resources, tools } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return Effect.void;
  const once = Effect.acquireUseRelease(
    attempt((signal) => client.listen(filter, { signal })),
    (subscription) => attempt(() => subscription.closed),
    (subscription) => Effect.ignore(attempt(() => subscription.close())),
  );
  return once.pipe(
    Effect.ignore,
    Effect.andThen(Effect.sleep("2 seconds")),
    // Changes may have been missed before the subscription.
    Effect.andThen(
      Effect.sync(() => {
        if (filter.toolsListChanged || filter.promptsListChanged) onToolsChanged();
        if (filter.resourcesListChanged) onResourcesChanged();
      }),
    ),
    Effect.forever,
  );
};
