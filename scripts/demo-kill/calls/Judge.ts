import type { Admission, Renewal, Watch } from "./Watch.ts";

/** The judgment of what happened, from the witness, the events and the arrivals at the MCP server. */

export interface Arrival {
  readonly at: number;
  readonly callId: string | null;
  readonly tool: string;
  readonly run: string;
  readonly issue: string;
  readonly step: number;
}

export interface Evidence {
  readonly admissions: ReadonlyArray<Admission>;
  readonly renewals: ReadonlyArray<Renewal>;
  readonly events: ReturnType<Watch["events"]>;
  readonly ends: ReturnType<Watch["ends"]>;
  readonly arrivals: ReadonlyArray<Arrival>;
}

const aheadMillis = 30_000;
const graceMillis = 600_000;

/** The time of an admission by the service's clock. */
const admittedAt = ({ until }: Admission) => Date.parse(until) - aheadMillis;

/** The reason why an admission was late; null if it was not. */
export const lateness = (admission: Admission): string | null => {
  const { endedAt, isLatest, issueExists, leaseExpiresAt, outcome, runId, status } = admission;
  const isDone = outcome === "resolved" || outcome === "review";
  // After such a hand-in a worker that names no run acts for none.
  if (runId === null)
    return isDone ? null : "it acted for no run, and its worker's run was not done";
  if (status === null || leaseExpiresAt === null) return "its run does not exist";
  if (issueExists === 0) return "its issue was deleted";
  if (status === "stopping") return "its run was told to stop";
  if (status === "ended") {
    const since = admittedAt(admission) - Date.parse(endedAt ?? "");
    return isDone && isLatest === 1 && since <= graceMillis ? null : "its run had ended";
  }
  return Date.parse(leaseExpiresAt) <= admittedAt(admission) ? "its lease was over" : null;
};

/** Leases that were over when a renewal extended them. */
const revivals = (renewals: ReadonlyArray<Renewal>) =>
  renewals
    .filter(
      ({ after, before, leaseSeconds }) =>
        Date.parse(before) <= Date.parse(after) - leaseSeconds * 1_000,
    )
    .map(({ runId }) => `${runId}: its lease was renewed after its end`);

/** Replays the events: each issue has one holder at a time, and only the holder hands it in. */
const handIns = (events: Evidence["events"]): ReadonlyArray<string> => {
  const found: Array<string> = [];
  const holders = new Map<string, string>();
  for (const { actorType, data, kind, subjectId } of events) {
    const { cause, runId } = JSON.parse(data) as {
      readonly cause?: string;
      readonly runId?: string;
    };
    const holder = holders.get(subjectId);
    if (kind === "issue.pickedUp" && runId !== undefined) {
      if (holder !== undefined) found.push(`${subjectId}: ${runId} started beside ${holder}`);
      holders.set(subjectId, runId);
    } else if (kind === "issue.finished") {
      if (holder !== runId) found.push(`${subjectId}: ${runId} handed in, and ${holder} held it`);
      holders.delete(subjectId);
    } else if (kind === "issue.stopped" || kind === "issue.leaseExpired") {
      holders.delete(subjectId);
    } else if (kind === "issue.statusChanged" && actorType === "agent" && cause === "update") {
      found.push(`${subjectId}: an agent's run that was over changed the status`);
    }
  }
  return found;
};

/** The number of calls that repeat the same step of an issue. */
const repeatsOf = (arrivals: ReadonlyArray<Arrival>, tool: string): number => {
  const steps = arrivals.filter((arrival) => arrival.tool === tool);
  return steps.length - new Set(steps.map(({ issue, step }) => `${issue} ${step}`)).size;
};

export const judge = ({ admissions, arrivals, ends, events, renewals }: Evidence) => {
  const late = admissions.flatMap((admission) => {
    const reason = lateness(admission);
    return reason === null ? [] : [`${admission.callId}: admitted although ${reason}`];
  });
  const byCall = new Map(admissions.map((admission) => [admission.callId, admission]));
  const named = arrivals.flatMap(({ callId, ...arrival }) =>
    callId === null ? [] : [{ ...arrival, callId, admission: byCall.get(callId) }],
  );
  const strays = named.flatMap(({ admission, callId, run }) => {
    if (admission === undefined) return [`${callId}: arrived without an admission`];
    const { runId } = admission;
    // A call that names no run has none in its arguments.
    return runId === run || runId === null || run === ""
      ? []
      : [`${callId}: arrived for ${run}, not ${runId}`];
  });
  const seen = new Set<string>();
  const twice = named.flatMap(({ callId }) => {
    if (seen.has(callId)) return [`${callId}: arrived twice`];
    seen.add(callId);
    return [];
  });
  const held = handIns(events);
  return {
    late: late.length,
    handIns: held.length,
    /** Calls that were admitted for a live run, and arrived after its end. */
    afterEnd: named.filter(
      ({ admission, at }) =>
        admission?.status === "active" && at > (ends.get(admission.runId ?? "") ?? at),
    ).length,
    repeated: { pay: repeatsOf(arrivals, "pay"), note: repeatsOf(arrivals, "note") },
    violations: [...late, ...revivals(renewals), ...held, ...strays, ...twice],
  };
};
