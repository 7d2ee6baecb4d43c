// The text for a model that starts, resumes or has lost its context to a compaction.
import { get, stateOf } from "./service.mjs";

const loop =
  "Between two steps call work_turn: it returns new comments, and after `stop` leave the issue as it is. " +
  "Report with issue_comment, and ask a person with ask. Hand in with work_finish: review with the result as the " +
  "comment, resolved, released to give the issue back, or failed.";

/** Names run, issue and loop; null if the agent has no such run. `isEarlier`: another process of the session held it. */
export const brief = async (runId, isEarlier) => {
  const state = await stateOf(runId);
  if (state === null) return null;
  const { issueId, stop } = state;
  const found = await get(`projects/issues/${issueId}`);
  const issue = `${issueId}${found === null ? "" : ` ${JSON.stringify(found.body.title)}`}`;
  if (stop !== undefined) {
    return `Quartermaster: ${stop} Leave the issue ${issue} as it is. work_next returns other work.`;
  }
  const continued = isEarlier
    ? `An earlier process of this session held the run ${runId} of the issue ${issue}. Continue it: call work_turn with ` +
      `runId "${runId}" and takeOver true. While it returns wait, another process may hold it: call again a minute later.`
    : `You work on the issue ${issue} in the run ${runId}.`;
  return `Quartermaster: ${continued} ${loop}`;
};
