import { SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Effect, Redacted, Predicate } from "effect";

/** The agents' endpoint from the bridge's side: its URL, its transport and its errors. */

export type Transport = StreamableHTTPClientTransport;

/** The endpoint's URL, from the server's URL or the endpoint's own; null unless http or https. */
export const parse = (url: string): URL | null => {
  const base = URL.parse(url.trim().replace(/\/+$/, ""));
  if (base === null || !/^https?:$/.test(base.protocol)) return null;
  if (!base.pathname.endsWith("/mcp")) base.pathname = `${base.pathname.replace(/\/$/, "")}/mcp`;
  return base;
};

/** Opens an SDK transport, which reopens lost change streams until it is closed. */
export const open = (
  endpoint: URL,
  {
    key,
    runId,
    userAgent,
  }: {
    readonly key: Redacted.Redacted<string>;
    readonly runId: string | null;
    readonly userAgent: string;
  },
): Effect.Effect<Transport> =>
  Effect.promise(async () => {
    const headers = {
      authorization: `Bearer ${Redacted.value(key)}`,
      "user-agent": userAgent,
      ...(runId === null ? {} : { "quartermaster-run": runId }),
    };
    const transport = new StreamableHTTPClientTransport(endpoint, {
      requestInit: { headers },
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        reconnectionDelayGrowFactor: 1.5,
        maxReconnectionDelay: 10_000,
        maxRetries: Number.POSITIVE_INFINITY,
      },
    });
    await transport.start();
    return transport;
  });

/** Fails with the rejection of the promise, unwrapped. */
export const attempt = <A>(f: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: f, catch: (error: unknown) => error });

export const statusOf = (error: unknown): number | undefined =>
  error instanceof SdkHttpError ? error.status : undefined;

const codeOf = (error: unknown): string => {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return "";
  return "code" in error.cause ? String(error.cause.code) : "";
};

/** Whether the connection failed before the request was sent. */
export const isUnreached = (error: unknown): boolean =>
  ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(codeOf(error));

export const lost = "The connection was lost before the server responded.";

/** Describes a failure in one sentence, for the host and for people. */
export const sentenceOf = (error: unknown, { origin }: URL): string => {
  if (error instanceof SdkHttpError) return `${origin} rejected the request: ${detailOf(error)}`;
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(codeOf(error))
    ? lost
    : `${origin} cannot be reached.`;
};

/** The message of an error response, from a problem document or a JSON-RPC error. */
export const detailOf = ({ data, status }: SdkHttpError): string => {
  try {
    const { text } = data;
    const body: unknown = JSON.parse(typeof text === "string" ? text : "");
    if (Predicate.isReadonlyObject(body)) {
      if (typeof body["detail"] === "string") return body["detail"];
      if (Predicate.isReadonlyObject(body["error"])) return String(body["error"]["message"]);
    }
  } catch {}
  return `It responded with HTTP status ${status}.`;
};

export const tryingAgain = ({ origin }: URL): string => `${origin} cannot be reached; retrying.`;
