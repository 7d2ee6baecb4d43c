import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  type WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Effect } from "effect";
import { cancelledBy } from "../../../protocol/Cancelled.ts";

/** The response to a request; undefined if the client canceled it. */
export type Outcome = JSONRPCMessage | undefined;

/** The error when a session ends. The server may have executed the request. */
const sessionEnded = (id: RequestId): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_000, message: "The session ended before the server responded" },
});

/**
 * The transport of a session of a legacy protocol version. It wraps the SDK's transport, which
 * validates messages and creates a stream for each response. Plain requests bypass the SDK's
 * transport: `ask` passes them to the server, and `send` returns their responses.
 *
 * Invariant: an id is in `#waiting` from `ask` until its response, its cancellation or the end of
 * the session, whichever comes first. A second request with the same id goes to the SDK's
 * transport.
 */
export class SessionTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly http: WebStandardStreamableHTTPServerTransport;
  /** Pending plain requests by id. */
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
        for (const id of this.#waiting.keys()) this.#settle(id, sessionEnded(id));
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

  /** Whether the headers of a request satisfy the SDK's transport. */
  takes({ id }: JSONRPCRequest, headers: Readonly<Record<string, string | undefined>>): boolean {
    const { accept = "", "mcp-protocol-version": version } = headers;
    return (
      accept.includes("application/json") &&
      accept.includes("text/event-stream") &&
      (version === undefined || this.#versions.includes(version)) &&
      !this.#waiting.has(id)
    );
  }

  /** Sends a request to the server. Interruption cancels the request. */
  ask(message: JSONRPCRequest, extra: MessageExtraInfo): Effect.Effect<Outcome> {
    return Effect.callback((resume) => {
      this.#waiting.set(message.id, (outcome) => resume(Effect.succeed(outcome)));
      this.onmessage?.(message, extra);
      return Effect.sync(() => {
        this.#waiting.delete(message.id);
        this.cancel(message);
      });
    });
  }

  /**
   * Cancels the requests of a body whose client disconnected. Without an event store, no other
   * connection could receive their responses.
   */
  cancel(body: unknown): void {
    for (const message of [body].flat()) {
      if (!isJSONRPCRequest(message)) continue;
      const params = { requestId: message.id };
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }

  #settle(id: RequestId | undefined, outcome: Outcome): boolean {
    const waiter = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiter === undefined) return false;
    this.#waiting.delete(id);
    waiter(outcome);
    return true;
  }
}
