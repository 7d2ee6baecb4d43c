import * as IssueFacts from "./IssueFacts.ts";
import * as QuestionTable from "./QuestionTable.ts";

/**
 * The rule of `IssueLifecycle.obstacles` as a condition of `issues`, without the agent: whether nothing
 * keeps the issue from being picked up. The current time is a parameter, three times.
 */
export const free = `status IN ('Open', 'InProgress') AND paused_because IS NULL
  AND (not_before IS NULL OR not_before <= ?)
  AND NOT ${IssueFacts.projectPaused("issues.project_id")}
  AND NOT ${IssueFacts.heldBy("issues.id")}
  AND NOT ${QuestionTable.awaitedAtTime("issues.id")}
  AND (link_count = 0 OR NOT EXISTS (SELECT 1 ${IssueFacts.openBlockers("issues.id")}))`;
