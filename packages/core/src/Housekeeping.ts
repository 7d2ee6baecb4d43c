import { Context, Effect, Layer, Schedule } from "effect";
import { RunStore } from "./agents/RunStore.ts";
import { EventLog } from "./events/EventLog.ts";
import { Idempotency } from "./idempotency/Idempotency.ts";
import { Attachments } from "./issues/Attachments.ts";
import { Sessions } from "./keys/Sessions.ts";
import { ToolCallStore } from "./mcp/ToolCallStore.ts";
import { Runs } from "./runs/Runs.ts";
import * as Timestamp from "./Timestamp.ts";
import { Transactor } from "./Transactor.ts";

const runDays = 90;
const callDays = 90;

/** What has to be tidied from time to time. Nothing depends on it to be right. */
export class Housekeeping extends Context.Service<
  Housekeeping,
  {
    /** Tidies once: what is past its time goes, in small transactions. */
    readonly once: Effect.Effect<void>;
    /** Tidies now and every minute from then on. */
    readonly run: Effect.Effect<never>;
  }
>()("@quartermaster/core/Housekeeping") {
  static readonly layerNoDeps = Layer.effect(
    Housekeeping,
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const idempotency = yield* Idempotency;
      const runs = yield* Runs;
      const runStore = yield* RunStore;
      const events = yield* EventLog;
      const attachments = yield* Attachments;
      const calls = yield* ToolCallStore;
      const { transact } = yield* Transactor;

      const daysAgo = (days: number) =>
        Effect.map(Timestamp.now, (now) => Timestamp.addSeconds(now, -days * 86_400));
      const endedRuns = Effect.flatMap(daysAgo(runDays), (moment) => runStore.prune(moment, 1_000));
      const oldCalls = Effect.flatMap(daysAgo(callDays), (moment) => calls.prune(moment, 5_000));

      /** As long as there is something to do, a transaction at a time. */
      const all = (what: string, step: Effect.Effect<number, unknown>) =>
        step.pipe(
          Effect.repeat({ while: (count) => count > 0 }),
          Effect.catch((error) => Effect.logWarning(`Housekeeping of ${what} failed`, error)),
        );

      const once = Effect.gen(function* () {
        yield* attachments.removeDiscarded;
        yield* all("leases", runs.endExpired);
        yield* all("sessions", sessions.prune);
        yield* all("idempotency keys", transact(idempotency.prune));
        yield* all("events", transact(events.prune));
        yield* all("runs", transact(endedRuns));
        yield* all("tool calls", transact(oldCalls));
      }).pipe(Effect.withSpan("Housekeeping.once"));

      const run = Effect.andThen(Effect.repeat(once, Schedule.spaced("1 minute")), Effect.never);

      return Housekeeping.of({ once, run });
    }),
  );
}
