import { Context, Effect, Layer, Option, Result } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import { isLive, type RunRow, type StopReason } from "../../agents/Run.ts";
import * as RunEnd from "../../agents/RunEnd.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { getOrNotFound, NotFound, type StorageError } from "../../CommonErrors.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import { QuestionExpiry } from "../../issues/QuestionExpiry.ts";
import { Timeline } from "../../issues/Timeline.ts";
import type { Timestamp } from "../../Timestamp.ts";

/** The reason why a run must not continue. */
export interface Lost {
  readonly run: RunRow;
  readonly reason: StopReason;
  /** True for the first call after the order to stop: that call ends the run. */
  readonly isFirstNotice: boolean;
}

/**
 * Checks which runs still hold their issues, inside the caller's transaction. `RunEnd` lists the
 * states.
 */
export class HeldRuns extends Context.Service<
  HeldRuns,
  {
    /**
     * The agent's run, if it is active and its lease has not expired. Otherwise ends the run if
     * that is due. That end must commit, so the reason is returned as a value, and not as a
     * failure.
     */
    holding(
      agentId: string,
      runId: string,
      now: Timestamp,
    ): Effect.Effect<Result.Result<RunRow, Lost>, NotFound | StorageError, CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/internal/HeldRuns") {
  static readonly layerNoDeps = Layer.effect(
    HeldRuns,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const issues = yield* IssueStore;
      const timeline = yield* Timeline;
      const expiry = yield* LeaseExpiry;
      const questions = yield* QuestionExpiry;
      const end = yield* RunEnd.make;

      /** Ends a run whose agent has learned that it has to stop. */
      const stopped = Effect.fnUntraced(function* (
        run: RunRow,
        reason: StopReason,
        now: Timestamp,
      ) {
        if (Option.isSome(yield* issues.get(run.issueId))) {
          const issue = { id: run.issueId, projectId: run.projectId, key: run.issueKey };
          yield* timeline.record({ type: "Agent", id: run.agentId }, [
            { issue, kind: "stopped", data: { runId: run.id, reason } },
          ]);
        }
        yield* end(run, { reason, outcome: null }, now);
      });

      /** Records that the process that names the ended run in its requests knows of its end. */
      const learned = Effect.fnUntraced(function* (runId: string) {
        const run = Option.getOrNull(yield* store.get(runId));
        if (run?.status !== "ended" || run.worker !== RunEnd.workerNaming(runId)) return;
        yield* store.update([{ ...run, worker: null }]);
      });

      /** The run after the expiry of its issue's questions is recorded, which may stop it. */
      const afterQuestions = Effect.fnUntraced(function* (run: RunRow, now: Timestamp) {
        if (run.status !== "active" || !(yield* questions.record(run.issueId, now))) return run;
        return Option.getOrElse(yield* store.get(run.id), () => run);
      });

      const holding = Effect.fnUntraced(function* (agentId: string, runId: string, now: Timestamp) {
        const run = yield* getOrNotFound("run", runId, store.get(runId));
        if (run.agentId !== agentId || !sees(yield* CurrentPrincipal, run.projectId)) {
          return yield* new NotFound({ resource: "run", id: runId });
        }
        const reason = run.stopReason ?? "unknown";
        if (run.status === "ended" || !isLive(run, now)) {
          if (run.status !== "ended") yield* expiry.record(run, now);
          yield* learned(runId);
          const why = run.status === "ended" ? reason : ("leaseExpired" as const);
          return Result.fail({ run, reason: why, isFirstNotice: false });
        }
        const current = yield* afterQuestions(run, now);
        if (current.status === "active") return Result.succeed(current);
        const why = current.stopReason ?? "unknown";
        yield* stopped(current, why, now);
        return Result.fail({ run: current, reason: why, isFirstNotice: true });
      });

      return HeldRuns.of({ holding });
    }),
  );
}
