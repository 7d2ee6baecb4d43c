import { Cache, Effect, Exit } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { IssueStatus, StatusCounts } from "../../issues/Issue.ts";
import { StatsStore } from "../StatsStore.ts";
import type { Staying } from "./Numbers.ts";

/**
 * Reads since when issues are in their status. Up to 1,000 issues of a status are read each time. Of
 * more, about 1,000 are, chosen over an index of all of them, so the result is used again for a minute.
 */

const most = 1_000;

/** Statuses in which issues wait. A Resolved or Closed issue may stay as it is forever. */
const statuses = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
] as const satisfies ReadonlyArray<IssueStatus>;

export const make = Effect.gen(function* () {
  const store = yield* StatsStore;

  const read = (
    projects: ReadonlyArray<string> | null,
    status: IssueStatus,
    count: number,
  ): Effect.Effect<Staying, StorageError> =>
    Effect.map(store.staying({ projects, status, share: Math.min(1, most / count) }), (sinces) => ({
      status,
      count,
      sinces,
    }));

  const samples = yield* Cache.makeWith(
    (key: string) => {
      const [projects, status, count] = JSON.parse(key) as Parameters<typeof read>;
      return read(projects, status, count);
    },
    {
      capacity: 200,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 minute" : 0),
    },
  );

  return (projects: ReadonlyArray<string> | null, counts: StatusCounts) =>
    Effect.forEach(
      statuses.filter((status) => counts[status] > 0),
      (status) => {
        const count = counts[status];
        return count <= most
          ? read(projects, status, count)
          : // Rounded to 5 %, so that not every new issue needs another sample.
            Cache.get(samples, JSON.stringify([projects, status, Number(count.toPrecision(2))]));
      },
    );
});
