import type { BriefIssue, Run } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { useNow } from "../parts/RelativeTime.tsx";
import { issueRows } from "./issues/issueRows.ts";
import { issueKey } from "./issues/issueStore.ts";
import { useData, useStore } from "./live/data.ts";
import { phaseOf } from "./runWords.ts";

/** The polling interval in milliseconds: neither the renewal nor the end of a lease emits an event. */
const beat = 30_000;

/** The end of the lease of a run without a hand-in; null if the run still works or ended otherwise. */
export const lostAt = (run: Run, now: number): string | null => {
  if (phaseOf(run, now) === "overdue") return run.leaseExpiresAt;
  return run.outcome === null && run.stopReason === "leaseExpired" ? run.endedAt : null;
};

/**
 * The last run of an issue in progress, if its lease expired and no other run has started since. Reads it only once the
 * row's lease seems to be over; if the lease was renewed, the row gets the new one.
 */
export const useLostRun = (
  issue: BriefIssue,
): { readonly runId: string; readonly at: string } | null => {
  const { api } = useData();
  const rows = useStore(issueRows);
  const now = useNow();
  const { id, liveRun, paused, status } = issue;
  const isHeld = liveRun !== null && Date.parse(liveRun.leaseExpiresAt) > now;
  const enabled = status === "InProgress" && !paused && !isHeld;
  const { data } = useQuery({
    queryKey: [...issueKey(id), "last run"],
    staleTime: 0,
    enabled,
    refetchInterval: beat,
    queryFn: async ({ signal }) => {
      const { items } = await api.runs.list({ issueId: id, limit: 1 }, { signal }).page();
      const run = items[0] ?? null;
      const row = rows.find(id);
      if (run !== null && row !== undefined && phaseOf(run, Date.now()) === "live") {
        const { agentId, id: runId, leaseExpiresAt } = run;
        rows.put([{ ...row, liveRun: { runId, agentId, leaseExpiresAt } }]);
      }
      return run;
    },
  });
  if (!enabled || data == null) return null;
  const at = lostAt(data, now);
  return at === null ? null : { runId: data.id, at };
};
