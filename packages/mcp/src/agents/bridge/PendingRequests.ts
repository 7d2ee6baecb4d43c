import type { JSONRPCRequest } from "@modelcontextprotocol/client";
import { type Effect, Latch, Predicate } from "effect";
import type { Transport } from "./Endpoint.ts";
import type { Id } from "./HostMessages.ts";

/** A request of the host that the server has not responded to. */
export interface PendingRequest {
  readonly request: JSONRPCRequest;
  /** Closes the HTTP request, which cancels it since protocol version 2026-07-28. */
  readonly abort: AbortController;
  /** The transport that carries the request; null before it is sent. */
  transport: Transport | null;
}

export interface Options {
  readonly write: (message: object) => void;
  /** Called when a request is no longer pending, for any reason. */
  readonly onRemove: (request: JSONRPCRequest) => void;
}

/** A subscription stays pending while the host listens, so the bridge does not wait for it. */
export const isSubscription = ({ method }: JSONRPCRequest): boolean =>
  method === "subscriptions/listen";

/** The lists that a subscription follows. */
export const subscribed = ({ params }: JSONRPCRequest): ReadonlyArray<"tools" | "resources"> => {
  const wanted = params?.["notifications"];
  return (["tools", "resources"] as const).filter(
    (list) => Predicate.isReadonlyObject(wanted) && wanted[`${list}ListChanged`] === true,
  );
};

/**
 * The responses that the bridge owes the host, by request id.
 *
 * - `add`: the host sent a request, which is now pending.
 * - `remove`: the server responded, or the host canceled. The bridge owes nothing.
 * - `fail`: no response will come. The host gets a JSON-RPC error instead.
 *
 * Invariant: after `add`, the host gets exactly one response, or none if it canceled.
 */
export class PendingRequests {
  readonly #requests = new Map<Id, PendingRequest>();
  readonly #answered = Latch.makeUnsafe(true);
  readonly #options: Options;
  /** The number of pending requests, without subscriptions. */
  #owed = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get(id: Id): PendingRequest | undefined {
    return this.#requests.get(id);
  }

  add(request: JSONRPCRequest): void {
    this.remove(request.id);
    this.#requests.set(request.id, { request, abort: new AbortController(), transport: null });
    if (isSubscription(request)) return;
    this.#owed += 1;
    this.#answered.closeUnsafe();
  }

  remove(id: Id): PendingRequest | undefined {
    const pending = this.#requests.get(id);
    if (pending === undefined) return undefined;
    this.#requests.delete(id);
    if (!isSubscription(pending.request)) {
      this.#owed -= 1;
      if (this.#owed === 0) this.#answered.openUnsafe();
    }
    this.#options.onRemove(pending.request);
    return pending;
  }

  fail(id: Id, message: string): void {
    if (this.remove(id) === undefined) return;
    this.#options.write({ jsonrpc: "2.0", id, error: { code: -32_000, message } });
  }

  /** Fails all requests, or only the requests sent on one transport. */
  failAll(message: string, sentOn?: Transport): void {
    for (const [id, { transport }] of this.#requests) {
      if (sentOn === undefined || transport === sentOn) this.fail(id, message);
    }
  }

  /** Waits until the bridge owes no response. */
  get answered(): Effect.Effect<void> {
    return this.#answered.await;
  }
}
