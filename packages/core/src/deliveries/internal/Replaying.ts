import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest } from "../../CommonErrors.ts";
import type { EventRow } from "../../events/Event.ts";
import { EventStore } from "../../events/EventStore.ts";
import * as Id from "../../Id.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { maxReplayed, WebhookReplay } from "../../webhooks/Webhook.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import * as Queueing from "./Queueing.ts";
import { checkEnabled } from "./Repeating.ts";
import * as Subscriptions from "./Subscriptions.ts";
import * as WebhookRecords from "./WebhookRecords.ts";

/** Events per transaction. */
const atOnce = 1_000;
/** The `seq` range of one query: a kind that is rare is looked for in many events. */
const sliceSize = 10_000;
/** Clocks of nodes differ, so events are not exactly in the order of their times. */
const clockSeconds = 60;

/** Replays. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const events = yield* EventStore;
  const newId = yield* Id.generator;
  const { transact } = yield* Transactor;
  const { find } = yield* WebhookRecords.make;
  const decodeReplay = Input.decoder(WebhookReplay);

  /** The `seq` of the first event that may have been created at `from`, by bisection. */
  const seqBefore = Effect.fnUntraced(function* (from: Timestamp.Timestamp, until: number) {
    const wanted = Timestamp.addSeconds(from, -clockSeconds);
    const everything = { projects: null, kinds: null };
    let low = 0;
    let high = until;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const range = { after: middle, until, limit: 1 };
      const [next] = yield* events.list(everything, range);
      if (next === undefined || next.createdAt >= wanted) high = middle;
      else low = next.seq;
    }
    return low;
  });

  const startOf = Effect.fnUntraced(function* (input: WebhookReplay, until: number) {
    if ((input.after === undefined) === (input.from === undefined)) {
      return yield* InvalidRequest.at("", "Give exactly one of after and from.");
    }
    if (input.from !== undefined) return yield* seqBefore(input.from, until);
    const seq = Option.getOrNull(yield* events.seqOf(input.after ?? ""));
    return (
      seq ?? (yield* InvalidRequest.at("after", "is not a retained event; use from with a time"))
    );
  });

  /** Queues a part of a replay. */
  const queue = (webhookId: string, rows: ReadonlyArray<EventRow>) =>
    transact(
      Effect.gen(function* () {
        yield* checkEnabled(yield* find(webhookId));
        yield* store.queue(
          yield* Effect.forEach(rows, (row) => Queueing.deliveryOf(newId, webhookId, row)),
        );
      }),
    );

  const replay = Span.fn("Webhooks.replay")(function* (
    webhookId: string,
    input: typeof WebhookReplay.Encoded,
  ) {
    yield* Principal.requireUnbound("Admin");
    const body = yield* decodeReplay(input);
    const webhook = yield* find(webhookId);
    yield* checkEnabled(webhook);
    const { cursor: until, kinds, projectId } = webhook;
    const query = {
      projects: projectId === null ? null : [projectId],
      kinds: Subscriptions.kindsOf(kinds),
    };
    const { from = "" } = body;
    const isWanted = (row: EventRow) => row.createdAt >= from && Subscriptions.wants(webhook, row);
    let after = yield* startOf(body, until);
    let count = 0;
    while (after < until && count < maxReplayed) {
      const end: number = Math.min(until, after + sliceSize);
      const rows: ReadonlyArray<EventRow> = yield* events.list(query, {
        after,
        until: end,
        limit: atOnce,
      });
      const wanted = rows.filter(isWanted).slice(0, maxReplayed - count);
      if (wanted.length > 0) yield* queue(webhookId, wanted);
      count += wanted.length;
      after = rows.length < atOnce ? end : (rows.at(-1)?.seq ?? end);
    }
    return { events: count };
  });

  return { replay };
});
