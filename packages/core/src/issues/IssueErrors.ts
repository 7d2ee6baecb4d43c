import { Schema } from "effect";
import { firstOf } from "../CommonErrors.ts";
import { ErrorClass, text, texts } from "../ErrorClass.ts";
import { IssueStatus } from "./Issue.ts";

/** Errors of the issue lifecycle and of links. Lists of ids name at most 100 issues. */

const issueStatus = IssueStatus.annotate({ description: "The issue's current status." });

/** Open issues depend on the issue, so it cannot be closed. */
export class OpenDependents extends ErrorClass<OpenDependents>()(
  "OpenDependents",
  {
    dependents: texts("Ids of open dependents that the caller may see, at most 100."),
  },
  ({ dependents }) =>
    `Open issues depend on this issue${firstOf(dependents)}. Resolve or close them first, or force the close.`,
) {}

/** Open blockers forbid the status, or the issue has no open blocker to wait for. */
export class Blocked extends ErrorClass<Blocked>()(
  "Blocked",
  {
    blockers: texts("Ids of open blockers that the caller may see, at most 100."),
  },
  ({ blockers }) =>
    blockers.length === 0
      ? "The issue has no open blocker to wait for. Link it to one first."
      : `Open issues block this issue${firstOf(blockers)}. Resolve them first, or remove their links.`,
) {}

/** A cycle as an error names it: at most 100 ids, and it always ends where it starts. */
export const namedCycle = (cycle: ReadonlyArray<string>): ReadonlyArray<string> =>
  cycle.length > 100 ? [...cycle.slice(0, 99), ...cycle.slice(-1)] : cycle;

/** The link would create a cycle of blockers. */
export class DependencyCycle extends ErrorClass<DependencyCycle>()(
  "DependencyCycle",
  {
    cycle: texts(
      "Ids of the issues in the cycle, from the issue back to itself; for a plan, their refs.",
    ),
  },
  () =>
    "The link would create a cycle, and issues cannot wait for each other. Remove a link of the cycle first.",
) {}

/** The two issues already have this link. */
export class LinkExists extends ErrorClass<LinkExists>()(
  "LinkExists",
  { linkId: text("Id of the existing link.") },
  () => "The two issues already have this link. Use the existing one.",
) {}

/** The id or the prefix of a new project belongs to another one. */
export class Exists
  extends /* @__PURE__ */ ErrorClass<Exists>()(
    "Exists",
    { name: text("`id` or `prefix`.") },
    ({ name }) => `Another project has this ${name}. Use another one.`,
  ) {}

/** The project has issues or live runs, so it cannot be deleted. */
export class ProjectInUse extends ErrorClass<ProjectInUse>()(
  "ProjectInUse",
  {
    issues: Schema.Int.annotate({
      description: "The number of its issues; 0 if only live runs of deleted issues remain.",
    }),
  },
  ({ issues }) =>
    issues === 0
      ? "Runs of the project are live. Retry when they have ended: at their next turn, or when their leases expire."
      : `The project has ${issues === 1 ? "1 issue" : `${issues} issues`}. Delete ${issues === 1 ? "it, or move it" : "them, or move them"} to another project first.`,
) {}

/** Another issue of the project has this external reference. */
export class ExternalRefTaken extends ErrorClass<ExternalRefTaken>()(
  "ExternalRefTaken",
  { issueId: text("Id of the issue that has the reference.") },
  ({ issueId }) =>
    `The issue ${issueId} has this externalRef. Use that issue, or another externalRef.`,
) {}

/** Only an issue that is InProgress can be paused. */
export class NotExecuting extends ErrorClass<NotExecuting>()(
  "NotExecuting",
  { issueStatus },
  ({ issueStatus }) =>
    `The issue is ${issueStatus}. Only an issue that is InProgress can be paused.`,
) {}

/** Only a paused issue can be resumed. */
export class NotPaused extends ErrorClass<NotPaused>()(
  "NotPaused",
  { issueStatus },
  ({ issueStatus }) =>
    `The issue is ${issueStatus} and not paused. Only a paused issue can be resumed.`,
) {}

/** An agent cannot change a paused issue. */
export class Paused
  extends /* @__PURE__ */ ErrorClass<Paused>()(
    "Paused",
    {},
    () => "The issue is paused. Leave it as it is until a person resumes it.",
  ) {}

/** An agent's change to an issue that is held by a run that the change does not act for. */
export class Held extends ErrorClass<Held>()(
  "Held",
  {
    runId: text("The run that holds the issue."),
    agentId: text("The agent of that run."),
  },
  ({ agentId, runId }) =>
    `The run ${runId} of the agent ${agentId} holds the issue. If that run is yours, name it in the header Quartermaster-Run; otherwise leave the issue to it until it ends.`,
) {}

/** An issue cannot be linked to itself. */
export class SelfLink
  extends /* @__PURE__ */ ErrorClass<SelfLink>()(
    "SelfLink",
    {},
    () => "An issue cannot be linked to itself. Name another issue.",
  ) {}

/** The question is no longer open, or its issue is done. */
export class QuestionClosed extends ErrorClass<QuestionClosed>()(
  "QuestionClosed",
  {
    reason: Schema.Literals(["answered", "expired", "withdrawn", "issueDone"]).annotate({
      description:
        "`answered`, `expired` and `withdrawn`: the status of the question. `issueDone`: its issue is Resolved or Closed.",
    }),
  },
  ({ reason }) =>
    reason === "issueDone"
      ? "The issue is done and takes no questions. Reopen it first."
      : `The question is ${reason} and takes no other answer. Read it again.`,
) {}

/** The reason why a comment cannot be edited or deleted. */
export type CommentFixedReason = "handIn" | "answer" | "system" | "deleted";

const fixed: Readonly<Record<CommentFixedReason, string>> = {
  handIn: "The comment is the hand-in of a run and stays as it is. Add another comment.",
  answer: "The comment is the answer to a question and stays as it is. Add another comment.",
  system: "The comment is by the service and stays as it is. Add another comment.",
  deleted: "The comment was deleted. Add another comment.",
};

/** The comment cannot be edited or deleted. */
export class CommentFixed
  extends /* @__PURE__ */ ErrorClass<CommentFixed>()(
    "CommentFixed",
    { reason: Schema.Literals(["handIn", "answer", "system", "deleted"]) },
    ({ reason }) => fixed[reason],
  ) {}
