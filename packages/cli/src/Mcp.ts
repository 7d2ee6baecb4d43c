import { Effect, Random } from "effect";
import * as Api from "./Api.ts";
import { CommandError } from "./CommandError.ts";
import type { JsonObject } from "./Input.ts";
import * as Output from "./Output.ts";
import { Version } from "./process/Version.ts";

/**
 * Calls tools at `/mcp` with the current protocol version: one request per call, without a session.
 * Each command is a separate worker, so it takes over no run of another process with the same key.
 */

const revision = "2026-07-28";

/** The result of a tool. */
interface ToolResult {
  readonly content: ReadonlyArray<JsonObject>;
  readonly structuredContent: unknown;
  readonly isError: boolean;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null;

const refused = (problem: string, detail: string) =>
  new CommandError({
    kind: problem === "not-found" ? "notFound" : "refused",
    message: Output.cell(`${detail} (${problem})`),
    problem,
    retryAfterSeconds: null,
  });

/** The error for a response that does not come from a Quartermaster `/mcp`. */
export const notMcp = (url: string) =>
  new CommandError({
    kind: "unreachable",
    message: `${url}/mcp is not the endpoint of a Quartermaster server. Check the URL.`,
    problem: null,
    retryAfterSeconds: null,
  });

/** A random worker name: 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
export const worker = Effect.map(
  Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER),
  (number) => `cli-${number.toString(36)}`,
);

interface CallOptions extends Api.Limits {
  readonly worker: string;
}

/** Calls a tool of the service. The service's tool `call_tool` calls a granted tool. */
const call = Effect.fnUntraced(function* (
  access: Api.Access,
  name: string,
  args: object,
  { worker, ...limits }: CallOptions,
) {
  const version = yield* Version;
  const message = {
    tools: "search",
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": { name: "quartermaster", version },
        "io.modelcontextprotocol/clientCapabilities": {},
        "quartermaster/worker": worker,
      },
    },
  };
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": revision,
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const text = yield* Api.call(
    access,
    async (client, options) => (await client.mcp.call(message, { ...options, headers })).text(),
    limits,
  );
  const answer: unknown = yield* Effect.try({
    try: () => JSON.parse(text),
    catch: () => notMcp(access.url),
  });
  if (!isObject(answer)) return yield* notMcp(access.url);
  const { error, result } = answer;
  if (isObject(error)) return yield* refused("mcp", String(error["message"]));
  if (!isObject(result) || !Array.isArray(result["content"])) return yield* notMcp(access.url);
  return {
    content: result["content"].filter(isObject),
    structuredContent: result["structuredContent"] ?? null,
    isError: result["isError"] === true,
  } satisfies ToolResult;
});

/**
 * The refusal in a tool result: its single text is JSON with `error` and `detail`. Null if there is
 * none.
 */
const refusalOf = ({ content, isError }: ToolResult): CommandError | null => {
  if (!isError || content.length !== 1) return null;
  const answer = parsed(content[0]?.["text"]);
  if (!isObject(answer)) return null;
  const { detail, error } = answer;
  return typeof error === "string" && typeof detail === "string" ? refused(error, detail) : null;
};

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** Calls a tool of the service and returns the JSON value of its text. */
export const ask = Effect.fnUntraced(function* (
  access: Api.Access,
  name: string,
  args: object,
  options: CallOptions,
) {
  const result = yield* call(access, name, args, options);
  const refusal = refusalOf(result);
  if (refusal !== null) return yield* refusal;
  const value = parsed(result.content[0]?.["text"]);
  return value === undefined ? yield* notMcp(access.url) : value;
});
