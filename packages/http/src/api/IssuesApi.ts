import {
  Activity,
  BriefIssue,
  Id,
  Issue,
  IssueGraph,
  Plan,
  Readiness,
  Text,
  IssueInput,
  IssueFilter,
} from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { graphDepth, idempotencyKey, paging, precondition } from "./Query.ts";

const project = {
  projectId: Id.ProjectId.annotateKey({ description: "The project's id, chosen by the host." }),
};

/** Refuses reserved words, which no issue has as its id: such a request means the list of a project. */
const IssueId = Id.ServiceId.check(
  Schema.isPattern(/^(?!issues$)/, { expected: "an issue id, not a reserved word" }),
);
const issue = { issueId: IssueId.annotateKey({ description: "The issue's id." }) };

/** The refusals of agents' keys on a paused issue and on an issue that a run holds, and of calls that act for an ended run. */
const notForAgents = [Problem.Paused, Problem.Held, Problem.RunEnded] as const;

const view = {
  view: Schema.optionalKey(Schema.Literals(["full", "brief"])).annotateKey({
    description:
      "`brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`.",
  }),
};
const { literals: statuses } = Issue.IssueStatus;

const { fields } = IssueFilter.IssueFilter;
const boolean = { contentSchema: { type: "boolean" } };

const filters = {
  ...fields,
  paused: fields.paused.annotateKey(boolean),
  ready: fields.ready.annotateKey(boolean),
  status: Schema.optionalKey(Text.commaList("statuses", statuses)).pipe(
    Schema.annotateEncoded({
      description: `Only issues with one of these statuses, separated by commas: ${statuses.join(", ")}.`,
    }),
  ),
};

const lists = [Schema.Array(Issue.Issue), Schema.Array(BriefIssue.BriefIssue)] as const;

const list = HttpApiEndpoint.get("list", "/api/projects/:projectId/issues", {
  params: project,
  query: { ...filters, ...view, ...paging },
  success: lists,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List a project's issues",
    description:
      "Returns issues, newest first by default; paged. All filters must match. A project without issues returns an empty array.",
    access: viewer,
  }),
);

const listAcross = HttpApiEndpoint.get("listAcross", "/api/projects/issues", {
  query: {
    projectId: Schema.optionalKey(
      Schema.Array(Id.HostId).check(Schema.isMaxLength(100)),
    ).annotateKey({
      description:
        "Only issues of these projects, up to 100. A project that the caller may not see has no issues.",
    }),
    ...filters,
    ...view,
    ...paging,
  },
  success: lists,
}).annotateMerge(
  about({
    summary: "List issues of all projects",
    description:
      "Returns issues of every project that the caller may see, newest first by default; paged. All filters must match.",
    access: viewer,
  }),
);

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
  success: Issue.Issue.pipe(HttpApiSchema.status(201)),
  error: [
    Problem.NotFound,
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
  success: Issue.ChangedIssue,
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

const readiness = HttpApiEndpoint.get("readiness", "/api/projects/issues/:issueId/readiness", {
  params: issue,
  success: Readiness.Readiness,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an issue's readiness",
    description:
      "Returns whether the next heartbeat of the assigned agent would pick the issue up, and every reason why it would not.",
    access: viewer,
  }),
);

const graph = HttpApiEndpoint.get("graph", "/api/projects/issues/:issueId/graph", {
  params: issue,
  query: graphDepth,
  success: IssueGraph.IssueGraph,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an issue's graph",
    description:
      "Returns the issue with its transitive blockers and dependents, up to 500 issues. Omits issues that the caller may not see, and issues that are reachable only through those.",
    access: viewer,
  }),
);

const activity = HttpApiEndpoint.get("activity", "/api/projects/issues/:issueId/activity", {
  params: issue,
  query: paging,
  success: Schema.Array(Activity.Activity),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an issue's timeline",
    description: "Returns entries, oldest first by default; paged.",
    access: viewer,
  }),
);

/** Issues, from their creation to their deletion. */
export class IssuesApi extends HttpApiGroup.make("issues")
  .add(
    list,
    listAcross,
    create,
    plan,
    get,
    update,
    close,
    pause,
    resume,
    remove,
    readiness,
    graph,
    activity,
  )
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Issues", description: "Units of work that agents execute." }),
  ) {}
