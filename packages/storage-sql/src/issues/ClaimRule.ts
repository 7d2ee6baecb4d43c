import * as IssueFacts from "./IssueFacts.ts";
import * as QuestionTable from "./QuestionTable.ts";

/**
 * `IssueLifecycle.obstacles` as an SQL condition on `issues`, without the rules about the agent:
 * true if nothing prevents a claim. `params` are its parameters.
 */
export const free = `status IN ('Open', 'InProgress') AND paused_because IS NULL
  AND (not_before IS NULL OR not_before <= ?)
  AND NOT ${IssueFacts.projectPaused("issues.project_id")}
  AND NOT ${IssueFacts.heldBy("issues.id")}
  AND NOT ${QuestionTable.awaitedAtTime("issues.id")}
  AND NOT EXISTS (SELECT 1 FROM admitted_calls c WHERE c.issue_id = issues.id AND c.until > ?
    /* OFFSET 0 */)
  AND (link_count = 0 OR NOT EXISTS (SELECT 1 ${IssueFacts.openBlockers("issues.id")}
    /* OFFSET 0 */))`;

export const params = (now: string): ReadonlyArray<string> => [now, now, now, now];
