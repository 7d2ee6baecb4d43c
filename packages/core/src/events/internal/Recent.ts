import { Effect } from "effect";
import { type Principal, sees } from "../../access/Principal.ts";
import type { StorageError } from "../../CommonErrors.ts";
import type { EventKind, EventRow } from "../Event.ts";
import type { EventStore } from "../EventStore.ts";

/** The positions before the end of the log that one read after the other reaches back to. */
const reaches = [200, 1_500, 10_000] as const;

/** The newest events that the principal may see, newest first. Reads back at most 10,000 positions. */
export const read = Effect.fnUntraced(function* (
  store: EventStore["Service"],
  principal: Principal,
  {
    kinds,
    limit,
    projectId,
  }: {
    readonly projectId: string | undefined;
    readonly kinds: ReadonlyArray<EventKind> | null;
    readonly limit: number;
  },
): Effect.fn.Return<ReadonlyArray<EventRow>, StorageError> {
  if (projectId !== undefined && !sees(principal, projectId)) return [];
  const query = { projects: principal.projects, kinds };
  const last = yield* store.lastSeq;
  let found: ReadonlyArray<EventRow> = [];
  for (const reach of reaches) {
    const after = Math.max(0, last - reach);
    const rows = yield* store.list(query, { after, until: last, limit: reach });
    found = rows.filter((row) => projectId === undefined || row.projectId === projectId);
    if (found.length >= limit || after === 0) break;
  }
  return found.slice(-limit).toReversed();
});
