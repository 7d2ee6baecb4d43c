import { type Issue, type IssueAccess, Issues } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";
import * as IssueBulk from "./IssueBulk.ts";

const urlOf = ({ id }: Issue.Issue) => `/api/projects/issues/${id}`;

/** The versions of the issue that the change accepts, from `If-Match`. */
const precondition = (headers: { readonly "if-match"?: IssueAccess.IfMatch }) => ({
  ifMatch: headers["if-match"],
});

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const issues = yield* Issues.Issues;

    return Handlers.of("issues", {
      list: ({ params: { projectId }, query: { view, ...query } }) =>
        view === "brief"
          ? Reply.found(query, (page) => issues.listBrief(projectId, page))
          : Reply.found(query, (page) => issues.list(projectId, page)),
      listAcross: ({ query: { view, ...query } }) =>
        view === "brief"
          ? Reply.found(query, issues.listAcrossBrief)
          : Reply.found(query, issues.listAcross),
      create: ({ params, payload }) =>
        Reply.createdVersioned(issues.create(params.projectId, payload), urlOf),
      plan: ({ params, payload }) => Reply.created(issues.plan(params.projectId, payload)),
      bulk: ({ payload }) => Reply.ok(IssueBulk.run(issues, payload)),
      get: ({ params }) => Reply.versioned(issues.get(params.issueId)),
      update: ({ headers, params, payload }) =>
        Reply.versioned(issues.update(params.issueId, payload, precondition(headers))),
      close: ({ headers, params, query }) =>
        Reply.noContent(issues.close(params.issueId, { ...precondition(headers), ...query })),
      pause: ({ headers, params }) =>
        Reply.noContent(issues.pause(params.issueId, precondition(headers))),
      resume: ({ headers, params }) =>
        Reply.noContent(issues.resume(params.issueId, precondition(headers))),
      delete: ({ headers, params, query }) =>
        Reply.noContent(
          issues.remove(params.issueId, {
            ...precondition(headers),
            confirm: query.confirm ?? false,
          }),
        ),
      readiness: ({ params }) => Reply.ok(issues.readiness(params.issueId)),
      graph: ({ params, query }) => Reply.ok(issues.graph(params.issueId, query)),
      activity: ({ params, query }) =>
        Reply.page(query, (page) => issues.activity(params.issueId, page)),
      versions: ({ params, query }) =>
        Reply.page(query, (page) => issues.versions(params.issueId, page)),
    });
  }),
);
