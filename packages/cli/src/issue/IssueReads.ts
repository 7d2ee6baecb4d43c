import type { Comment, Issue, Readiness } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as IssueText from "./IssueText.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

interface Filters {
  readonly status?: string | undefined;
  readonly assigneeId: string | undefined;
  readonly priority?: Issue["priority"] | undefined;
  readonly q?: string | undefined;
  readonly label?: ReadonlyArray<string> | undefined;
  readonly externalRef?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly ready?: boolean | undefined;
  readonly sort?: "created" | "updated" | "priority" | undefined;
}

/** Reads issues of a project, or of all projects that the caller may see. */
const take = (
  access: Api.Access,
  limit: number,
  project: Option.Option<string>,
  filters: Filters,
) =>
  Lists.take(access, limit, (client, options) => {
    const query = { ...filters, limit: Lists.pageSize(limit) };
    return Option.isSome(project)
      ? client.issues.list({ projectId: project.value, ...query }, options)
      : client.issues.listAcross(query, options);
  });

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: Option.Option<string>;
    readonly status: ReadonlyArray<Issue["status"]>;
    readonly assignee: Option.Option<string>;
    readonly priority: Option.Option<Issue["priority"]>;
    readonly query: Option.Option<string>;
    readonly label: ReadonlyArray<string>;
    readonly externalRef: Option.Option<string>;
    readonly paused: boolean;
    readonly sort: "created" | "updated" | "priority";
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const issues = yield* take(access, flags.limit, flags.project, {
    status: flags.status.length === 0 ? undefined : flags.status.join(","),
    assigneeId: Option.getOrUndefined(flags.assignee),
    priority: Option.getOrUndefined(flags.priority),
    q: Option.getOrUndefined(flags.query),
    label: flags.label.length === 0 ? undefined : flags.label,
    externalRef: Option.getOrUndefined(flags.externalRef),
    paused: flags.paused || undefined,
    sort: flags.sort,
  });
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

export const ready = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: Option.Option<string>;
    readonly agent: Option.Option<string>;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const issues = yield* take(access, flags.limit, flags.project, {
    ready: true,
    assigneeId: Option.getOrUndefined(flags.agent),
  });
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
    `agent ${issue.assignedAgentId ?? "none"}  failed runs ${issue.attempts}  created ${issue.createdAt} by ${IssueText.actor(issue.createdBy)}`,
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
