import type { BriefIssue } from "../data/issues/issues.ts";
import { Badge } from "../parts/Badge.tsx";
import { LabelBadge } from "../parts/LabelBadge.tsx";

const pauses = {
  person: "Paused by a person",
  failed: "Paused: its run failed",
  tooManyAttempts: "Paused: too many attempts",
  questionExpired: "Paused: a question expired",
  unknown: "Paused",
} as const;

const shownLabels = 3;

/** The reasons why the issue does not progress. */
export const Facts = ({ issue }: { readonly issue: BriefIssue }) => (
  <>
    {issue.openQuestions > 0 ? (
      <Badge
        icon="question"
        tone="accent"
        text={String(issue.openQuestions)}
        title={`${issue.openQuestions} open questions`}
      />
    ) : null}
    {issue.paused ? (
      <Badge
        icon="pause"
        tone={issue.pausedBecause === "person" ? "warning" : "danger"}
        text={issue.pausedBecause === "person" ? "Paused" : "Failed"}
        title={pauses[issue.pausedBecause ?? "unknown"]}
      />
    ) : null}
    {issue.blockedByCount > 0 ? (
      <Badge
        icon="blocked"
        text={String(issue.blockedByCount)}
        title={`${issue.blockedByCount} open blockers`}
      />
    ) : null}
    {issue.labels.slice(0, shownLabels).map((label) => (
      <LabelBadge key={label} text={label} />
    ))}
    {issue.labels.length > shownLabels ? (
      <Badge
        text={`+${issue.labels.length - shownLabels}`}
        title={issue.labels.slice(shownLabels).join(", ")}
      />
    ) : null}
  </>
);
