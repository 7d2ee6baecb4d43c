import { Effect, Option } from "effect";
import type { Timestamp } from "../Timestamp.ts";
import type { Activity } from "./Activity.ts";
import { ActivityStore } from "./ActivityStore.ts";
import { type Question, toQuestion } from "./Question.ts";
import { QuestionStore } from "./QuestionStore.ts";

/** The largest number of questions that a started run gets. */
const most = 100;

/** Entries of the timeline per read. */
const entriesAtOnce = 200;

const closing = new Set<Activity["kind"]>(["answered", "questionExpired", "questionWithdrawn"]);

/**
 * The questions that a run has to know: the newest 100 that were answered, expired or withdrawn
 * since the previous run started (for the first run: all). They are in the order in which they were
 * closed. The timeline records that order exactly, even within a millisecond. The run may be on the
 * timeline already, or about to start.
 */
export const make = Effect.gen(function* () {
  const activities = yield* ActivityStore;
  const store = yield* QuestionStore;

  const closedIds = Effect.fnUntraced(function* (issueId: string, runId: string) {
    const ids: Array<string> = [];
    let after: number | null = null;
    do {
      const slice = { limit: entriesAtOnce, order: "desc", after } as const;
      const entries: Effect.Success<ReturnType<typeof activities.list>> = yield* activities.list(
        issueId,
        null,
        slice,
      );
      for (const { data, kind } of entries) {
        const isPrevious = kind === "pickedUp" && data["runId"] !== runId;
        if (isPrevious || ids.length === most) return ids.toReversed();
        if (closing.has(kind)) ids.push(String(data["questionId"]));
      }
      after = entries.at(-1)?.seq ?? null;
    } while (after !== null);
    return ids.toReversed();
  });

  return Effect.fnUntraced(function* (issueId: string, runId: string, now: Timestamp) {
    const rows = yield* Effect.forEach(yield* closedIds(issueId, runId), store.get);
    return rows.flatMap(Option.toArray).map((row): Question => toQuestion(row, now));
  });
});
