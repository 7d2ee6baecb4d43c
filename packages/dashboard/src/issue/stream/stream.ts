import type { Activity, Comment, Run } from "../../data/issues/stream.ts";
import type { Show } from "../common/search.ts";

/**
 * A run of the issue, built from the timeline. Fields that only the list of runs has are null until that list
 * is loaded.
 */
export interface RunEntry {
  readonly id: string;
  readonly agentId: string;
  readonly attempt: number | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** The outcome or the stop reason; null while it runs. */
  readonly end: string | null;
  /** The run itself; null until the list is loaded. */
  readonly run: Run | null;
}

export type Entry =
  | {
      readonly type: "comment";
      readonly id: string;
      readonly at: string;
      readonly comment: Comment;
    }
  | { readonly type: "run"; readonly id: string; readonly at: string; readonly run: RunEntry }
  | {
      readonly type: "change";
      readonly id: string;
      readonly at: string;
      readonly change: Activity;
    };

interface Pages<Item> {
  readonly pages: ReadonlyArray<{
    readonly items: ReadonlyArray<Item>;
    readonly next: string | null;
  }>;
}

const textOf = (data: Activity["data"], name: string): string | null => {
  const value = (data as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : null;
};

/** The outcome of a failure, which either pauses the issue or leaves it for a retry. */
const failureOf = (stopReason: Run["stopReason"]) =>
  stopReason === "paused" ? "failedPaused" : "failedRetried";

/** The runs in the timeline `entries` (oldest first), completed from the list `known`. */
export const runsOf = (
  entries: ReadonlyArray<Activity>,
  known: ReadonlyArray<Run>,
): ReadonlyArray<RunEntry> => {
  const runs = new Map<string, RunEntry>();
  for (const { actor, createdAt, data, kind } of entries) {
    const id = textOf(data, "runId");
    if (id === null) continue;
    if (kind === "pickedUp") {
      const agentId = textOf(data, "agentId") ?? actor.id;
      runs.set(id, {
        id,
        agentId,
        attempt: null,
        startedAt: createdAt,
        endedAt: null,
        end: null,
        run: null,
      });
      continue;
    }
    const run = runs.get(id);
    const end =
      kind === "leaseExpired"
        ? "leaseExpired"
        : (textOf(data, "outcome") ?? textOf(data, "reason"));
    if (run !== undefined && end !== null) runs.set(id, { ...run, endedAt: createdAt, end });
  }
  for (const found of known) {
    const { attempt, endedAt, id, outcome, stopReason } = found;
    const run = runs.get(id);
    if (run === undefined) continue;
    const end = outcome === "failed" ? failureOf(stopReason) : (run.end ?? outcome ?? stopReason);
    runs.set(id, {
      ...run,
      run: found,
      attempt,
      endedAt: run.endedAt ?? endedAt,
      end: endedAt === null ? run.end : end,
    });
  }
  return [...runs.values()];
};

/** Whether a comment or a run in the stream already shows the entry. */
const isShownElsewhere = ({ data, kind }: Activity) =>
  ["commented", "commentEdited", "commentDeleted"].includes(kind) ||
  ["pickedUp", "finished", "stopped", "leaseExpired"].includes(kind) ||
  (kind === "statusChanged" && ["pickedUp", "finished"].includes(textOf(data, "cause") ?? ""));

const oldestOf = <Item extends { readonly createdAt: string }>(list: Pages<Item>): string =>
  list.pages.at(-1)?.next == null
    ? ""
    : (list.pages.flatMap(({ items }) => items).at(-1)?.createdAt ?? "");

/**
 * Whether two changes are consecutive edits of the description by one actor. Autosave produces many; the
 * stream shows one.
 */
const isMoreOf = (entry: Entry | undefined, next: Entry | undefined): boolean =>
  [entry, next].every(
    (one) =>
      one?.type === "change" &&
      Object.keys(Object(Object(one.change.data)["changes"])).join() === "description",
  ) &&
  entry?.type === "change" &&
  next?.type === "change" &&
  entry.change.actor.id === next.change.actor.id;

/** Merges everything into one stream, oldest first. It starts where both paged lists are loaded. */
export const streamOf = (
  activity: Pages<Activity>,
  comments: Pages<Comment>,
  known: ReadonlyArray<Run>,
  show: Show | undefined,
): ReadonlyArray<Entry> => {
  const from = [oldestOf(activity), oldestOf(comments)].toSorted().at(-1) ?? "";
  const timeline = activity.pages.flatMap(({ items }) => items).toReversed();
  const entries: ReadonlyArray<Entry> = [
    ...timeline
      .filter((change) => !isShownElsewhere(change))
      .map((change) => ({
        type: "change" as const,
        id: change.id,
        at: change.createdAt,
        change,
      })),
    ...runsOf(timeline, known).map((run) => ({
      type: "run" as const,
      id: run.id,
      at: run.startedAt,
      run,
    })),
    ...comments.pages
      .flatMap(({ items }) => items)
      .toReversed()
      .map((comment) => ({
        type: "comment" as const,
        id: comment.id,
        at: comment.createdAt,
        comment,
      })),
  ];
  return entries
    .filter(({ at, type }) => at >= from && (show === undefined || show === `${type}s`))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .filter((entry, index, all) => !isMoreOf(entry, all[index + 1]));
};

/** A version of the timeline that changes when a run starts or ends. */
export const versionOf = (activity: Pages<Activity> | undefined): string =>
  activity?.pages.flatMap(({ items }) => items).find(({ data }) => textOf(data, "runId") !== null)
    ?.id ?? "";

/** The duration between two timestamps, such as `4m 12s`. */
export const duration = (from: string, to: string): string => {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000));
  const parts: ReadonlyArray<readonly [number, string]> = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? "0s" : shown.map(([count, unit]) => `${count}${unit}`).join(" ");
};
