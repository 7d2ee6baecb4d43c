import type { Workers } from "@quartermaster/core";

/** The answer of `work_next` without a run. It names the runs that the worker may take over, and how. */

type None = Extract<Workers.Next, { readonly run: null }>;

const named = ({ issueId, lastSeenAt, runId, startedAt }: Workers.OtherRun): string =>
  `${runId} (${issueId}, since ${startedAt}, last seen ${lastSeenAt})`;

/** The sentence about the runs of the answer. `wanted` is the run that the worker tried to take over. */
const detailOf = ({ reason, runs }: None, wanted: string | undefined): string => {
  const list = runs.map(named).join(", ");
  if (reason === "nothing") {
    return `Other processes of your agent hold ${list}. If one of them is gone, take its run over with runId.`;
  }
  if (wanted === undefined) {
    return `Another process with this key holds ${list}. Wait, or take it over with runId if that process is gone.`;
  }
  return runs.some(({ runId }) => runId === wanted)
    ? `The process that holds ${list} is not gone: it called less than 60 seconds ago, or a call of it is in flight. Wait, or leave the run to it.`
    : `You hold ${list}. Hand it in with work_finish first.`;
};

export const answer = (next: None, wanted: string | undefined) => {
  const { runs, ...none } = next;
  return runs.length === 0 ? none : { ...none, runs, detail: detailOf(next, wanted) };
};
