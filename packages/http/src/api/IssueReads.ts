import {
  Activity,
  BriefIssue,
  Id,
  Issue,
  IssueFilter,
  IssueGraph,
  Readiness,
  Version,
} from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { about, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { graphDepth, paging } from "./Query.ts";

/** Issue lists, and views derived from an issue and its neighbors. */

export const project = {
  projectId: Id.ProjectId.annotateKey({ description: "The project's id, chosen by the host." }),
};

/** An issue id, without the reserved word `issues`: that path lists the issues of a project. */
const IssueId = Id.ServiceId.check(
  Schema.isPattern(/^(?!issues$)/, { expected: "an issue id, not a reserved word" }),
);
export const issue = { issueId: IssueId.annotateKey({ description: "The issue's id." }) };

const view = {
  view: Schema.optionalKey(Schema.Literals(["full", "brief"])).annotateKey({
    description:
      "`brief` omits `description`, `links` and `metadata`, and adds the live run and the numbers of open blockers, blocked issues and open questions. Default: `full`.",
  }),
};
const { texts } = IssueFilter;
const boolean = { contentSchema: { type: "boolean" } };

const filters = {
  ...texts,
  paused: texts.paused.annotateKey(boolean),
  ready: texts.ready.annotateKey(boolean),
  silentAgent: texts.silentAgent.annotateKey(boolean),
};

const lists = [Schema.Array(Issue.Issue), Schema.Array(BriefIssue.BriefIssue)] as const;

export const list = HttpApiEndpoint.get("list", "/api/projects/:projectId/issues", {
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

export const listAcross = HttpApiEndpoint.get("listAcross", "/api/projects/issues", {
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

export const readiness = HttpApiEndpoint.get(
  "readiness",
  "/api/projects/issues/:issueId/readiness",
  {
    params: issue,
    success: Readiness.Readiness,
    error: Problem.NotFound,
  },
).annotateMerge(
  about({
    summary: "Get an issue's readiness",
    description:
      "Returns whether the next heartbeat of the assigned agent would pick the issue up, and every reason why it would not.",
    access: viewer,
  }),
);

export const graph = HttpApiEndpoint.get("graph", "/api/projects/issues/:issueId/graph", {
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

export const activity = HttpApiEndpoint.get("activity", "/api/projects/issues/:issueId/activity", {
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

export const versions = HttpApiEndpoint.get("versions", "/api/projects/issues/:issueId/versions", {
  params: issue,
  query: paging,
  success: Schema.Array(Version.DescriptionVersion),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List the versions of an issue's description",
    description:
      "Returns the descriptions that the issue has and had, oldest first by default; paged.",
    access: viewer,
  }),
);
