import {
  type Agents,
  Attachments,
  Comment,
  Comments,
  Id,
  IssueLink,
  Issues,
  Links,
  Page,
  type Projects,
  IssueInput,
} from "@quartermaster/core";
import { Effect, Schema, Struct } from "effect";
import { brief } from "./Brief.ts";
import * as Hints from "./Hints.ts";
import * as IssueFilters from "./IssueFilters.ts";
import {
  adds,
  changes,
  cursorOf,
  define,
  page,
  reads,
  type ServiceTool,
  updates,
} from "./ServiceTool.ts";

/** The default `limit`, small because a model reads the whole list. */
const listed = 20;

const issueId = {
  issueId: Id.ServiceId.annotateKey({ description: "The id or key of the issue." }),
};
const projectId = {
  projectId: Id.ProjectId.annotateKey({ description: "The id of the project." }),
};

const pages = (first: string) => ({
  ...page(listed),
  order: Schema.optionalKey(Page.Order).annotateKey({
    description: `\`asc\`: oldest first. \`desc\`: newest first. Default: \`${first}\`.`,
  }),
});
const ListArguments = Schema.Struct({
  projectId: Schema.optionalKey(Id.ProjectId).annotateKey({
    description: "The project whose issues to list. Default: your issues in all projects.",
  }),
  ...IssueFilters.filters,
  ...pages("desc"),
});
const CommentsArguments = Schema.Struct({ ...issueId, ...pages("asc") });
const UnlinkArguments = Schema.Struct({
  linkId: Id.ServiceId.annotateKey({ description: "The id of the link, from issue_get." }),
});
const created = IssueInput.IssueCreate.fields;
const CreateArguments = Schema.Struct({
  ...projectId,
  ...created,
  assignedAgentId: created.assignedAgentId.annotateKey({
    description:
      "The agent that executes the issue; whoami returns yours. Default: none; then no agent picks it up.",
  }),
});
// Agents cannot move issues.
const updated = Struct.omit(IssueInput.IssueUpdate.fields, ["projectId"]);
const UpdateArguments = Schema.Struct({
  ...issueId,
  ...updated,
  title: updated.title.annotateKey({ description: "1 to 256 characters after trimming." }),
  status: updated.status.annotateKey({
    description:
      "The new status. Open blockers forbid every status except `WaitingOnDependency`, `Resolved` and `Closed`; open dependents forbid `Closed`.",
  }),
  priority: updated.priority.annotateKey({
    description: "Agents pick up urgent issues first.",
  }),
});
const CommentArguments = Schema.Struct({
  ...issueId,
  content: Comment.CommentCreate.fields.content,
});
const LinkArguments = Schema.Struct({ ...issueId, ...IssueLink.LinkCreate.fields });

const reading = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const attachments = yield* Attachments.Attachments;
  const hints = yield* Hints.make;

  /** A link with a summary of the other issue, which is omitted if the agent may not see it. */
  const linkOf = (link: IssueLink.IssueLink) =>
    Effect.match(issues.get(link.targetIssueId), {
      onFailure: () => link,
      onSuccess: ({ status, title }) => ({ ...link, title, status }),
    });

  return [
    define({
      name: "issues_list",
      title: "List issues",
      description:
        "Lists issues, newest first: of a project, or your own in all projects. Use it for an overview and to find duplicates. To get work, call work_next instead. Separate several values of a filter by commas. Returns brief issues.",
      takes: ListArguments,
      lists: Object.keys(IssueFilters.parameters),
      parameters: IssueFilters.parameters,
      texts: IssueFilters.texts,
      annotations: reads,
      run: Effect.fnUntraced(function* ({ projectId, limit = listed, ...rest }) {
        const request = { limit, ...rest };
        const { items, next } = yield* projectId === undefined
          ? issues.assigned(request)
          : Effect.catch(issues.listBrief(projectId, request), (refusal) =>
              hints.notSeen(refusal, projectId),
            );
        const isEmpty = items.length === 0 && request.cursor === undefined;
        const hint =
          isEmpty && projectId !== undefined ? yield* hints.otherProjects(projectId) : {};
        return { issues: items.map(brief), ...cursorOf(next), ...hint };
      }),
    }),
    define({
      name: "issue_get",
      title: "Read an issue",
      description:
        "Reads one issue. Use it for issues other than the one that work_next returned. Returns its fields, newest 20 comments, attachments, links with title and status of the other issue, and readiness.",
      takes: Schema.Struct(issueId),
      annotations: reads,
      run: Effect.fnUntraced(function* ({ issueId }) {
        const issue = yield* issues.get(issueId);
        const { items } = yield* comments.list(issueId, { limit: listed, order: "desc" });
        return {
          ...issue,
          links: yield* Effect.forEach(issue.links, linkOf),
          comments: items.toReversed(),
          attachments: (yield* attachments.list(issueId, { limit: 100 })).items,
          readiness: yield* issues.readiness(issueId),
        };
      }),
    }),
    define({
      name: "comments_list",
      title: "List comments",
      description:
        "Lists the comments on an issue, oldest first. Use it for comments older than the newest 20, which issue_get returns.",
      takes: CommentsArguments,
      annotations: reads,
      run: ({ issueId, limit = listed, ...page }) =>
        Effect.map(comments.list(issueId, { limit, ...page }), ({ items, next }) => ({
          comments: items,
          ...cursorOf(next),
        })),
    }),
  ];
});

const writing = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const links = yield* Links.Links;

  return [
    define({
      name: "issue_create",
      title: "Create an issue",
      description:
        "Creates an issue in a project. Use it for follow-up work, and for work that has to be done first. With blockedByIssueId the issue waits until that issue is done. Returns the issue.",
      takes: CreateArguments,
      texts: {
        notBefore: "No agent picks it up earlier. ISO 8601.",
        labels: "Up to 32 texts of 1 to 64 characters.",
        metadata: "Up to 50 texts by key, at most 4 KiB.",
        externalRef: "The id in another system, unique in the project. 1 to 256 characters.",
      },
      annotations: adds,
      run: ({ projectId, ...body }) => issues.create(projectId, body),
    }),
    define({
      name: "issue_comment",
      title: "Comment on an issue",
      description:
        "Adds a comment to an issue. Use it to report progress and decisions. To get an answer from a person, use ask instead. Returns the comment.",
      takes: CommentArguments,
      annotations: adds,
      run: ({ content, issueId }) => comments.create(issueId, { content, authorType: "Agent" }),
    }),
    define({
      name: "issue_update",
      title: "Update an issue",
      description:
        "Changes fields of an issue; omitted fields do not change. Use it to correct or reprioritize an issue. To hand in the issue of your run, use work_finish instead. Returns the issue.",
      takes: UpdateArguments,
      clears: [
        "description",
        "assignedAgentId",
        "assigneeUserId",
        "goalId",
        "notBefore",
        "labels",
        "metadata",
        "externalRef",
      ],
      texts: {
        notBefore: "No agent picks it up earlier. ISO 8601. Null clears it.",
        labels: "Up to 32 texts of 1 to 64 characters. Null removes them.",
        metadata: "Up to 50 texts by key, at most 4 KiB. Null clears it.",
        externalRef:
          "The id in another system, unique in the project. 1 to 256 characters. Null clears it.",
        assignedAgentId: "The agent that executes the issue. A change stops the current run.",
        status: "Open blockers forbid all but `WaitingOnDependency`, `Resolved` and `Closed`.",
      },
      annotations: updates,
      run: ({ issueId, ...body }) => issues.update(issueId, body),
    }),
    define({
      name: "issue_link",
      title: "Link two issues",
      description:
        "Links issueId to targetIssueId. Use BlockedBy if issueId has to wait for targetIssueId, and Blocks for the reverse. RelatedTo and DuplicateOf change no status. Returns the link.",
      takes: LinkArguments,
      texts: {
        linkType: "`BlockedBy`: issueId waits for targetIssueId.",
      },
      annotations: adds,
      run: ({ issueId, ...body }) => links.create(issueId, body),
    }),
    define({
      name: "issue_unlink",
      title: "Remove a link",
      description:
        "Removes a link between two issues. Use it when an issue no longer has to wait for another. Returns the id of the link.",
      takes: UnlinkArguments,
      annotations: changes,
      run: ({ linkId }) => Effect.as(links.remove(linkId), { removed: linkId }),
    }),
  ];
});

/**
 * The issue tools. Their arguments are the parameters of the REST routes, plus the ids in the
 * paths.
 */
export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  | Agents.Agents
  | Attachments.Attachments
  | Comments.Comments
  | Issues.Issues
  | Links.Links
  | Projects.Projects
> = Effect.map(Effect.all([reading, writing]), (tools) => tools.flat());
