import { Context, Effect, Layer } from "effect";
import { IssueKeys } from "../access/IssueKeys.ts";
import { CurrentPrincipal } from "../access/Principal.ts";
import type { Run, RunOutcome, RunRow, RunStatus, StopReason } from "../agents/Run.ts";
import { RunStore } from "../agents/RunStore.ts";
import { type InvalidRequest, NotFound, type StorageError } from "../CommonErrors.ts";
import { stateAt } from "../effects/EffectSlot.ts";
import { EffectStore } from "../effects/EffectStore.ts";
import * as Span from "../internal/Span.ts";
import type { ActivityRow } from "../issues/Activity.ts";
import { ActivityStore } from "../issues/ActivityStore.ts";
import { visible } from "../issues/IssueAccess.ts";
import type { ToolCall, ToolCallRow } from "../mcp/ToolCall.ts";
import { ToolCallStore } from "../mcp/ToolCallStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import * as RunView from "./internal/RunView.ts";
import { type NoteRow, RunLogStore, type TurnRow } from "./RunLogStore.ts";
import type { RunTimelineEntry } from "./RunTimeline.ts";

/** Filters of runs; an omitted filter matches all. */
export interface RunFilter {
  readonly agentId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly issueId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly outcome?: RunOutcome | undefined;
  /** The earliest start. */
  readonly from?: Timestamp.Timestamp | undefined;
  /** The time before which the run started. */
  readonly to?: Timestamp.Timestamp | undefined;
  /** The earliest end. */
  readonly endedFrom?: Timestamp.Timestamp | undefined;
}

/** The records of runs. */
export class RunRecords extends Context.Service<
  RunRecords,
  {
    /** Returns the runs that the principal may see, newest first by default. */
    list(
      request?: Page.PageRequest & RunFilter,
    ): Effect.Effect<Page.Page<Run>, InvalidRequest | StorageError, CurrentPrincipal>;
    /** Returns a run. */
    get(runId: string): Effect.Effect<Run, NotFound | StorageError, CurrentPrincipal>;
    /** Returns the timeline of a run, oldest first by default. */
    timeline(
      agentId: string,
      runId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<RunTimelineEntry>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/runs/RunRecords") {
  static readonly layer = Layer.effect(
    RunRecords,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const logs = yield* RunLogStore;
      const activity = yield* ActivityStore;
      const calls = yield* ToolCallStore;
      const effects = yield* EffectStore;
      const render = yield* RunView.make;
      const { idOf } = yield* IssueKeys;

      const visibleRow = (runId: string) =>
        visible("run", runId, store.get(runId), ({ projectId }) => projectId);

      const list = Span.fn("RunRecords.list")(function* (
        request: Page.PageRequest & RunFilter = {},
      ) {
        const { projects } = yield* CurrentPrincipal;
        const now = yield* Timestamp.now;
        const { agentId, endedFrom, from, outcome, projectId, status, to } = request;
        const issueId = request.issueId === undefined ? undefined : yield* idOf(request.issueId);
        const filter = { agentId, endedFrom, from, issueId, outcome, projectId, status, to };
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["all-runs", ...Object.values(filter)] },
          (slice) => store.list({ ...filter, projects, now }, slice),
        );
        return { ...page, items: yield* render(page.items, now) };
      });

      const get = Span.fn("RunRecords.get")(function* (runId: string) {
        const [run] = yield* render([yield* visibleRow(runId)], yield* Timestamp.now);
        return run ?? (yield* Effect.die("a row has a run"));
      });

      /** The entries of the issue's timeline from the start of the run until its end. */
      const activityOf = Effect.fnUntraced(function* (run: RunRow, end: string | null) {
        const { projects } = yield* CurrentPrincipal;
        const found: Array<ActivityRow> = [];
        let after: number | null = null;
        for (;;) {
          const slice: Page.Slice = { limit: 500, order: "desc", after };
          const rows = yield* activity.list(run.issueId, projects, slice);
          found.push(...rows);
          const oldest = rows.at(-1);
          if (oldest === undefined || rows.length < 500 || oldest.createdAt < run.startedAt) break;
          after = oldest.seq;
        }
        // The end of a run is read before its entries are recorded, so they may be later.
        const endsRun = ({ data }: ActivityRow) =>
          data["runId"] === run.id ||
          (run.commentId !== null && data["commentId"] === run.commentId);
        return found
          .toReversed()
          .filter(
            (row) =>
              row.createdAt >= run.startedAt &&
              (end === null || row.createdAt <= end || endsRun(row)),
          )
          .map((row) => (end === null || row.createdAt <= end ? row : { ...row, createdAt: end }));
      });

      /** The calls of a run, also those in flight. */
      const callsOf = Effect.fnUntraced(function* (runId: string) {
        const found: Array<ToolCall> = [...(yield* calls.admitted({ runId }, maxInFlight))];
        let after: number | null = null;
        for (;;) {
          const slice: Page.Slice = { limit: 500, order: "asc", after };
          const rows: ReadonlyArray<ToolCallRow> = yield* calls.list({ runId }, slice);
          found.push(...rows);
          after = rows.at(-1)?.seq ?? after;
          if (rows.length < 500) return found;
        }
      });

      const entriesOf = Effect.fnUntraced(function* (run: RunRow) {
        const [view] = yield* render([run], yield* Timestamp.now);
        const end = view?.endedAt ?? null;
        const noted = (yield* logs.notes(run.id)).map(noteEntry);
        const turned = (yield* logs.turns(run.id)).map(turnEntry);
        const called = (yield* callsOf(run.id)).map(callEntry);
        const now = yield* Timestamp.now;
        const effected = (yield* effects.list(run.issueId, maxEffects))
          .filter(({ runId }) => runId === run.id)
          .toReversed()
          .map((slot): RunTimelineEntry => ({
            kind: "effect",
            at: slot.sentAt,
            callId: slot.callId,
            tool: `${slot.server}/${slot.tool}`,
            state: stateAt(slot, now),
          }));
        const happened = (yield* activityOf(run, end)).flatMap((row) => entryOf(run.id, row) ?? []);
        const middle = [...turned, ...noted, ...called, ...effected, ...happened].toSorted((a, b) =>
          a.at < b.at ? -1 : Number(a.at > b.at),
        );
        const ended: RunTimelineEntry = {
          kind: "ended",
          at: end ?? "",
          ...(run.outcome === null ? {} : { outcome: run.outcome }),
          ...(view?.stopReason == null ? {} : { reason: view.stopReason }),
          ...(run.commentId === null ? {} : { commentId: run.commentId }),
        };
        const started: RunTimelineEntry = { kind: "started", at: run.startedAt };
        return [started, ...middle, ...(end === null ? [] : [ended])];
      });

      const timeline = Span.fn("RunRecords.timeline")(function* (
        agentId: string,
        runId: string,
        request: Page.PageRequest = {},
      ) {
        const run = yield* visibleRow(runId);
        if (run.agentId !== agentId) return yield* new NotFound({ resource: "run", id: runId });
        const entries = yield* entriesOf(run);
        // A position in the list: later entries only follow.
        const rows = entries.map((entry, index) => ({ seq: index + 1, entry }));
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["run-timeline", runId] },
          ({ after, limit, order }) =>
            Effect.succeed(
              (order === "asc" ? rows : rows.toReversed())
                .filter(
                  ({ seq }) => after === null || (order === "asc" ? seq > after : seq < after),
                )
                .slice(0, limit),
            ),
        );
        return Page.map(page, ({ entry }) => entry);
      });

      return RunRecords.of({ list, get, timeline });
    }),
  );
}

/** The largest number of an issue's effects that are read for the timeline of a run. */
const maxEffects = 1_000;
/** The largest number of calls in flight in the timeline. */
const maxInFlight = 1_000;

const noteEntry = ({ at, note }: NoteRow): RunTimelineEntry => ({ kind: "note", at, note });

const turnEntry = ({ at, commentIds }: TurnRow): RunTimelineEntry => ({
  kind: "turn",
  at,
  commentIds,
});

const callEntry = ({ id: callId, server, startedAt: at, tool }: ToolCall): RunTimelineEntry => ({
  kind: "call",
  at,
  callId,
  tool: server === null ? tool : `${server}/${tool}`,
});

const textIn = (data: ActivityRow["data"], name: string): string => {
  const value = data[name];
  return typeof value === "string" ? value : "";
};

/**
 * An entry of the issue's timeline as an entry of the run's; null if the run's timeline omits it.
 */
const entryOf = (runId: string, row: ActivityRow): RunTimelineEntry | null => {
  const { actor, createdAt: at, data, kind } = row;
  switch (kind) {
    case "commented":
      return { kind, at, actor, commentId: textIn(data, "commentId") };
    case "attached":
      return { kind, at, actor, attachmentId: textIn(data, "attachmentId") };
    case "asked":
    case "answered":
      return { kind, at, actor, questionId: textIn(data, "questionId") };
    case "stopped": {
      if (textIn(data, "runId") !== runId) return null;
      const reason = textIn(data, "reason") as StopReason;
      return reason === "takenOver"
        ? { kind: reason, at, runId: textIn(data, "newRunId") }
        : { kind: "stop", at, reason };
    }
    default:
      return null;
  }
};
