import { Issue, IssueFilter } from "@quartermaster/core";

/** The filters of the tool `issues_list`: a model needs these, and each definition costs it tokens. */

export const filters = {
  status: IssueFilter.texts.status,
  priority: IssueFilter.texts.priority,
  assigneeId: IssueFilter.texts.assigneeId,
  goalId: IssueFilter.texts.goalId,
  label: IssueFilter.texts.label,
  has: IssueFilter.texts.has,
  q: IssueFilter.texts.q,
  updatedSince: IssueFilter.texts.updatedSince,
  externalRef: IssueFilter.texts.externalRef,
  paused: IssueFilter.texts.paused,
  ready: IssueFilter.texts.ready,
  sort: IssueFilter.texts.sort,
};

const alternatives = (description: string) => ({ type: "string", description });

/** The filters with several values, separated by commas. */
export const parameters = {
  status: alternatives(`${Issue.IssueStatus.literals.join(", ")}.`),
  priority: alternatives("urgent, high, normal, low."),
  assigneeId: alternatives("Agents, users."),
  goalId: alternatives("Ids of goals."),
  has: alternatives("question, files, failure."),
};

export const texts = {
  q: "Words of texts and files, at most 32.",
  updatedSince: "Changed since this time. ISO 8601.",
  label: "All of these labels, at most 32. `a,b`: one of both.",
  ready: "True: only issues that their agent would pick up. False: others.",
  paused: "True: only paused issues. False: others.",
  sort: "Default: `created`, with `q` `relevance`.",
};
