import { Context, Effect, Layer, Metric, Option } from "effect";
import * as Actor from "../../Actor.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type IssueFacts, IssueStore } from "../IssueStore.ts";
import * as IssueLifecycle from "../rules/IssueLifecycle.ts";
import { Transitions } from "./Transitions.ts";

const expiredLeases = Metric.counter("quartermaster_expired_leases_total", {
  description: "Runs that ended because their lease expired.",
  incremental: true,
});

/**
 * The expiry of leases, inside the caller's transaction. A lease expires without a write. The next
 * change, claim, call of its run or housekeeping records the expiry: the run ends, and its issue
 * counts an attempt.
 */
export class LeaseExpiry extends Context.Service<
  LeaseExpiry,
  {
    /** Ends a run whose lease has expired. */
    record(run: RunRow, now: Timestamp): Effect.Effect<void, StorageError>;
    /** Ends the issue's expired run, if there is one, and returns the facts after that. */
    settle(facts: IssueFacts, now: Timestamp): Effect.Effect<IssueFacts, StorageError>;
  }
>()("@quartermaster/core/issues/internal/LeaseExpiry") {
  static readonly layerNoDeps = Layer.effect(
    LeaseExpiry,
    Effect.gen(function* () {
      const issues = yield* IssueStore;
      const runs = yield* RunStore;
      const transitions = yield* Transitions;
      const { maxAttempts } = yield* CoreOptions;
      const { afterCommit } = yield* Transactor;

      const end = Effect.fnUntraced(function* (run: RunRow, now: Timestamp) {
        const ended = { outcome: null, stopReason: "leaseExpired", endedAt: now } as const;
        yield* runs.update([{ ...run, ...ended, status: "ended" }]);
        yield* afterCommit(Metric.update(expiredLeases, 1));
      });

      const settle = Effect.fnUntraced(function* (facts: IssueFacts, now: Timestamp) {
        const run = facts.expiredRun;
        if (run === null) return facts;
        // Writes the issue before its run: see `Turns`.
        const change = IssueLifecycle.leaseExpired(facts, run, maxAttempts, now);
        const issue = yield* transitions.apply(facts, change, Actor.system);
        yield* end(run, now);
        return { ...facts, issue, expiredRun: null };
      });

      const record = Effect.fnUntraced(function* (run: RunRow, now: Timestamp) {
        const facts = Option.getOrNull(yield* issues.facts(run.issueId, now));
        // The issue may be deleted.
        if (facts?.expiredRun?.id === run.id) yield* settle(facts, now);
        else yield* end(run, now);
      });

      return LeaseExpiry.of({ record, settle });
    }),
  );
}
