import { Effect } from "effect";
import * as Timestamp from "../../Timestamp.ts";
import type { EventStore } from "../EventStore.ts";

/** Seconds by which `createdAt` may contradict `seq`: transactions commit in another order than they start. */
const disorderSeconds = 60;

const any = { projects: null, kinds: null };

/**
 * A position in the log before every event that was created at `since` or later. Searches by
 * halves, because `createdAt` has no index: one event is read for each doubling of the log.
 */
export const positionOf = Effect.fnUntraced(function* (
  store: EventStore["Service"],
  since: Timestamp.Timestamp,
) {
  const from = Timestamp.addSeconds(since, -disorderSeconds);
  let low = 0;
  let high = yield* store.lastSeq;
  while (low < high) {
    const after = Math.floor((low + high) / 2);
    const [event] = yield* store.list(any, { after, until: high, limit: 1 });
    if (event === undefined || event.createdAt >= from) high = after;
    else low = event.seq;
  }
  return low;
});
