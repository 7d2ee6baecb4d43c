import {
  Comment,
  Comments,
  Id,
  Input,
  Issue,
  IssueLink,
  Issues,
  JsonSchema,
  Links,
  Page,
  type Principal,
  type Tool,
} from "@quartermaster/core";
import { Effect, Schema } from "effect";
import type { Refusal } from "./Refusals.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A tool of the service itself. */
export interface IssueTool {
  readonly definition: Tool.ToolDefinition;
  run(
    args: Readonly<Record<string, unknown>>,
  ): Effect.Effect<Answer, Refusal, Principal.CurrentPrincipal>;
}

const issueId = { issueId: Id.ServiceId };
const projectId = { projectId: Id.ProjectId };

const ListArguments = Schema.Struct({
  ...projectId,
  ...Issue.IssueFilter.fields,
  limit: Schema.optionalKey(Schema.Int),
  cursor: Schema.optionalKey(Schema.String),
  order: Schema.optionalKey(Page.Order),
});
const CreateArguments = Schema.Struct({ ...projectId, ...Issue.IssueCreate.fields });
const UpdateArguments = Schema.Struct({ ...issueId, ...Issue.IssueUpdate.fields });
const CommentArguments = Schema.Struct({
  ...issueId,
  content: Comment.CommentCreate.fields.content,
  authorType: Schema.optionalKey(Comment.AuthorType),
});
const LinkArguments = Schema.Struct({ ...issueId, ...IssueLink.LinkCreate.fields });

/** Defines a tool by the schema of its arguments. The service validates them again. */
const define = <S extends Schema.Constraint & { readonly Encoded: object }>(options: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: S;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly run: (args: S["Encoded"]) => Effect.Effect<object, Refusal, Principal.CurrentPrincipal>;
}): IssueTool => {
  const { name, title, description, takes, annotations, run } = options;
  const { schema } = Schema.toJsonSchemaDocument(takes);
  const decode = Input.decoder(Schema.toEncoded(takes));
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: { ...JsonSchema.liftAnnotations(schema), additionalProperties: false },
      annotations: { ...annotations, openWorldHint: false },
    },
    run: (args) =>
      Effect.map(Effect.flatMap(decode(args), run), (answer): Answer => ({ ...answer })),
  };
};

const reads = { readOnlyHint: true };
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** The tools by which agents work on issues. They take the arguments of the REST routes, and the ids. */
export const make: Effect.Effect<
  ReadonlyArray<IssueTool>,
  never,
  Issues.Issues | Comments.Comments | Links.Links
> = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const links = yield* Links.Links;

  return [
    define({
      name: "issues_list",
      title: "List issues",
      description:
        "Lists a project's issues, newest first. Use it to find work or duplicates: filter by status, priority, assigneeId, goalId, updatedSince or q (all words of title, description and comments). Returns issues and nextCursor. Pass nextCursor as cursor for the next page.",
      takes: ListArguments,
      annotations: reads,
      run: ({ projectId, ...filter }) =>
        Effect.map(issues.list(projectId, filter), ({ items, next }) => ({
          issues: items,
          nextCursor: next,
        })),
    }),
    define({
      name: "issue_get",
      title: "Read an issue",
      description:
        "Reads one issue. Use it before you work on the issue. Returns its title, description, status, priority, assignees and links.",
      takes: Schema.Struct(issueId),
      annotations: reads,
      run: ({ issueId }) => issues.get(issueId),
    }),
    define({
      name: "issue_create",
      title: "Create an issue",
      description:
        "Creates an issue in a project. Use it for follow-up work. With blockedByIssueId the issue waits until that issue is resolved. assignedAgentId is the agent that executes it, assigneeUserId the person who owns or reviews it. Returns the issue.",
      takes: CreateArguments,
      annotations: adds,
      run: ({ projectId, ...body }) => issues.create(projectId, body),
    }),
    define({
      name: "issue_comment",
      title: "Comment on an issue",
      description:
        "Adds a comment to an issue. Use it to report progress, questions and results. The author is the agent whose key is used. Returns the comment.",
      takes: CommentArguments,
      annotations: adds,
      run: ({ authorType = "Agent", content, issueId }) =>
        comments.create(issueId, { content, authorType }),
    }),
    define({
      name: "issue_update",
      title: "Update an issue",
      description:
        "Changes fields of an issue. Set status to PendingReview to hand it in for review, and to Resolved when it is done. Omitted fields stay, and null clears an optional field. An open blocker forbids some changes of status. Returns the issue.",
      takes: UpdateArguments,
      annotations: changes,
      run: ({ issueId, ...body }) => issues.update(issueId, body),
    }),
    define({
      name: "issue_link",
      title: "Link two issues",
      description:
        "Links issueId to targetIssueId. Use BlockedBy if issueId waits for targetIssueId, and Blocks for the reverse. RelatedTo and DuplicateOf change no status. A cycle of blockers is refused. Returns the link.",
      takes: LinkArguments,
      annotations: adds,
      run: ({ issueId, ...body }) => links.create(issueId, body),
    }),
  ];
});
