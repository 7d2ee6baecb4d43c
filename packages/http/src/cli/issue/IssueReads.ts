import type { Comment, Issue, Readiness } from "@quartermaster/client";
import { Effect, Option, Stream } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as IssueText from "./IssueText.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: string;
    readonly status: Option.Option<Issue["status"]>;
    readonly assignee: Option.Option<string>;
    readonly priority: Option.Option<Issue["priority"]>;
    readonly query: Option.Option<string>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const issues = yield* Lists.take(access, flags.limit, (client, options) =>
    client.issues.list(
      {
        projectId: flags.project,
        status: Option.getOrUndefined(flags.status),
        assigneeId: Option.getOrUndefined(flags.assignee),
        priority: Option.getOrUndefined(flags.priority),
        q: Option.getOrUndefined(flags.query),
        limit: Lists.pageSize(flags.limit),
      },
      options,
    ),
  );
  yield* Output.list(
    flags.json,
    issues,
    ["ID", "STATUS", "PRIORITY", "AGENT", "TITLE"],
    issues.map((issue) => [
      issue.id,
      IssueText.state(issue),
      issue.priority,
      issue.assignedAgentId,
      issue.title,
    ]),
  );
});

/** What may be ready: the server decides, and this spares it the questions whose answer is known. */
const mayBeReady = ({ assignedAgentId, paused }: Issue) => assignedAgentId !== null && !paused;

/** Issues in progress are ready once their run has died. */
const pickedUp = ["Open", "InProgress"] as const;

export const ready = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: string;
    readonly agent: Option.Option<string>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const assigneeId = Option.getOrUndefined(flags.agent);
  const isReady = ({ id }: Issue) =>
    Effect.map(
      Api.call(access, (client, options) => client.issues.readiness({ issueId: id }, options)),
      ({ ready }) => ready,
    );
  const issues = yield* Stream.fromIterable(pickedUp).pipe(
    Stream.flatMap((status) =>
      Lists.stream(access, (client, options) =>
        client.issues.list({ projectId: flags.project, status, assigneeId, limit: 500 }, options),
      ),
    ),
    Stream.filter(mayBeReady),
    Stream.filterEffect(isReady),
    Stream.take(flags.limit),
    Stream.runCollect,
  );
  yield* Output.list(
    flags.json,
    issues,
    ["ID", "PRIORITY", "AGENT", "TITLE"],
    issues.map((issue) => [issue.id, issue.priority, issue.assignedAgentId, issue.title]),
  );
});

const linesOf = (issue: Issue, comments: ReadonlyArray<Comment>): ReadonlyArray<string> => [
  Output.cell(issue.title),
  Output.cell(
    `${issue.id}  ${IssueText.state(issue)}  ${issue.priority}  project ${issue.projectId}`,
  ),
  Output.cell(
    `agent ${issue.assignedAgentId ?? "none"}  attempts ${issue.attempts}  created ${issue.createdAt} by ${IssueText.actor(issue.createdBy)}`,
  ),
  ...issue.links.map(({ direction, id, linkType, targetIssueId }) =>
    Output.cell(`${linkType} ${targetIssueId} (${direction}, ${id})`),
  ),
  ...(issue.description === null ? [] : ["", Output.multiline(issue.description)]),
  ...IssueText.comments(comments),
];

export const show = Effect.fnUntraced(function* (flags: OfIssue) {
  const access = yield* Connection.open(flags);
  const { comments, issue } = yield* Api.call(access, async (client, options) => {
    const issueId = flags.issue;
    const issue = await client.issues.get({ issueId }, options);
    const newest = client.comments.list({ issueId, limit: 20, order: "desc" }, options);
    return { issue, comments: (await newest.page()).items.toReversed() };
  });
  yield* Output.one(flags.json, { issue, comments }, linesOf(issue, comments));
});

const reasonsOf = ({ ready, reasons }: Readiness): ReadonlyArray<string> => [
  ready ? "The next heartbeat of its agent starts the issue." : "No heartbeat starts the issue.",
  ...reasons.map(({ code, detail }) => Output.cell(`${code}: ${detail}`)),
];

export const why = Effect.fnUntraced(function* (flags: OfIssue) {
  const access = yield* Connection.open(flags);
  const readiness = yield* Api.call(access, (client, options) =>
    client.issues.readiness({ issueId: flags.issue }, options),
  );
  yield* Output.one(flags.json, readiness, reasonsOf(readiness));
});

export const log = Effect.fnUntraced(function* (flags: OfIssue & { readonly limit: number }) {
  const access = yield* Connection.open(flags);
  const { issue: issueId, limit } = flags;
  const entries = yield* Lists.take(access, limit, (client, options) =>
    client.issues.activity({ issueId, limit: Lists.pageSize(limit) }, options),
  );
  yield* Output.list(
    flags.json,
    entries,
    ["TIME", "KIND", "BY", "DATA"],
    entries.map(({ actor, createdAt, data, kind }) => [
      createdAt,
      kind,
      IssueText.actor(actor),
      JSON.stringify(data),
    ]),
  );
});
