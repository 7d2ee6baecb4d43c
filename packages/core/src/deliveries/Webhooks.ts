import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import type * as Principal from "../access/Principal.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  StorageError,
} from "../CommonErrors.ts";
import type * as Page from "../Page.ts";
import type {
  Webhook,
  WebhookCreate,
  WebhookCreated,
  WebhookReplay,
  WebhookReplayed,
  WebhookRotate,
  WebhookRotated,
  WebhookUpdate,
} from "../webhooks/Webhook.ts";
import type { DeliveryFilter, WebhookDelivery } from "../webhooks/WebhookDelivery.ts";
import type { DeliveryPending, RotationOpen } from "../webhooks/WebhookErrors.ts";
import * as Management from "./internal/Management.ts";
import * as Repeating from "./internal/Repeating.ts";
import * as Replaying from "./internal/Replaying.ts";
import * as WebhookChanges from "./internal/WebhookChanges.ts";

type By<A, E = never> = Effect.Effect<A, E | Forbidden | StorageError, Principal.CurrentPrincipal>;

/**
 * Webhooks: URLs to which the service sends events, signed by Standard Webhooks 1.0.0. Every method requires the role
 * Admin and a principal that is bound to no project (`Forbidden`).
 */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Creates a webhook, which gets the events after this one. Returns it with its secret, which no other method
     * returns, except after a rotation.
     *
     * Fails with `InvalidRequest` for an unknown kind, a kind without a project where `projectId` is set, a secret of
     * another form, and a URL that is not `https` or names an address of a private network, and with `LimitExceeded`
     * if there are 50 webhooks. A repeated request with an Idempotency-Key returns no secret, and fails with `NotFound`
     * if the webhook was deleted.
     */
    create(
      input: typeof WebhookCreate.Encoded,
    ): By<WebhookCreated, IdempotencyMismatch | InvalidRequest | LimitExceeded | NotFound>;
    /** Returns every webhook, oldest first. */
    readonly list: By<ReadonlyArray<Webhook>>;
    get(webhookId: string): By<Webhook, NotFound>;
    /** Changes a webhook. `disabled` skips what waits for it; `enabled` starts with the next event. */
    update(
      webhookId: string,
      input: typeof WebhookUpdate.Encoded,
    ): By<Webhook, InvalidRequest | NotFound>;
    /** Deletes a webhook with its secrets and deliveries. */
    remove(webhookId: string): By<void, NotFound>;
    /**
     * Sets a new secret. The one before it also signs for 24 hours; a rotation within them fails with
     * `RotationOpen`.
     */
    rotate(
      webhookId: string,
      input: typeof WebhookRotate.Encoded,
    ): By<WebhookRotated, InvalidRequest | NotFound | RotationOpen>;
    /** Sends an event of the kind `webhook.test` once, also to a webhook that is not enabled. */
    test(webhookId: string): By<WebhookDelivery, NotFound>;
    /** Returns a page of a webhook's deliveries of the last 14 days, newest first by default. */
    deliveries(
      webhookId: string,
      request?: DeliveryFilter & Page.PageRequest,
    ): By<Page.Page<WebhookDelivery>, InvalidRequest | NotFound>;
    /**
     * Makes a delivery due now, with all its attempts if none is left. Fails with `DeliveryPending` while an attempt
     * is in flight, and with `InvalidRequest` if the webhook is not enabled.
     */
    retry(
      webhookId: string,
      deliveryId: string,
    ): By<WebhookDelivery, DeliveryPending | InvalidRequest | NotFound>;
    /** Sends retained events again that the webhook gets now, at most 10,000, oldest first. */
    replay(
      webhookId: string,
      input: typeof WebhookReplay.Encoded,
    ): By<WebhookReplayed, InvalidRequest | NotFound>;
  }
>()("@quartermaster/core/deliveries/Webhooks") {
  static readonly layerNoDeps = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      return Webhooks.of({
        ...(yield* Management.make),
        ...(yield* WebhookChanges.make),
        ...(yield* Repeating.make),
        ...(yield* Replaying.make),
      });
    }),
  );
}
