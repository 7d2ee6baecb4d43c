import { WebhookSender } from "@quartermaster/core";
import { Context, Effect, Layer, Redacted } from "effect";

/** A request that the scripted sender got. */
export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receivers of webhooks. */
export interface Script {
  /** The requests so far, oldest first. */
  readonly received: Array<Received>;
  /** Responds to a request. Default: status 200. */
  respond: (request: Received) => Effect.Effect<Partial<WebhookSender.WebhookResponse>>;
}

/** `WebhookSender` without a network. */
export class ScriptedSender extends Context.Service<ScriptedSender, Script>()(
  "@quartermaster/testing/mcp/ScriptedSender",
) {
  static readonly layer: Layer.Layer<ScriptedSender | WebhookSender.WebhookSender> =
    Layer.effectContext(
      Effect.sync(() => {
        const script: Script = {
          received: [],
          respond: () => Effect.succeed({ status: 200 }),
        };
        const send = ({ url, ...request }: WebhookSender.WebhookRequest) =>
          Effect.suspend(() => {
            const received = { ...request, url: Redacted.value(url) };
            script.received.push(received);
            return Effect.map(script.respond(received), (response) => ({
              status: null,
              error: null,
              text: null,
              retryAfter: null,
              timedOut: false,
              ...response,
            }));
          });
        return Context.make(ScriptedSender, script).pipe(
          Context.add(WebhookSender.WebhookSender, WebhookSender.WebhookSender.of({ send })),
        );
      }),
    );
}
