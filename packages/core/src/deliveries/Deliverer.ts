import { Context, Effect, FiberSet, Latch, Layer } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import { WebhookStore } from "../webhooks/WebhookStore.ts";
import * as Attempts from "./internal/Attempts.ts";
import * as Changes from "./internal/Changes.ts";
import * as Queueing from "./internal/Queueing.ts";
import * as Sending from "./internal/Sending.ts";

/** The time between two looks for new events and due deliveries. */
const lookEvery = "500 millis";

/**
 * Sends events to webhooks, at least once each. Every node runs it, and together they send each event once: the
 * cursors of webhooks and the new deliveries move in one transaction, and each attempt is claimed. A node that stops
 * between a request and its record leaves a claim that expires after 60 seconds, and the attempt is repeated.
 */
export class Deliverer extends Context.Service<
  Deliverer,
  {
    /** Queues deliveries of new events and makes the attempts that are due. Returns when they ended. */
    readonly once: Effect.Effect<void, StorageError>;
    /** Does so until it is interrupted. Attempts that are in flight end with the scope of the layer. */
    readonly run: Effect.Effect<never>;
  }
>()("@quartermaster/core/deliveries/Deliverer") {
  static readonly layerNoDeps = Layer.effect(
    Deliverer,
    Effect.gen(function* () {
      const store = yield* WebhookStore;
      const queueing = yield* Queueing.make;
      const attempts = yield* Attempts.make;
      const changes = yield* Changes.make;
      const sending = yield* Sending.make;
      const fibers = yield* FiberSet.make();
      /** An attempt ended, so another delivery of its webhook may be due. */
      const ended = Latch.makeUnsafe(false);

      const attempt = (claimed: Attempts.Claimed) =>
        sending.attempt(claimed.webhook, claimed.delivery).pipe(
          Effect.flatMap((outcome) => attempts.record(claimed, outcome)),
          Effect.catch((error) =>
            Effect.logWarning("Cannot record an attempt of a webhook; it will be repeated", error),
          ),
          Effect.ensuring(ended.open),
        );

      /** Skips deliveries of webhooks that are not enabled: the last attempts of a webhook may leave some. */
      const skipDisabled = Effect.gen(function* () {
        for (const { id, status } of yield* store.list) {
          if (status === "enabled") continue;
          if ((yield* store.waiting(id, 1)) > 0) yield* changes.skipWaiting(id);
        }
      });

      /** Queues what is new, and starts the attempts that are due. Returns how many. */
      const look = Effect.gen(function* () {
        yield* Effect.repeat(queueing.next, { while: (isMore) => isMore });
        let count = 0;
        for (const id of yield* attempts.withDue) {
          for (const claimed of yield* attempts.claim(id)) {
            yield* FiberSet.run(fibers, attempt(claimed));
            count += 1;
          }
        }
        return count;
      });

      const once = Effect.gen(function* () {
        while ((yield* look) > 0) yield* FiberSet.awaitEmpty(fibers);
        yield* skipDisabled;
      });

      const run = Effect.gen(function* () {
        yield* Effect.sync(() => ended.closeUnsafe());
        yield* Effect.andThen(look, skipDisabled).pipe(
          Effect.catch((error) => Effect.logWarning("Delivery to webhooks failed", error)),
        );
        yield* Effect.timeoutOption(ended.await, lookEvery);
      }).pipe(Effect.forever);

      return Deliverer.of({ once, run });
    }),
  );
}
