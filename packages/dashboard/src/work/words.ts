import type { BriefIssue } from "../data/issues/issues.ts";

/** `Label 3 issues`, or the title of the only one. */
export const titleOf = (verb: string, issues: ReadonlyArray<BriefIssue>): string =>
  issues.length === 1 ? `${verb} the issue` : `${verb} ${issues.length} issues`;
