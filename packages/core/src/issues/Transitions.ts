import { Context, Effect, Layer, Option } from "effect";
import type { Actor } from "../Actor.ts";
import { RunStore } from "../agents/RunStore.ts";
import type { StorageError } from "../CommonErrors.ts";
import { EffectStore } from "../effects/EffectStore.ts";
import * as Timestamp from "../Timestamp.ts";
import { isOpen, type IssueRow, type IssueState } from "./Issue.ts";
import { type IssueFacts, IssueStore } from "./IssueStore.ts";
import { QuestionStore } from "./QuestionStore.ts";
import * as IssueLifecycle from "./rules/IssueLifecycle.ts";
import { type NewActivity, Timeline } from "./Timeline.ts";

const activities = (change: IssueLifecycle.Change<IssueState>): ReadonlyArray<NewActivity> =>
  change.entries.map((entry) => ({ ...entry, issue: change.issue }));

/** Carries out the decisions of `IssueLifecycle` in the current transaction. */
export class Transitions extends Context.Service<
  Transitions,
  {
    /**
     * Stores the change of an issue and its timeline, stops its run and notifies its dependents if
     * the change requires it, and withdraws the open questions of an issue that is done. An issue
     * that a person reopens starts a new cycle of effects. Returns the changed issue.
     */
    apply(
      facts: Pick<IssueFacts, "issue" | "liveRun">,
      change: IssueLifecycle.Change,
      actor: Actor,
    ): Effect.Effect<IssueRow, StorageError>;
    /** Notifies the dependents of an issue, and writes their timelines. */
    notify(
      issueId: string,
      notice: IssueLifecycle.Notice,
      actor: Actor,
    ): Effect.Effect<void, StorageError>;
    /** Withdraws the open questions of an issue, and writes its timeline. */
    withdrawQuestions(
      issue: Pick<IssueRow, "id" | "projectId">,
      actor: Actor,
    ): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/Transitions") {
  static readonly layerNoDeps = Layer.effect(
    Transitions,
    Effect.gen(function* () {
      const issues = yield* IssueStore;
      const runs = yield* RunStore;
      const questions = yield* QuestionStore;
      const effects = yield* EffectStore;
      const timeline = yield* Timeline;

      const notify = Effect.fnUntraced(function* (
        issueId: string,
        notice: IssueLifecycle.Notice,
        actor: Actor,
      ) {
        const now = yield* Timestamp.now;
        const dependents = yield* issues.dependents(issueId, now);
        const changes = dependents
          .map((facts) => IssueLifecycle.blockerChanged(facts, notice, now))
          .filter((change) => change.entries.length > 0);
        if (changes.length === 0) return;
        yield* issues.move(changes.map((change) => change.issue));
        yield* timeline.record(actor, changes.flatMap(activities));
      });

      const withdrawQuestions = Effect.fnUntraced(function* (
        issue: Pick<IssueRow, "id" | "projectId">,
        actor: Actor,
      ) {
        const open = yield* questions.open(issue.id);
        if (open.length === 0) return;
        yield* questions.update(open.map((row) => ({ ...row, status: "withdrawn" as const })));
        yield* timeline.record(
          actor,
          open.map(({ id }) => ({ issue, kind: "questionWithdrawn", data: { questionId: id } })),
        );
      });

      const startCycle = Effect.fnUntraced(function* (issueId: string) {
        const issue = yield* effects.issue(issueId);
        if (Option.isNone(issue)) return;
        yield* effects.putIssue({ ...issue.value, cycle: issue.value.cycle + 1 });
      });

      const apply = Effect.fnUntraced(function* (
        facts: Pick<IssueFacts, "issue" | "liveRun">,
        change: IssueLifecycle.Change,
        actor: Actor,
      ) {
        if (change.entries.length === 0) return facts.issue;
        // Most changes only change the status.
        yield* change.entries.some(({ kind }) => kind === "updated")
          ? issues.update([change.issue])
          : issues.move([change.issue]);
        yield* timeline.record(actor, activities(change));
        if (change.stop !== null && facts.liveRun?.status === "active") {
          yield* runs.update([{ ...facts.liveRun, status: "stopping", stopReason: change.stop }]);
        }
        if (actor.type === "User" && !isOpen(facts.issue.status) && isOpen(change.issue.status)) {
          yield* startCycle(change.issue.id);
        }
        const { notice } = change;
        if (notice !== null && notice !== "blockerReopened") {
          yield* withdrawQuestions(change.issue, actor);
        }
        // A link that is made at the same time writes the issue too, so one of both runs again.
        if (notice !== null && facts.issue.linkCount > 0) {
          yield* notify(change.issue.id, notice, actor);
        }
        return change.issue;
      });

      return Transitions.of({ apply, notify, withdrawQuestions });
    }),
  );
}
