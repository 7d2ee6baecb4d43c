import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Effect } from "effect";

/** An answer; none to what was cancelled. */
type Outcome = JSONRPCMessage | undefined;

/** Whether the request was carried out, nobody knows. */
const over = (id: RequestId): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_000, message: "The session ended before there was an answer" },
});

/**
 * The transport of a session. Messages come over the SDK's, which judges them and makes a stream
 * for each answer; a plain request is answered by its answer alone, without a stream, in a third
 * of the time.
 */
export class SessionTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly http: WebStandardStreamableHTTPServerTransport;
  /** Who waits for the answers to plain requests. */
  readonly #waiting = new Map<RequestId, (outcome: Outcome) => void>();
  #versions: ReadonlyArray<string> = [];

  constructor(http: WebStandardStreamableHTTPServerTransport) {
    this.http = http;
  }

  get sessionId(): string | undefined {
    return this.http.sessionId;
  }

  setSupportedProtocolVersions(versions: Array<string>): void {
    this.#versions = versions;
    this.http.setSupportedProtocolVersions(versions);
  }

  async start(): Promise<void> {
    Object.assign(this.http, {
      onmessage: (message, extra) => {
        this.onmessage?.(message, extra);
        this.#settle(cancelledBy(message), undefined);
      },
      onerror: (error) => this.onerror?.(error),
      onclose: () => {
        this.onclose?.();
        for (const id of this.#waiting.keys()) this.#settle(id, over(id));
      },
    } satisfies Pick<Transport, "onmessage" | "onerror" | "onclose">);
    await this.http.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!("method" in message) && this.#settle(message.id, message)) return;
    const relatedRequestId = options?.relatedRequestId;
    await this.http.send(message, relatedRequestId === undefined ? {} : { relatedRequestId });
  }

  close(): Promise<void> {
    return this.http.close();
  }

  /** Whether `ask` takes the request, by what its headers say; the SDK's transport judges others. */
  takes({ id }: JSONRPCRequest, headers: Readonly<Record<string, string | undefined>>): boolean {
    const { accept = "", "mcp-protocol-version": version } = headers;
    return (
      accept.includes("application/json") &&
      accept.includes("text/event-stream") &&
      (version === undefined || this.#versions.includes(version)) &&
      !this.#waiting.has(id)
    );
  }

  /** What becomes of a plain request. It goes on when nobody waits for it any more. */
  ask(message: JSONRPCRequest, extra: MessageExtraInfo): Effect.Effect<Outcome> {
    return Effect.callback((resume) => {
      this.#waiting.set(message.id, (outcome) => resume(Effect.succeed(outcome)));
      this.onmessage?.(message, extra);
    });
  }

  #settle(id: RequestId | undefined, outcome: Outcome): boolean {
    const waiter = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiter === undefined) return false;
    this.#waiting.delete(id);
    waiter(outcome);
    return true;
  }
}

const cancelledBy = (message: JSONRPCMessage): RequestId | undefined =>
  "method" in message && message.method === "notifications/cancelled"
    ? (message.params?.["requestId"] as RequestId | undefined)
    : undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const members = new Set(["jsonrpc", "id", "method", "params"]);

/** What a request says of itself may ask for progress, or be in the words of another revision. */
const isSilent = (meta: unknown): boolean =>
  meta === undefined ||
  (isRecord(meta) &&
    Object.keys(meta).every(
      (name) => name !== "progressToken" && !name.startsWith("io.modelcontextprotocol/"),
    ));

/** Whether a message is a whole request of the older revisions that wants its answer and nothing else. */
export const isPlain = (message: unknown): message is JSONRPCRequest => {
  if (!isRecord(message)) return false;
  const { id, jsonrpc, method, params } = message;
  return (
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    typeof method === "string" &&
    method !== "initialize" &&
    (params === undefined || (isRecord(params) && isSilent(params["_meta"]))) &&
    Object.keys(message).every((name) => members.has(name))
  );
};
