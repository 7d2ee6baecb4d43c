import { Effect, Option } from "effect";
import type { Activity } from "../../issues/Activity.ts";
import { ActivityStore } from "../../issues/ActivityStore.ts";
import { type Question, toQuestion } from "../../issues/Question.ts";
import { QuestionStore } from "../../issues/QuestionStore.ts";
import type { Timestamp } from "../../Timestamp.ts";

/** Questions that come with a started run. */
const most = 100;

/** Entries of the timeline per read. */
const entriesAtOnce = 200;

const closing = new Set<Activity["kind"]>(["answered", "questionExpired", "questionWithdrawn"]);

/**
 * The questions of an issue that were answered, expired or withdrawn since its last run started, or
 * ever if it has had no run: the newest 100, in the order in which they were closed. The timeline
 * has that order exactly, also within a millisecond. Call it before the new run is on the timeline.
 */
export const make = Effect.gen(function* () {
  const activities = yield* ActivityStore;
  const store = yield* QuestionStore;

  const closedIds = Effect.fnUntraced(function* (issueId: string) {
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
        if (kind === "pickedUp" || ids.length === most) return ids.toReversed();
        if (closing.has(kind)) ids.push(String(data["questionId"]));
      }
      after = entries.at(-1)?.seq ?? null;
    } while (after !== null);
    return ids.toReversed();
  });

  return Effect.fnUntraced(function* (issueId: string, now: Timestamp) {
    const rows = yield* Effect.forEach(yield* closedIds(issueId), store.get);
    return rows.flatMap(Option.toArray).map((row): Question => toQuestion(row, now));
  });
});
