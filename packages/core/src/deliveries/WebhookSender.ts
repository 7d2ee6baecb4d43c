import { Context, type Effect, type Redacted } from "effect";

/** A request to a webhook. */
export interface WebhookRequest {
  readonly url: Redacted.Redacted<string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a request. */
export interface WebhookResponse {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The reason why there was no response; null if there was one. Does not contain the URL. */
  readonly error: string | null;
  /** The first 1,024 bytes of the body as text; null if the address is not public. */
  readonly text: string | null;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
  /** Whether the time limit ended the request. */
  readonly timedOut: boolean;
}

/**
 * Port: sends a request to a webhook by POST, within 15 seconds in all. Resolves the name of the URL, refuses it
 * if an address is not allowed, connects only to the checked addresses, and follows no redirect.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse> }
>()("@quartermaster/core/deliveries/WebhookSender") {}
