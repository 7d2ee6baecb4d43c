import { Context, Effect, Layer, Option, Schedule, type Scope, Stream } from "effect";
import * as Principal from "../../access/Principal.ts";
import { EventLog } from "../../events/EventLog.ts";
import { IssueStore } from "../../issues/IssueStore.ts";
import { Bells, type Listener } from "./Bells.ts";

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
      const bells = new Bells();

      const changes = yield* log
        .subscribe({ filter: { kinds } })
        .pipe(
          Effect.provideService(Principal.CurrentPrincipal, Principal.system),
          Effect.catchTag("InvalidRequest", Effect.die),
        );
      yield* changes.pipe(
        Stream.tapError((error) => Effect.logWarning("Cannot follow changes of issues", error)),
        Stream.retry(Schedule.spaced("1 second")),
        Stream.runForEach(({ subjectId }) =>
          bells.size === 0
            ? Effect.void
            : Effect.map(Effect.orElseSucceed(issues.get(subjectId), Option.none), (found) => {
                const agentId = Option.getOrNull(found)?.assignedAgentId ?? null;
                if (agentId !== null) bells.ring(agentId);
              }),
        ),
        Effect.orDie,
        Effect.forkScoped,
      );

      return WorkBell.of({ listen: (agentId) => bells.listen(agentId) });
    }),
  );
}
