import { Context, Effect, Layer, Option, Schedule, type Scope, Stream } from "effect";
import * as Principal from "../../access/Principal.ts";
import { EventLog } from "../../events/EventLog.ts";
import { IssueStore } from "../../issues/IssueStore.ts";

/** Events after which the agent of the issue may have an issue to pick up. */
const kinds = [
  "issue.created",
  "issue.updated",
  "issue.statusChanged",
  "issue.resumed",
  "issue.deferred",
  "issue.stopped",
  "issue.finished",
  "issue.leaseExpired",
  "issue.answered",
  "issue.questionExpired",
  "issue.questionWithdrawn",
];

/** A worker that waits for one agent's bell. */
export class Listener {
  #rung = false;
  #wake = () => {};

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Waits until the bell has rung since the last wait, or for `millis` milliseconds. */
  wait(millis: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      if (this.#rung) return resume(Effect.void);
      this.#wake = () => resume(Effect.void);
      return Effect.void;
    }).pipe(
      Effect.timeoutOption(millis),
      Effect.andThen(
        Effect.sync(() => {
          this.#rung = false;
          this.#wake = () => {};
        }),
      ),
    );
  }
}

/**
 * Rings for an agent when there may be an issue for it. Workers wait by agent, so that an event
 * wakes only the workers of one agent. Otherwise 500 waiting workers would claim 500 times.
 */
export class WorkBell extends Context.Service<
  WorkBell,
  {
    /** Listens from now on, until the scope closes. */
    listen(agentId: string): Effect.Effect<Listener, never, Scope.Scope>;
  }
>()("@quartermaster/core/runs/internal/WorkBell") {
  static readonly layer = Layer.effect(
    WorkBell,
    Effect.gen(function* () {
      const log = yield* EventLog;
      const issues = yield* IssueStore;
      const bells = new Map<string, Set<Listener>>();

      const ring = (agentId: string) => {
        for (const listener of bells.get(agentId) ?? []) listener.ring();
      };

      const changes = yield* log
        .subscribe({ filter: { kinds } })
        .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system), Effect.orDie);
      yield* changes.pipe(
        Stream.tapError((error) => Effect.logWarning("Cannot follow changes of issues", error)),
        Stream.retry(Schedule.spaced("1 second")),
        Stream.runForEach(({ subjectId }) =>
          bells.size === 0
            ? Effect.void
            : Effect.map(Effect.orElseSucceed(issues.get(subjectId), Option.none), (found) => {
                const agentId = Option.getOrNull(found)?.assignedAgentId ?? null;
                if (agentId !== null) ring(agentId);
              }),
        ),
        Effect.orDie,
        Effect.forkScoped,
      );

      const listen = (agentId: string) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const listener = new Listener();
            const listeners = bells.get(agentId) ?? new Set();
            bells.set(agentId, listeners.add(listener));
            return listener;
          }),
          (listener) =>
            Effect.sync(() => {
              const listeners = bells.get(agentId);
              listeners?.delete(listener);
              if (listeners?.size === 0) bells.delete(agentId);
            }),
        );

      return WorkBell.of({ listen });
    }),
  );
}
