import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import * as Failure from "../client/Failure.ts";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/**
 * The SDK's transport, which tells the protocol when an answer is lost, instead of letting it wait,
 * and ends the requests that are cancelled.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #underWay = new Map<RequestId, AbortController>();

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports have none
    this.onmessage = (message: JSONRPCMessage) => {
      if ("id" in message && !("method" in message) && message.id !== undefined) {
        this.#underWay.delete(message.id);
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
      const { requestId } = (message.params ?? {}) as { readonly requestId?: RequestId };
      if (message.method === "notifications/cancelled" && requestId !== undefined) {
        this.#underWay.get(requestId)?.abort();
        this.#underWay.delete(requestId);
      }
      return;
    }
    const { id } = message;
    // Since revision 2026-07-28 the protocol has a signal of its own.
    let requestSignal = options?.requestSignal;
    if (requestSignal === undefined) {
      const controller = new AbortController();
      this.#underWay.set(id, controller);
      requestSignal = controller.signal;
    }
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      this.#underWay.delete(id);
      const lost = new Failure.TransportFailure("closed", "The server's answer was lost.", true);
      this.onmessage?.(Failure.answer(id, lost));
    };
    try {
      await super.send(message, { ...options, requestSignal, onRequestStreamEnd });
    } catch (error) {
      this.#underWay.delete(id);
      throw error;
    }
  }
}
