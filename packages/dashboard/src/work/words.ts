import type { BriefIssue } from "../data/issues/issues.ts";

/** A dialog title: `Label 3 issues`, or the verb with the title of a single issue. */
export const titleOf = (verb: string, issues: ReadonlyArray<BriefIssue>): string =>
  issues.length === 1 ? `${verb} the issue` : `${verb} ${issues.length} issues`;

/** The common value of all issues; empty if they differ. */
export const shared = (values: ReadonlyArray<string | null>): string =>
  values.every((value) => value === values[0]) ? (values[0] ?? "") : "";
