import { Effect, Metric } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { EventStore } from "../../events/EventStore.ts";
import { ToolCallStore } from "../../mcp/ToolCallStore.ts";
import { Transactor } from "../../Transactor.ts";
import { type StatsSource, StatsStore } from "../StatsStore.ts";
import * as Buckets from "./Buckets.ts";
import * as Counted from "./Counted.ts";

/**
 * Counts new events and tool calls into rows, in batches. A batch is read outside of a transaction,
 * and its rows are stored together with the cursor, if the cursor is still where the batch started:
 * so each event is counted once, even if several nodes count at the same time.
 */

/** The number of events or calls in a batch: about 10 ms of reading, and one short transaction. */
const batchSize = 1_000;

interface Batch {
  /** The `seq` up to which the batch is complete. */
  readonly until: number;
  readonly counted: ReadonlyArray<Counted.Counted>;
}

const counted = Metric.counter("quartermaster_statistics_counted_total", {
  description: "Events and tool calls that this node counted into statistics, by source.",
  incremental: true,
});

export const make = Effect.gen(function* () {
  const store = yield* StatsStore;
  const events = yield* EventStore;
  const calls = yield* ToolCallStore;
  const { afterCommit, transact } = yield* Transactor;

  const eventsAfter = Effect.fnUntraced(function* (after: number) {
    const last = yield* events.lastSeq;
    const rows = yield* events.list(
      { projects: null, kinds: Counted.kinds },
      { after, until: last, limit: batchSize },
    );
    const sinces = yield* store.staysSince(Counted.endsOf(rows));
    const handIns = yield* store.handIns(Counted.reviewsOf(rows, sinces));
    const runs = yield* store.runs(Counted.runsOf(rows, handIns));
    // Fewer rows than the limit, so there are no more rows up to `last`.
    const until = rows.length < batchSize ? Math.max(last, after) : (rows.at(-1)?.seq ?? after);
    return { until, counted: Counted.ofEvents(rows, { sinces, handIns, runs }) };
  });

  const callsAfter = Effect.fnUntraced(function* (after: number) {
    const rows = yield* calls.list({}, { after, order: "asc", limit: batchSize });
    return { until: rows.at(-1)?.seq ?? after, counted: Counted.ofCalls(rows) };
  });

  /**
   * Counts a batch, and returns the new position of its source; null if there is nothing to count.
   */
  const step = Effect.fnUntraced(function* (
    source: StatsSource,
    batchAfter: (after: number) => Effect.Effect<Batch, StorageError>,
  ) {
    const cursor = yield* store.cursor(source);
    const batch = yield* batchAfter(cursor);
    if (batch.until === cursor) return null;
    const rows = Buckets.rowsOf(batch.counted);
    const stored = yield* Effect.forEach(Buckets.queriesFor(rows), store.list);
    const sums = Buckets.sums(rows, stored.flat());
    yield* transact(
      Effect.gen(function* () {
        // Another node was faster.
        if ((yield* store.cursor(source)) !== cursor) return;
        yield* store.put(source, batch.until, sums);
        yield* afterCommit(
          Metric.update(Metric.withAttributes(counted, { source }), batch.counted.length),
        );
      }),
    );
    return batch.until;
  });

  const all = (...args: Parameters<typeof step>) =>
    Effect.repeat(step(...args), { until: (reached) => reached === null });

  return Effect.andThen(all("events", eventsAfter), all("toolCalls", callsAfter));
});
