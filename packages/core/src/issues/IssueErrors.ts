import { Schema } from "effect";
import { firstOf } from "../CommonErrors.ts";
import { ErrorClass, text, texts } from "../ErrorClass.ts";
import { IssueStatus } from "./Issue.ts";

/** Errors of the issue lifecycle and of links. Lists of ids name at most 100 issues. */

const issueStatus = IssueStatus.annotate({ description: "The issue's current status." });

/** Open dependents forbid the close. */
export class OpenDependents extends ErrorClass<OpenDependents>()(
  "OpenDependents",
  {
    dependents: texts("Ids of open dependents that the caller may see, at most 100."),
  },
  ({ dependents }) =>
    `Resolve or close the open dependents first, or force the close${firstOf(dependents)}.`,
) {}

/** An open blocker forbids the change of status, or the issue has no open blocker to wait for. */
export class Blocked extends ErrorClass<Blocked>()(
  "Blocked",
  {
    blockers: texts("Ids of open blockers that the caller may see, at most 100."),
  },
  ({ blockers }) =>
    blockers.length === 0
      ? "Link the issue to an open blocker first: without one it has nothing to wait for."
      : `Resolve the open blockers first, or remove their links${firstOf(blockers)}.`,
) {}

/** The link would close a cycle of blockers. */
export class DependencyCycle extends ErrorClass<DependencyCycle>()(
  "DependencyCycle",
  {
    cycle: texts(
      "Ids of the issues of the cycle, from the issue back to itself; refs of a plan that has it.",
    ),
  },
  () => "Remove a link of the cycle first: issues cannot wait for each other.",
) {}

/** The two issues are already linked by this relation. */
export class LinkExists extends ErrorClass<LinkExists>()(
  "LinkExists",
  { linkId: text("Id of the existing link.") },
  () => "Use the existing link: the two issues already have this relation.",
) {}

/** Another issue of the project has the external reference. */
export class ExternalRefTaken extends ErrorClass<ExternalRefTaken>()(
  "ExternalRefTaken",
  { issueId: text("Id of the issue that has the reference.") },
  ({ issueId }) => `Use the issue ${issueId}, or another externalRef: that issue has this one.`,
) {}

/** A pause of an issue that is not InProgress. */
export class NotExecuting extends ErrorClass<NotExecuting>()(
  "NotExecuting",
  { issueStatus },
  ({ issueStatus }) => `Pause an issue while it is InProgress: this one is ${issueStatus}.`,
) {}

/** A resume of an issue that is not paused. */
export class NotPaused extends ErrorClass<NotPaused>()(
  "NotPaused",
  { issueStatus },
  ({ issueStatus }) => `Resume only a paused issue: this one is ${issueStatus} and not paused.`,
) {}

/** A change by an agent of an issue that is paused. */
export class Paused extends ErrorClass<Paused>()(
  "Paused",
  {},
  () => "Leave the issue as it is until a person resumes it: it is paused.",
) {}

/** A change by an agent of an issue that a run holds which the change does not act for. */
export class Held extends ErrorClass<Held>()(
  "Held",
  {
    runId: text("The run that holds the issue."),
    agentId: text("The agent of that run."),
  },
  ({ agentId, runId }) =>
    `The run ${runId} of the agent ${agentId} holds the issue. If that run is yours, name it in the header Quartermaster-Run; otherwise leave the issue to it.`,
) {}

/** An issue linked to itself. */
export class SelfLink extends ErrorClass<SelfLink>()(
  "SelfLink",
  {},
  () => "Name another issue: an issue cannot be linked to itself.",
) {}

/** A question that is no longer open, or a question on an issue that is done. */
export class QuestionClosed extends ErrorClass<QuestionClosed>()(
  "QuestionClosed",
  {
    reason: Schema.Literals(["answered", "expired", "withdrawn", "issueDone"]).annotate({
      description:
        "`answered`, `expired` or `withdrawn`: the question is. `issueDone`: its issue is Resolved or Closed.",
    }),
  },
  ({ reason }) =>
    reason === "issueDone"
      ? "Reopen the issue first: an issue that is done waits for no answer."
      : `Read the question again: it is ${reason} and takes no other answer.`,
) {}
