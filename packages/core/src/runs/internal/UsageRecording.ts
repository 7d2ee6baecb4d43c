import { Effect, Option } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import type { RunRow, StopReason } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { NotFound } from "../../CommonErrors.ts";
import type { Timestamp } from "../../Timestamp.ts";
import { count } from "../../usage/UsageCounting.ts";
import { UsageKey } from "../../usage/UsageErrors.ts";
import type { UsageReport } from "../../usage/UsageReport.ts";
import { UsageStore } from "../../usage/UsageStore.ts";

/** Counts the usage that runs report. */
export const make = Effect.gen(function* () {
  const runs = yield* RunStore;
  const store = yield* UsageStore;

  const record = Effect.fnUntraced(function* (
    run: RunRow,
    reports: ReadonlyArray<UsageReport>,
    now: Timestamp,
  ) {
    const sessions = reports.flatMap(({ cumulative, session }) =>
      cumulative === true ? (session ?? []) : [],
    );
    const stored = {
      reports: yield* store.reports(
        run.id,
        reports.map(({ key }) => key),
      ),
      sessions: sessions.length === 0 ? [] : yield* store.sessions(run.agentId, sessions),
    };
    const counted = count(run, reports, stored, now);
    if (counted instanceof UsageKey) return yield* counted;
    if (counted.reports.length > 0) yield* store.add(counted);
  });

  /**
   * Counts the reports of the agent's run inside the caller's transaction, unless the run ended too long ago.
   * Returns the reason in that case, and null otherwise.
   */
  return Effect.fnUntraced(function* (
    agentId: string,
    runId: string,
    reports: ReadonlyArray<UsageReport>,
    now: Timestamp,
  ) {
    const principal = yield* CurrentPrincipal;
    const stored = Option.getOrNull(yield* runs.stored(runId));
    if (stored?.run.agentId !== agentId || !sees(principal, stored.run.projectId)) {
      return yield* new NotFound({ resource: "run", id: runId });
    }
    const reason: StopReason | null = Fence.refusalOf(stored, "usage", now);
    if (reason === null && reports.length > 0) yield* record(stored.run, reports, now);
    return reason;
  });
});
