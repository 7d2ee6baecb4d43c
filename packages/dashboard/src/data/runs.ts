import type { Run, RunTimelineEntry, ToolCall } from "@quartermaster/client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { plainText } from "./ansi.ts";
import { useData } from "./live/data.ts";
import { itemsOf, pagesOf } from "./live/query.ts";
import { useMay } from "./live/session.ts";

export type { Run, RunTimelineEntry, ToolCall } from "@quartermaster/client";

/**
 * The polling interval in milliseconds. Events of the issue, and of the log and the notes of a run, refresh it; calls and
 * renewals of a lease emit none.
 */
const beat = 15_000;

const isLive = ({ leaseExpiresAt, status }: Run): boolean =>
  status !== "ended" && Date.parse(leaseExpiresAt) > Date.now();

/** A run. `read` is the run as a list has it, until it is read itself. */
export const useRun = (runId: string, read?: Run) => {
  const { api } = useData();
  return useQuery({
    placeholderData: () => read,
    queryKey: ["run", runId],
    staleTime: 0,
    queryFn: ({ signal }) => api.runs.get({ runId }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.status !== "ended" ? beat : false,
  });
};

/** The 20 newest live runs of all agents, and the 20 newest that were told to stop. */
export const useRunsNow = (projectId: string | undefined) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["agent work", "runs now", projectId ?? null],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const read = async (status: "active" | "stopping") =>
        (await api.runs.list({ status, projectId, limit: 20 }, { signal }).page()).items;
      const [active, stopping] = await Promise.all([read("active"), read("stopping")]);
      return [...active, ...stopping];
    },
    refetchInterval: beat,
  });
};

/** Runs, newest first, 100 per page. `state` is of a live run, or the outcome of a hand-in. */
export const useRuns = ({
  agent,
  ended,
  from,
  project,
  state,
}: {
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly state?: "running" | "stopping" | NonNullable<Run["outcome"]> | undefined;
  /** The earliest start. */
  readonly from?: string | undefined;
  /** The earliest end. */
  readonly ended?: string | undefined;
}) => {
  const { api } = useData();
  const filter = {
    agentId: agent,
    projectId: project,
    from,
    endedFrom: ended,
    ...(state === "running"
      ? ({ status: "active" } as const)
      : state === "stopping"
        ? { status: state }
        : { outcome: state }),
  };
  return useInfiniteQuery({
    ...pagesOf<Run>(["agent work", "runs list", filter], (cursor, signal) =>
      api.runs.list({ ...filter, limit: 100, cursor }, { signal }).page(),
    ),
    staleTime: 0,
    refetchInterval: beat,
    select: itemsOf,
  });
};

/** The events of the run, oldest first, 100 per page. */
export const useRunTimeline = (run: Run) => {
  const { api } = useData();
  const { agentId, id: runId } = run;
  return useInfiniteQuery({
    ...pagesOf<RunTimelineEntry>(["run", runId, "timeline"], (cursor, signal) =>
      api.runs.timeline({ agentId, runId, limit: 100, cursor }, { signal }).page(),
    ),
    staleTime: 0,
    refetchInterval: isLive(run) ? beat : false,
    select: itemsOf,
  });
};

/** The run's 500 newest calls, by id. Viewers get no texts of errors. */
export const useRunCalls = (run: Run) => {
  const { api } = useData();
  const { agentId, id: runId } = run;
  return useQuery({
    queryKey: ["run", runId, "calls"],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ToolCall>> => {
      const { items } = await api.tools
        .callsOfRun({ agentId, runId, limit: 500 }, { signal })
        .page();
      return new Map(items.map((call) => [call.id, call]));
    },
    refetchInterval: isLive(run) ? beat : false,
  });
};

/** The record of a call, with its arguments and its result if they were recorded. Requires the Admin role. */
export const useCallRecord = ({ id: callId, outcome }: ToolCall) => {
  const { api } = useData();
  return useQuery({
    // The result arrives with the outcome.
    queryKey: ["call", callId, outcome],
    staleTime: 0,
    queryFn: ({ signal }) => api.tools.record({ callId }, { signal }),
    enabled: useMay("Admin"),
  });
};

/** The newest line of a live run's log; null without one. */
export const useLastLine = ({ agentId, id: runId, logBytes }: Run) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["run", runId, "last line"],
    staleTime: 0,
    enabled: logBytes > 0,
    queryFn: async ({ signal }) => {
      const { entries } = await api.runs.readLog({ agentId, runId, tail: 5 }, { signal });
      const lines = entries.flatMap(({ text }) => text.split("\n")).map(plainText);
      return lines.findLast((line) => line.trim() !== "") ?? null;
    },
    refetchInterval: beat,
  });
};
