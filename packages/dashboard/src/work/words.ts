import type { BriefIssue } from "../data/issues/issues.ts";

/** `Label 3 issues`, or the title of the only one. */
export const titleOf = (verb: string, issues: ReadonlyArray<BriefIssue>): string =>
  issues.length === 1 ? `${verb} the issue` : `${verb} ${issues.length} issues`;

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** What happens when an issue is closed or deleted, in sentences. */
export const consequences = (
  command: "close" | "delete",
  { blocksCount, liveRun, openQuestions }: BriefIssue,
): ReadonlyArray<string> => [
  command === "close"
    ? "No agent picks it up any longer. It can be opened again."
    : "It is removed with its comments, attachments, links and timeline. This cannot be undone.",
  ...(liveRun === null ? [] : [`${liveRun.agentId} works on it, and stops at its next turn.`]),
  ...(openQuestions === 0
    ? []
    : [`${count(openQuestions, "open question")} will be withdrawn without an answer.`]),
  ...(blocksCount === 0
    ? []
    : [
        `${count(blocksCount, "open issue")} no longer wait${blocksCount === 1 ? "s" : ""} for it, though it was not resolved.`,
      ]),
];
