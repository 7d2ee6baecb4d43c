import { Issue, Plan, IssueInput } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import { bulk } from "./IssueBulk.ts";
import { issue, project } from "./IssueReads.ts";
import * as IssueReads from "./IssueReads.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey, precondition } from "./Query.ts";

/** Refusals for agent keys on a paused or held issue, and for calls that act for an ended run. */
const notForAgents = [Problem.Paused, Problem.Held, Problem.RunEnded] as const;

const create = HttpApiEndpoint.post("create", "/api/projects/:projectId/issues", {
  params: project,
  headers: idempotencyKey,
  payload: IssueInput.IssueCreate.annotate({
    examples: [
      {
        title: "Rotate the signing keys",
        description: "Use the new HSM, and keep the old keys valid for a week.",
        priority: "high",
        assignedAgentId: "agent-ops",
      },
    ],
  }),
  success: Issue.SavedIssue.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
    Problem.RunEnded,
    Problem.UnknownReference,
    Problem.LimitExceeded,
    Problem.IdempotencyMismatch,
    Problem.ExternalRefTaken,
  ],
}).annotateMerge(
  about({
    summary: "Create an issue",
    description:
      "With `blockedByIssueId` the new issue waits for that blocker; otherwise it is `Open`.",
    access: editor,
    idempotencyKey: "honoured",
  }),
);

const plan = HttpApiEndpoint.post("plan", "/api/projects/:projectId/plan", {
  params: project,
  headers: idempotencyKey,
  payload: Plan.Plan.annotate({
    examples: [
      {
        issues: [
          { ref: "design", title: "Design the schema" },
          { ref: "build", title: "Build the API", blockedBy: ["design"] },
        ],
      },
    ],
  }),
  success: Schema.Array(Plan.CreatedIssue).pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
    Problem.RunEnded,
    Problem.UnknownReference,
    Problem.LimitExceeded,
    Problem.IdempotencyMismatch,
    Problem.ExternalRefTaken,
    Problem.DependencyCycle,
  ],
}).annotateMerge(
  about({
    summary: "Create the issues of a plan",
    description:
      "Creates up to 500 issues, which may wait for each other, in one transaction. `blockedBy` names issues of the plan by `ref` and other issues by id. The body may have up to 8 MiB. Returns the issues in the order of the plan.",
    access: editor,
    idempotencyKey: "honoured",
    jsonBytes: 8 * 1024 * 1024,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/projects/issues/:issueId", {
  params: issue,
  success: Issue.Issue,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an issue",
    description: "Returns the issue. `ETag` is its version.",
    access: viewer,
  }),
);

const update = HttpApiEndpoint.put("update", "/api/projects/issues/:issueId", {
  params: issue,
  headers: precondition,
  payload: IssueInput.IssueUpdate.annotate({
    examples: [{ status: "Resolved" }, { goalId: null }],
  }),
  success: Issue.SavedIssue,
  error: [
    Problem.NotFound,
    Problem.PreconditionFailed,
    Problem.UnknownReference,
    Problem.LimitExceeded,
    Problem.Blocked,
    Problem.OpenDependents,
    Problem.ExternalRefTaken,
    Problem.NoRun,
    ...notForAgents,
  ],
}).annotateMerge(
  about({
    summary: "Update an issue",
    description:
      "Changes fields and status in one transaction. An omitted field does not change; `null` clears a nullable field. The status `Resolved` opens dependents that have no other open blocker. If the agent whose run holds the issue sets `PendingReview`, `Resolved` or `Open`, that finishes the run.",
    access: editor,
  }),
);

const close = HttpApiEndpoint.post("close", "/api/projects/issues/:issueId/close", {
  params: issue,
  headers: precondition,
  query: {
    force: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Closes the issue although open dependents wait for it. Default: false.",
      contentSchema: { type: "boolean", default: false },
    }),
  },
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.PreconditionFailed, Problem.OpenDependents, ...notForAgents],
}).annotateMerge(
  about({
    summary: "Close an issue",
    description:
      "Responds with 409 if open dependents wait for the issue. With `force=true` closes it anyway; dependents without another open blocker become `Open`. Closing a closed issue changes nothing.",
    access: editor,
  }),
);

const pause = HttpApiEndpoint.post("pause", "/api/projects/issues/:issueId/pause", {
  params: issue,
  headers: precondition,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.PreconditionFailed, Problem.NotExecuting, ...notForAgents],
}).annotateMerge(
  about({
    summary: "Pause an issue",
    description:
      "The issue must be `InProgress`. It becomes `Open`, and its run stops at the next turn. No heartbeat picks the issue up until a person resumes it.",
    access: editor,
  }),
);

const resume = HttpApiEndpoint.post("resume", "/api/projects/issues/:issueId/resume", {
  params: issue,
  headers: precondition,
  success: HttpApiSchema.NoContent,
  error: [
    Problem.NotFound,
    Problem.PreconditionFailed,
    Problem.NotPaused,
    Problem.Blocked,
    ...notForAgents,
  ],
}).annotateMerge(
  about({
    summary: "Resume a paused issue",
    description: "The issue becomes `InProgress`, and its agent picks it up at the next heartbeat.",
    access: editor,
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/projects/issues/:issueId", {
  params: issue,
  headers: precondition,
  query: {
    confirm: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Must be true: the deletion is permanent.",
      contentSchema: { type: "boolean", default: false },
    }),
  },
  success: HttpApiSchema.NoContent,
  error: [
    Problem.NotFound,
    Problem.PreconditionFailed,
    Problem.ConfirmationRequired,
    ...notForAgents,
  ],
}).annotateMerge(
  about({
    summary: "Delete an issue",
    description:
      "Permanently deletes the issue with its comments, attachments, links and timeline. `confirm` must be true.",
    access: editor,
  }),
);

/** Issues, from their creation to their deletion. */
export class IssuesApi extends HttpApiGroup.make("issues")
  .add(
    IssueReads.list,
    IssueReads.listAcross,
    create,
    plan,
    bulk,
    get,
    update,
    close,
    pause,
    resume,
    remove,
    IssueReads.readiness,
    IssueReads.graph,
    IssueReads.activity,
    IssueReads.versions,
  )
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Issues", description: "Units of work that agents execute." }),
  ) {}
