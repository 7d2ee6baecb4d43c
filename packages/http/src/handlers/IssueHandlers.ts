import { type Issue, Issues } from "@quartermaster/core";
import { Effect } from "effect";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import { versionsOf } from "../api/Query.ts";
import * as Answer from "./Answer.ts";

const urlOf = ({ id }: Issue.Issue) => `/api/projects/issues/${id}`;

const precondition = (headers: { readonly "if-match"?: string }) => ({
  ifMatch: versionsOf(headers["if-match"]),
});

export const layer = Group.group(
  Api,
  "issues",
  Effect.fnUntraced(function* (handlers) {
    const issues = yield* Issues.Issues;

    return handlers.handleAll({
      list: ({ params, query }) => Answer.page(issues.list(params.projectId, query)),
      create: ({ params, payload }) =>
        Answer.createdVersioned(issues.create(params.projectId, payload), urlOf),
      get: ({ params }) => Answer.versioned(issues.get(params.issueId)),
      update: ({ headers, params, payload }) =>
        Answer.versioned(issues.update(params.issueId, payload, precondition(headers))),
      close: ({ headers, params, query }) =>
        Answer.noContent(issues.close(params.issueId, { ...precondition(headers), ...query })),
      pause: ({ headers, params }) =>
        Answer.noContent(issues.pause(params.issueId, precondition(headers))),
      resume: ({ headers, params }) =>
        Answer.noContent(issues.resume(params.issueId, precondition(headers))),
      delete: ({ headers, params, query }) =>
        Answer.noContent(
          issues.remove(params.issueId, {
            ...precondition(headers),
            confirm: query.confirm ?? false,
          }),
        ),
      readiness: ({ params }) => Answer.ok(issues.readiness(params.issueId)),
      activity: ({ params, query }) => Answer.page(issues.activity(params.issueId, query)),
    });
  }),
);
