import { Clock, Context, Effect, Layer, Latch, Option, Schedule, type Scope } from "effect";
import { RunStore } from "../../agents/RunStore.ts";
import { EventLog } from "../../events/EventLog.ts";
import { RunLogStore } from "../RunLogStore.ts";
import { Bells, type Listener } from "./Bells.ts";

const pollEvery = "250 millis";
/** The shortest time between two looks: a burst of requests shares one. */
const pause = "20 millis";
/** The shortest time between two events of a run. */
const eventMillis = 1_000;

/**
 * Follows the logs of all runs, written by any node: one per node, for all readers that wait. It looks
 * into storage after a request of this node, and every 250 ms while a reader waits or a client
 * subscribes to `run.logged`. States: idle (`reached` is null), and following from `reached` on.
 */
export class LogTail extends Context.Service<
  LogTail,
  {
    /** Listens for entries of the run from now on, until the scope closes. */
    listen(runId: string): Effect.Effect<Listener, never, Scope.Scope>;
    /** Reports new entries or a note of the run by this node. */
    wrote(runId: string): Effect.Effect<void>;
  }
>()("@quartermaster/core/runs/internal/LogTail") {
  static readonly layerNoDeps = Layer.effect(
    LogTail,
    Effect.gen(function* () {
      const store = yield* RunLogStore;
      const runs = yield* RunStore;
      const events = yield* EventLog;
      const bells = new Bells();
      const soon = Latch.makeUnsafe(false);
      let reached: number | null = null;
      /** The time of each run's last event, and the runs whose next event is due after that. */
      const announced = new Map<string, number>();
      const due = new Set<string>();

      const isFollowed = Effect.suspend(() =>
        bells.size > 0 ? Effect.succeed(true) : events.isWanted("run.logged"),
      );

      const announce = Effect.fnUntraced(function* (runId: string) {
        const run = Option.getOrNull(yield* runs.get(runId));
        if (run === null) return;
        yield* events.announce({
          kind: "run.logged",
          projectId: run.projectId,
          relatedProjectId: null,
          subjectId: run.id,
          issueKey: run.issueKey,
          actor: { type: "Agent", id: run.agentId },
          data: { agentId: run.agentId, issueId: run.issueId },
        });
      });

      const announceDue = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        for (const [runId, at] of announced) {
          // Negative if the clock was set back.
          const since = now - at;
          if (since >= 0 && since < eventMillis) continue;
          announced.delete(runId);
        }
        for (const runId of due) {
          if (announced.has(runId)) continue;
          due.delete(runId);
          announced.set(runId, now);
          yield* announce(runId);
        }
      });

      const look = Effect.gen(function* () {
        if (!(yield* isFollowed)) {
          reached = null;
          due.clear();
          return;
        }
        const last = yield* store.lastSeq;
        if (reached === null) {
          bells.ringAll();
        } else if (last > reached) {
          for (const runId of yield* store.changedAfter(reached)) {
            bells.ring(runId);
            due.add(runId);
          }
        }
        reached = Math.max(last, reached ?? 0);
        yield* announceDue;
      });

      yield* soon.await.pipe(
        Effect.andThen(Effect.sync(() => soon.closeUnsafe())),
        Effect.andThen(look),
        Effect.catch((error) => Effect.logWarning("Cannot follow the logs of runs", error)),
        // Uses real time, because the clock of a test stands still.
        Effect.andThen(
          Effect.provideService(Effect.sleep(pause), Clock.Clock, Clock.Clock.defaultValue()),
        ),
        Effect.forever,
        Effect.forkScoped,
      );
      yield* Effect.flatMap(isFollowed, (followed) => (followed ? soon.open : Effect.void)).pipe(
        Effect.repeat(Schedule.spaced(pollEvery)),
        Effect.forkScoped,
      );

      return LogTail.of({
        listen: (runId) => Effect.tap(bells.listen(runId), () => soon.open),
        wrote: (runId) =>
          Effect.suspend(() => {
            due.add(runId);
            bells.ring(runId);
            return Effect.asVoid(soon.open);
          }),
      });
    }),
  );
}
