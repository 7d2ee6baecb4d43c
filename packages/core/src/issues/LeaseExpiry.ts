import { Context, Effect, Layer, Option } from "effect";
import * as Actor from "../Actor.ts";
import type { RunRow } from "../agents/Run.ts";
import * as RunEnd from "../agents/RunEnd.ts";
import type { StorageError } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import type { Timestamp } from "../Timestamp.ts";
import { type IssueFacts, IssueStore } from "./IssueStore.ts";
import * as IssueLifecycle from "./rules/IssueLifecycle.ts";
import { Transitions } from "./Transitions.ts";

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
>()("@quartermaster/core/issues/LeaseExpiry") {
  static readonly layerNoDeps = Layer.effect(
    LeaseExpiry,
    Effect.gen(function* () {
      const issues = yield* IssueStore;
      const transitions = yield* Transitions;
      const { maxAttempts } = yield* CoreOptions;
      const end = yield* RunEnd.make;

      const settle = Effect.fnUntraced(function* (facts: IssueFacts, now: Timestamp) {
        const run = facts.expiredRun;
        if (run === null) return facts;
        // Writes the issue before its run: see `Turns`.
        const change = IssueLifecycle.leaseExpired(facts, run, maxAttempts, now);
        const issue = yield* transitions.apply(facts, change, Actor.system);
        yield* end(run, { reason: "leaseExpired", outcome: null }, now);
        return { ...facts, issue, expiredRun: null };
      });

      const record = Effect.fnUntraced(function* (run: RunRow, now: Timestamp) {
        const facts = Option.getOrNull(yield* issues.facts(run.issueId, now));
        // The issue may be deleted.
        if (facts?.expiredRun?.id === run.id) yield* settle(facts, now);
        else yield* end(run, { reason: "leaseExpired", outcome: null }, now);
      });

      return LeaseExpiry.of({ record, settle });
    }),
  );
}
