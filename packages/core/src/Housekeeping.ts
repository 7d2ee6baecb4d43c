import { Context, Effect, Layer, Option, Schedule } from "effect";
import { system } from "./Actor.ts";
import { RunStore } from "./agents/RunStore.ts";
import { AuditLog } from "./audit/AuditLog.ts";
import * as EffectEvents from "./effects/EffectEvents.ts";
import type { EffectSlot } from "./effects/EffectSlot.ts";
import { EffectStore } from "./effects/EffectStore.ts";
import { EventLog } from "./events/EventLog.ts";
import { EventStore } from "./events/EventStore.ts";
import { Idempotency } from "./idempotency/Idempotency.ts";
import { SnoozeStore } from "./inbox/SnoozeStore.ts";
import * as ClockJumps from "./internal/ClockJumps.ts";
import { Attachments } from "./issues/Attachments.ts";
import { IssueStore } from "./issues/IssueStore.ts";
import { MentionStore } from "./issues/MentionStore.ts";
import { Questions } from "./issues/Questions.ts";
import { Sessions } from "./keys/Sessions.ts";
import * as CallBodyLimits from "./mcp/CallBodyLimits.ts";
import { lost } from "./mcp/ToolCall.ts";
import { ToolCallStore } from "./mcp/ToolCallStore.ts";
import { RunLogs } from "./runs/RunLogs.ts";
import { Runs } from "./runs/Runs.ts";
import { RunUsage } from "./runs/RunUsage.ts";
import { Stats } from "./stats/Stats.ts";
import * as Timestamp from "./Timestamp.ts";
import { Transactor } from "./Transactor.ts";
import * as Retention from "./webhooks/Retention.ts";

const runDays = 90;
const callDays = 90;
const mentionDays = 90;
const effectResultDays = 7;

/** Calls and effects per transaction. Their nodes may extend each of them at the same time. */
const lostAtOnce = 50;

/**
 * Removes expired rows. No other service relies on it: every read checks the expiry of leases,
 * sessions and keys itself. Every node runs it from its start; several nodes rarely do the same
 * work twice.
 */
export class Housekeeping extends Context.Service<
  Housekeeping,
  {
    /**
     * Runs once, in small transactions. A clock that is a month ahead for a minute would remove all
     * events. So it removes nothing by age for an hour after the clock of this process was set, and
     * for an hour after the first run if the newest change is a day old.
     */
    readonly once: Effect.Effect<void>;
    /**
     * Runs immediately and then every minute, and counts statistics every 5 seconds. Indexes issues
     * again whose words were indexed by an older version.
     *
     * @example
     * ```ts
     * import { Housekeeping } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const housekeeping = yield* Housekeeping.Housekeeping;
     *   // Runs in the background until the scope of the program closes.
     *   const fiber = yield* Effect.forkScoped(housekeeping.run);
     *   return fiber.pollUnsafe() === undefined; // true
     * });
     * ```
     */
    readonly run: Effect.Effect<never>;
  }
>()("@quartermaster/core/Housekeeping") {
  static readonly layerNoDeps = Layer.effect(
    Housekeeping,
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const idempotency = yield* Idempotency;
      const runs = yield* Runs;
      const logs = yield* RunLogs;
      const questions = yield* Questions;
      const runStore = yield* RunStore;
      const events = yield* EventLog;
      const audit = yield* AuditLog;
      const attachments = yield* Attachments;
      const calls = yield* ToolCallStore;
      const effects = yield* EffectStore;
      const issues = yield* IssueStore;
      const reportEffect = yield* EffectEvents.make;
      const bodies = yield* CallBodyLimits.make;
      const snoozes = yield* SnoozeStore;
      const mentions = yield* MentionStore;
      const stats = yield* Stats;
      const usage = yield* RunUsage;
      const { transact } = yield* Transactor;
      const eventStore = yield* EventStore;
      const deliveries = yield* Retention.make;
      const trust = yield* ClockJumps.make(newestChange(eventStore));

      const daysAgo = (days: number) =>
        Effect.map(Timestamp.now, (now) => Timestamp.addSeconds(now, -days * 86_400));
      const endedRuns = Effect.flatMap(daysAgo(runDays), (before) => runStore.prune(before, 1_000));
      const oldCalls = Effect.flatMap(daysAgo(callDays), (before) => calls.prune(before, 5_000));

      /** Records calls whose node stopped. Readers judge by the time and do not wait for this. */
      const lostCalls = Effect.gen(function* () {
        const overdue = yield* calls.overdue(yield* Timestamp.now, lostAtOnce);
        yield* calls.append(overdue.map(({ seq: _, ...call }) => lost(call)));
        return overdue.length;
      });

      /** Records effects whose reply was lost. Readers judge by the time and do not wait for this. */
      const lostEffects = Effect.gen(function* () {
        const overdue = yield* effects.overdue(yield* Timestamp.now, lostAtOnce);
        for (const slot of overdue) {
          const ended: EffectSlot = { ...slot, state: "unknown", endedAt: slot.until };
          yield* effects.replace(slot.callId, ended);
          const projectId = Option.getOrNull(yield* issues.get(slot.issueId))?.projectId ?? null;
          yield* reportEffect("issue.effectEnded", ended, projectId, system);
        }
        return overdue.length;
      });
      const oldResults = Effect.flatMap(daysAgo(effectResultDays), (before) =>
        effects.wipeResults(before, 1_000),
      );

      /** Repeats a transaction until it has nothing left to do. */
      const all = (what: string, step: Effect.Effect<number, unknown>) =>
        step.pipe(
          Effect.repeat({ while: (count) => count > 0 }),
          Effect.catch((error) => Effect.logWarning(`Housekeeping of ${what} failed`, error)),
        );

      const once = Effect.gen(function* () {
        yield* attachments.removeDiscarded;
        yield* all("long leases", runs.shortenLeases);
        yield* all("late questions", questions.correctExpiries);
        yield* Effect.catch(logs.keepWithinBytes, (error) =>
          Effect.logWarning("Housekeeping of logs failed", error),
        );
        yield* Effect.catch(bodies.keepWithin, (error) =>
          Effect.logWarning("Housekeeping of bodies of calls failed", error),
        );
        const trusted = yield* trust;
        if (trusted === "set") return;
        yield* all("leases", runs.endExpired);
        yield* all("lost tool calls", transact(lostCalls));
        yield* all("lost effects", transact(lostEffects));
        yield* all("questions", questions.expireDue);
        if (trusted === "unproven") return;
        yield* all("sessions", sessions.prune);
        yield* all("idempotency keys", transact(idempotency.prune));
        const snoozesOver = Effect.flatMap(Timestamp.now, (now) => snoozes.prune(now, 1_000));
        yield* all("snoozed items", transact(snoozesOver));
        const oldMentions = Effect.flatMap(daysAgo(mentionDays), (before) =>
          mentions.prune(before, 1_000),
        );
        yield* all("mentions", transact(oldMentions));
        yield* all("the audit log", transact(audit.prune));
        yield* all("deliveries to webhooks", transact(deliveries.prune));
        yield* all(
          "events",
          Effect.flatMap(deliveries.eventsFrom, (from) => transact(events.prune(from))),
        );
        yield* all("runs", transact(endedRuns));
        yield* all("logs", logs.prune);
        yield* all("tool calls", transact(oldCalls));
        yield* all("bodies of calls", bodies.prune);
        yield* all("results of effects", transact(oldResults));
        yield* all("statistics", transact(stats.prune));
        yield* all("usage", usage.prune);
      }).pipe(Effect.withSpan("Housekeeping.once"));

      const count = Effect.catch(stats.fold, (error) =>
        Effect.logWarning("Counting of statistics failed", error),
      );

      /** After each step other transactions have their turn. */
      const indexOlder = transact(issues.indexOlder).pipe(
        Effect.repeat({ while: (count) => Effect.as(Effect.sleep("10 millis"), count > 0) }),
        Effect.catch((error) => Effect.logWarning("Indexing of the search failed", error)),
      );

      const run = Effect.all(
        [
          Effect.repeat(once, Schedule.spaced("1 minute")),
          Effect.repeat(indexOlder, Schedule.spaced("1 minute")),
          Effect.repeat(count, Schedule.spaced("5 seconds")),
        ],
        { concurrency: 3, discard: true },
      ).pipe(Effect.andThen(Effect.never));

      return Housekeeping.of({ once, run });
    }),
  );
}

/** The time of the newest event; null without events, and if storage cannot be read. */
const newestChange = (events: EventStore["Service"]) =>
  events.lastSeq.pipe(
    Effect.flatMap((last) =>
      events.list({ projects: null, kinds: null }, { after: last - 1, until: last, limit: 1 }),
    ),
    Effect.map(([newest]) => newest?.createdAt ?? null),
    Effect.orElseSucceed(() => null),
  );
