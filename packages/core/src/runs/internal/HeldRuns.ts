import { Context, Effect, Layer, Option, Result } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import { isLive, type RunRow, type StopReason } from "../../agents/Run.ts";
import * as RunEnd from "../../agents/RunEnd.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { NotFound, type StorageError } from "../../CommonErrors.ts";
import { visible } from "../../issues/IssueAccess.ts";
import { type IssueFacts, IssueStore } from "../../issues/IssueStore.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import type { AgentsMay } from "../../issues/Project.ts";
import { ProjectStore } from "../../issues/ProjectStore.ts";
import { isDue, type QuestionRow } from "../../issues/Question.ts";
import { QuestionExpiry } from "../../issues/QuestionExpiry.ts";
import { QuestionStore } from "../../issues/QuestionStore.ts";
import { Timeline } from "../../issues/Timeline.ts";
import type { Timestamp } from "../../Timestamp.ts";

/** The reason why a run must not continue. */
export interface Lost {
  readonly run: RunRow;
  readonly reason: StopReason;
  /** True for the first call after the order to stop: that call ends the run. */
  readonly isFirstNotice: boolean;
}

/** A run, and what was read along with it. */
type Judged<A> = Result.Result<readonly [run: RunRow, read: A], Lost>;

export interface HandingIn {
  readonly run: RunRow;
  readonly facts: IssueFacts;
  readonly agentsMay: AgentsMay;
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
     * failure. With the run it returns what `read` returned for it, in the round trip to storage of its
     * questions.
     */
    holding<A>(
      agentId: string,
      runId: string,
      now: Timestamp,
      read: (run: RunRow) => Effect.Effect<A, StorageError>,
    ): Effect.Effect<Judged<A>, NotFound | StorageError, CurrentPrincipal>;
    /** Like `holding`, with what a hand-in needs to know. */
    handingIn(
      agentId: string,
      runId: string,
      now: Timestamp,
    ): Effect.Effect<Result.Result<HandingIn, Lost>, NotFound | StorageError, CurrentPrincipal>;
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
      const openQuestions = yield* QuestionStore;
      const projects = yield* ProjectStore;
      const agents = yield* Agents;
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

      /**
       * Judges a run after the expiry of its issue's questions is recorded, which may stop it. Returns an active
       * run with what `read` returned for it, which has the open questions of `openOf`.
       */
      const judged = Effect.fnUntraced(function* <A>(
        agentId: string,
        runId: string,
        now: Timestamp,
        read: (run: RunRow) => Effect.Effect<A, StorageError>,
        openOf: (read: A) => ReadonlyArray<QuestionRow>,
      ): Effect.fn.Return<Judged<A>, NotFound | StorageError, CurrentPrincipal> {
        const principal = yield* CurrentPrincipal;
        const run = Option.getOrNull(
          Option.filter(
            yield* store.get(runId),
            (found) => found.agentId === agentId && sees(principal, found.projectId),
          ),
        );
        // An agent with a live run is registered.
        if (run === null || !isLive(run, now)) yield* agents.exists(agentId);
        if (run === null) return yield* new NotFound({ resource: "run", id: runId });
        const reason = run.stopReason ?? "unknown";
        if (!isLive(run, now)) {
          if (run.status !== "ended") yield* expiry.record(run, now);
          yield* learned(runId);
          const why = run.status === "ended" ? reason : ("leaseExpired" as const);
          return Result.fail({ run, reason: why, isFirstNotice: false });
        }
        if (run.status === "active") {
          const known = yield* read(run);
          if (!openOf(known).some((question) => isDue(question, now))) {
            return Result.succeed([run, known] as const);
          }
          yield* questions.record(run.issueId, now);
          return yield* judged(agentId, runId, now, read, openOf);
        }
        yield* stopped(run, reason, now);
        return Result.fail({ run, reason, isFirstNotice: true });
      });

      const holding: HeldRuns["Service"]["holding"] = (agentId, runId, now, read) =>
        Effect.map(
          judged(
            agentId,
            runId,
            now,
            (run) => Effect.all([openQuestions.open(run.issueId), read(run)], { concurrency: 2 }),
            ([open]) => open,
          ),
          Result.map(([run, [, found]]) => [run, found] as const),
        );

      const handingIn: HeldRuns["Service"]["handingIn"] = Effect.fnUntraced(
        function* (agentId, runId, now) {
          const held = yield* judged(
            agentId,
            runId,
            now,
            (run) =>
              Effect.all([issues.facts(run.issueId, now), projects.agentsMay(run.projectId)], {
                concurrency: 2,
              }),
            ([facts]) => Option.match(facts, { onNone: () => [], onSome: (f) => f.openQuestions }),
          );
          if (Result.isFailure(held)) return Result.fail(held.failure);
          const [run, [found, agentsMay]] = held.success;
          const facts = yield* visible(
            "issue",
            run.issueId,
            Effect.succeed(found),
            ({ issue }) => issue.projectId,
          );
          return Result.succeed({ run, facts, agentsMay });
        },
      );

      return HeldRuns.of({ holding, handingIn });
    }),
  );
}
