import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import { RunEnded } from "../agents/AgentErrors.ts";
import { CurrentRun } from "../agents/CurrentRun.ts";
import * as Fence from "../agents/Fence.ts";
import type { InvalidRequest, NotFound, StorageError } from "../CommonErrors.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { visible } from "../issues/IssueAccess.ts";
import { IssueStore } from "../issues/IssueStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { type GroupUsage, none, type RunUsage as Usage, type UsageFilter } from "../usage/Usage.ts";
import { hourOf } from "../usage/UsageCounting.ts";
import type { UsageKey } from "../usage/UsageErrors.ts";
import { UsageReports } from "../usage/UsageReport.ts";
import { UsageStore } from "../usage/UsageStore.ts";
import * as UsageRecording from "./internal/UsageRecording.ts";

/** The days that sums are retained. */
const retainedDays = 400;

/** Groups by their key. */
const byKey: Page.Keyset<GroupUsage, string> = {
  keyOf: ({ key }) => key,
  toText: (key) => key,
  fromText: (text) => text,
};

/** The first hour that starts at `at` or later. */
const hourFrom = (at: Timestamp.Timestamp): Timestamp.Timestamp =>
  hourOf(Timestamp.addSeconds(at, 3_599.999));

/** The tokens and cost that runs report. */
export class RunUsage extends Context.Service<
  RunUsage,
  {
    /**
     * Counts reports of a run, up to 10 minutes after its end, and returns the run's usage; null without any. Fails
     * with `UsageKey` for a key that the run counted with other values.
     *
     * @example
     * ```ts
     * import { Issues, Runs, RunUsage } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const runs = yield* Runs.Runs;
     *   const usage = yield* RunUsage.RunUsage;
     *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
     *   const { started } = yield* runs.heartbeat("ops");
     *   const sums = yield* Effect.forEach(started, ({ runId }) =>
     *     usage.report("ops", runId, {
     *       usage: [{ key: "1", model: "m", inputTokens: 1_200, outputTokens: 300 }],
     *     }),
     *   );
     *   return sums.map((sum) => sum?.inputTokens); // [1200]
     * });
     * ```
     */
    report(
      agentId: string,
      runId: string,
      input: typeof UsageReports.Encoded,
    ): Effect.Effect<
      Usage | null,
      Forbidden | NotFound | InvalidRequest | RunEnded | UsageKey | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Returns the usage of an issue. */
    ofIssue(
      issueId: string,
    ): Effect.Effect<GroupUsage, NotFound | StorageError, Principal.CurrentPrincipal>;
    /** Returns groups of the usage that the principal may see, in the order of their keys. */
    list(
      request?: Page.PageRequest & UsageFilter,
    ): Effect.Effect<
      Page.Page<GroupUsage>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Removes sums that are more than 400 days old, at most 5,000, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/runs/RunUsage") {
  static readonly layer = Layer.effect(
    RunUsage,
    Effect.gen(function* () {
      const store = yield* UsageStore;
      const issues = yield* IssueStore;
      const fence = yield* Fence.make;
      const record = yield* UsageRecording.make;
      const { transact } = yield* Transactor;
      const { taken } = yield* IssueKeys;
      const decode = Input.decoder(UsageReports);

      const reported = Effect.fnUntraced(function* (
        agentId: string,
        runId: string,
        body: UsageReports,
      ) {
        // A call for another run has to be allowed to report usage.
        if ((yield* CurrentRun)?.id !== runId) yield* fence("usage");
        const reason = yield* record(agentId, runId, body.usage, yield* Timestamp.now);
        if (reason !== null) return yield* new RunEnded({ runId, reason });
        return (yield* store.ofRuns([runId])).get(runId) ?? null;
      });

      const report = Span.fn("RunUsage.report")(function* (
        agentId: string,
        runId: string,
        input: typeof UsageReports.Encoded,
      ) {
        yield* Principal.requireActingFor(agentId);
        const body = yield* decode(input);
        return yield* transact(reported(agentId, runId, body));
      });

      const ofIssue = Span.fn("RunUsage.ofIssue")(function* (issueId: string) {
        yield* visible("issue", issueId, issues.get(issueId), ({ projectId }) => projectId);
        const [group] = yield* store.groups(
          { groupBy: "issue", issueId, projects: null },
          { after: null, limit: 1, order: "asc" },
        );
        return group ?? { key: issueId, runs: 0, ...none, runsWithoutUsage: 0 };
      });

      const list = Span.fn("RunUsage.list")(function* (
        request: Page.PageRequest & UsageFilter = {},
      ) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const { agentId, from, groupBy = "day", projectId, to } = request;
        const query = {
          groupBy,
          from: from === undefined ? undefined : hourOf(from),
          to: to === undefined ? undefined : hourFrom(to),
          agentId,
          projectId,
        };
        return yield* Page.readBy(
          byKey,
          { ...request, defaultOrder: "asc", query: ["usage", ...Object.values(query)] },
          (slice) => store.groups({ ...query, projects }, slice),
        );
      });

      const prune = Effect.flatMap(Timestamp.now, (now) =>
        transact(store.prune(Timestamp.addSeconds(now, -retainedDays * 86_400), 5_000)),
      );

      return RunUsage.of({ report, ofIssue: taken(ofIssue), list, prune });
    }),
  );
}
