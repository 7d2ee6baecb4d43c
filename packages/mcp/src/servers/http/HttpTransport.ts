import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { cancelledBy } from "../../protocol/Cancelled.ts";
import * as Failure from "../session/Failure.ts";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/**
 * The SDK's transport with two additions: a lost response fails its request immediately instead of
 * at the time limit, and cancellation of a request aborts its HTTP request.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #inFlight = new Map<RequestId, AbortController>();

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports have none
    this.onmessage = (message: JSONRPCMessage) => {
      if ("id" in message && !("method" in message) && message.id !== undefined) {
        this.#inFlight.delete(message.id);
      }
      deliver?.(message);
    };
    await super.start();
  }

  override async send(
    message: JSONRPCMessage | Array<JSONRPCMessage>,
    options?: SendOptions,
  ): Promise<void> {
    if (Array.isArray(message) || !("method" in message)) return super.send(message, options);
    if (!("id" in message)) {
      await super.send(message, options);
      const requestId = cancelledBy(message);
      if (requestId !== undefined) {
        this.#inFlight.get(requestId)?.abort();
        this.#inFlight.delete(requestId);
      }
      return;
    }
    const { id } = message;
    // Since protocol version 2026-07-28 the SDK passes its own signal.
    let requestSignal = options?.requestSignal;
    if (requestSignal === undefined) {
      const controller = new AbortController();
      this.#inFlight.set(id, controller);
      requestSignal = controller.signal;
    }
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      this.#inFlight.delete(id);
      const lost = new Failure.TransportFailure("closed", "The server's response was lost.", true);
      this.onmessage?.(Failure.answer(id, lost));
    };
    try {
      await super.send(message, { ...options, requestSignal, onRequestStreamEnd });
    } catch (error) {
      this.#inFlight.delete(id);
      throw error;
    }
  }
}
