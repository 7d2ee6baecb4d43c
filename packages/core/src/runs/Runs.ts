import { Context, Effect, Layer, Option } from "effect";
import { Forbidden } from "../access/AccessErrors.ts";
import { actsFor, CurrentPrincipal, sees } from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import { Agents } from "../agents/Agents.ts";
import type { ActingRun } from "../agents/CurrentRun.ts";
import { isReleasing } from "../agents/Releasing.ts";
import { isLive, type Run, type RunRow, type RunStatus } from "../agents/Run.ts";
import { RunStore } from "../agents/RunStore.ts";
import type { InvalidRequest, LimitExceeded, NotFound, StorageError } from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import type { ChangedIssue } from "../issues/Issue.ts";
import { LeaseExpiry } from "../issues/LeaseExpiry.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { UsageKey } from "../usage/UsageErrors.ts";
import type { Finish, Heartbeat, HeartbeatAnswer, Turn, TurnAnswer } from "./Heartbeat.ts";
import { Heartbeats } from "./internal/Heartbeats.ts";
import { HeldRuns } from "./internal/HeldRuns.ts";
import * as RunView from "./internal/RunView.ts";
import { Turns } from "./internal/Turns.ts";

type Denied = Forbidden | NotFound | StorageError;

/** The number of expired runs per transaction, which bounds how long a renewal waits. */
const expiredAtOnce = 50;

/**
 * Runs. An agent picks up issues with a heartbeat, takes turns, stops between turns when it has to,
 * and finishes. A run is the only lock on an issue. Every read checks whether its lease has
 * expired.
 */
export class Runs extends Context.Service<
  Runs,
  {
    /**
     * Renews runs, reports runs to stop, and claims issues. Registers an unknown agent.
     *
     * @example
     * ```ts
     * import { Issues, Runs } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const runs = yield* Runs.Runs;
     *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
     *   const { started } = yield* runs.heartbeat("ops", { capacity: 2, leaseSeconds: 120 });
     *   return started.map((run) => run.issue.title); // ["Rotate the keys"]
     * });
     * ```
     */
    heartbeat(
      agentId: string,
      input?: typeof Heartbeat.Encoded,
    ): Effect.Effect<HeartbeatAnswer, Denied | InvalidRequest | LimitExceeded, CurrentPrincipal>;
    /**
     * Renews the lease of a run and returns new comments. If the run has to stop, returns `stop`
     * once and ends the run; later calls fail with `RunEnded`. Usage counts in each case.
     *
     * @example
     * ```ts
     * import { Issues, Runs } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const runs = yield* Runs.Runs;
     *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
     *   const { started } = yield* runs.heartbeat("ops");
     *   const turns = yield* Effect.forEach(started, ({ runId }) => runs.turn("ops", runId));
     *   return turns.map((turn) => turn.action); // ["continue"]
     * });
     * ```
     */
    turn(
      agentId: string,
      runId: string,
      input?: typeof Turn.Encoded,
    ): Effect.Effect<TurnAnswer, Denied | RunEnded | InvalidRequest | UsageKey, CurrentPrincipal>;
    /**
     * Hands the issue in and ends the run. Returns the issue. In a project whose `agentsMay` is
     * `review`, `resolved` counts as `review`, and `handedInAs` reports that. If the run has to
     * stop, ends the run and fails with `RunEnded`. Usage counts in each case.
     *
     * @example
     * ```ts
     * import { Issues, Runs } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const runs = yield* Runs.Runs;
     *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
     *   const { started } = yield* runs.heartbeat("ops");
     *   const done = yield* Effect.forEach(started, ({ runId }) =>
     *     runs.finish("ops", runId, { outcome: "review", comment: "Keys are rotated." }),
     *   );
     *   return done.map((issue) => issue.status); // ["PendingReview"]
     * });
     * ```
     */
    finish(
      agentId: string,
      runId: string,
      input: typeof Finish.Encoded,
    ): Effect.Effect<ChangedIssue, Denied | RunEnded | InvalidRequest | UsageKey, CurrentPrincipal>;
    /**
     * Returns the run that a caller names as the run its request acts for: the value of
     * `CurrentRun`. Fails with `Forbidden` unless it is a run of an agent that the principal may
     * act for, in a project that it may see.
     */
    acting(runId: string): Effect.Effect<ActingRun, Forbidden | StorageError, CurrentPrincipal>;
    /** Returns an agent's runs, newest first by default. */
    list(
      agentId: string,
      request?: Page.PageRequest & { readonly status?: RunStatus | undefined },
    ): Effect.Effect<Page.Page<Run>, NotFound | InvalidRequest | StorageError, CurrentPrincipal>;
    /**
     * Ends runs whose lease has expired, at most 50, and returns how many. Such a run holds
     * nothing, and counts as an attempt on its issue.
     */
    readonly endExpired: Effect.Effect<number, StorageError>;
    /**
     * Shortens leases that started while the clock was ahead, so that a run that died in the
     * meantime does not hold its issue until real time catches up. Returns how many there were.
     */
    readonly shortenLeases: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/runs/Runs") {
  static readonly layerNoDeps = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const { heartbeat } = yield* Heartbeats;
      const { turn, finish } = yield* Turns;
      const store = yield* RunStore;
      const agents = yield* Agents;
      const expiry = yield* LeaseExpiry;
      const { transact } = yield* Transactor;
      const render = yield* RunView.make;

      /** Renews a run that would be released, because a request names it. Reads it again. */
      const keep = Effect.fnUntraced(function* ({ id }: RunRow, now: Timestamp.Timestamp) {
        const run = Option.getOrNull(yield* store.get(id));
        if (run?.status !== "active" || !isReleasing(run) || !isLive(run, now)) return;
        const leaseExpiresAt = Timestamp.addSeconds(now, run.leaseSeconds);
        yield* store.update([{ ...run, leaseExpiresAt, releaseAt: null }]);
      });

      const acting = Effect.fnUntraced(function* (runId: string) {
        const principal = yield* CurrentPrincipal;
        const run = Option.getOrNull(yield* store.get(runId));
        const mayAct = principal.agentId !== null || Role.includes(principal.role, "Editor");
        const isOwn = run !== null && actsFor(principal, run.agentId) && mayAct;
        if (!isOwn || !sees(principal, run.projectId)) {
          return yield* new Forbidden({ requiredRole: null });
        }
        if (isReleasing(run))
          yield* transact(Effect.flatMap(Timestamp.now, (now) => keep(run, now)));
        return run;
      });

      const list = Span.fn("Runs.list")(function* (
        agentId: string,
        request: Page.PageRequest & { readonly status?: RunStatus | undefined } = {},
      ) {
        const { projects } = yield* CurrentPrincipal;
        const now = yield* Timestamp.now;
        const { status } = request;
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["runs", agentId, status] },
          (slice) =>
            Effect.andThen(
              agents.exists(agentId),
              store.list({ agentId, status, projects, now }, slice),
            ),
        );
        return { ...page, items: yield* render(page.items, now) };
      });

      const endExpired = transact(
        Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const expired = yield* store.expired(now, expiredAtOnce);
          yield* Effect.forEach(expired, (run) => expiry.record(run, now), { discard: true });
          return expired.length;
        }),
      );

      const shortenLeases = transact(Effect.flatMap(Timestamp.now, store.shortenLeases)).pipe(
        Effect.tap((count) =>
          count === 0
            ? Effect.void
            : Effect.logWarning(`Shortened ${count} leases that started while the clock was ahead`),
        ),
      );

      return Runs.of({ heartbeat, turn, finish, acting, list, endExpired, shortenLeases });
    }),
  ).pipe(
    Layer.provide(Layer.merge(Heartbeats.layerNoDeps, Turns.layerNoDeps)),
    Layer.provide(HeldRuns.layerNoDeps),
  );
}
