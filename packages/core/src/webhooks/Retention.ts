import { Effect, Option } from "effect";
import { EventStore } from "../events/EventStore.ts";
import * as Timestamp from "../Timestamp.ts";
import { WebhookStore } from "./WebhookStore.ts";

/** The retention of deliveries, and of events because of them. */

const deliveryDays = 14;
/** Clocks of nodes differ, so an event with a lower `seq` may be a little younger. */
const clockSeconds = 3_600;

export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;

  /** Removes deliveries that ended and are 14 days old, at most 5,000. Requires a transaction. */
  const prune = Effect.flatMap(Timestamp.now, (now) =>
    store.prune(Timestamp.addSeconds(now, -deliveryDays * 86_400), 5_000),
  );

  /** The time from which pending deliveries, and webhooks that are behind, need events; null without such. */
  const eventsFrom = Effect.gen(function* () {
    const pending = Option.getOrElse(yield* store.oldestPending, () => Infinity);
    const enabled = (yield* store.list).filter(({ status }) => status === "enabled");
    const first = Math.min(pending, ...enabled.map(({ cursor }) => cursor + 1));
    if (first === Infinity) return null;
    const range = { after: first - 1, until: Number.MAX_SAFE_INTEGER, limit: 1 };
    const [event] = yield* events.list({ projects: null, kinds: null }, range);
    return event === undefined ? null : Timestamp.addSeconds(event.createdAt, -clockSeconds);
  });

  return { eventsFrom, prune };
});
