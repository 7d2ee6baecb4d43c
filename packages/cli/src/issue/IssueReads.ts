import type { Comment, Issue, Readiness } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Names from "../Names.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";
import * as IssueFilters from "./IssueFilters.ts";
import * as IssueText from "./IssueText.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

/** Reads issues of the query's project, or of several or all projects. */
const take = (access: Api.Access, limit: number, { projectId, ...query }: IssueFilters.Query) =>
  Lists.take(access, limit, (client, options) => {
    const page = { ...query, limit: Lists.pageSize(limit) };
    const [only, ...others] = projectId ?? [];
    return only !== undefined && others.length === 0
      ? client.issues.list({ projectId: only, ...page }, options)
      : client.issues.listAcross(
          { ...page, ...(only === undefined ? {} : { projectId }) },
          options,
        );
  });

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & IssueFilters.Flags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const issues = yield* take(access, flags.limit, yield* IssueFilters.of(access, flags));
  yield* Output.list(
    flags.json,
    issues,
    ["KEY", "STATUS", "PRIORITY", "AGENT", "TITLE"],
    issues.map((issue) => [
      issue.key,
      { draw: (look) => IssueText.state(look, issue) },
      Output.state(issue.priority),
      issue.assignedAgentId,
      issue.title,
    ]),
  );
});

export const ready = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    DefaultProject.Flags & {
      readonly agent: Option.Option<string>;
      readonly limit: number;
    },
) {
  const access = yield* Connection.open(flags);
  const project = yield* DefaultProject.of(access, flags);
  const issues = yield* take(access, flags.limit, {
    ready: true,
    assigneeId: Option.getOrUndefined(flags.agent),
    ...(project === null ? {} : { projectId: [project] }),
  });
  yield* Output.list(
    flags.json,
    issues,
    ["KEY", "PRIORITY", "AGENT", "TITLE"],
    issues.map((issue) => [
      issue.key,
      Output.state(issue.priority),
      issue.assignedAgentId,
      issue.title,
    ]),
  );
});

interface Shown {
  readonly issue: Issue;
  readonly comments: ReadonlyArray<Comment>;
  /** The issues of the links, as far as the graph has them. */
  readonly others: ReadonlyMap<string, Pick<Issue, "key" | "status" | "title">>;
  readonly nameOf: Names.NameOf;
}

const linkLine = (
  look: Look.Look,
  { direction, id, linkType, targetIssueId }: Issue["links"][number],
  others: Shown["others"],
): string => {
  const other = others.get(targetIssueId);
  return other === undefined
    ? Output.cell(`${linkType} ${targetIssueId} (${direction}, ${id})`)
    : Look.cut(`${linkType} ${IssueText.line(look, other)}`, look.columns);
};

const linesOf = (
  look: Look.Look,
  { comments, issue, nameOf, others }: Shown,
): ReadonlyArray<string> => [
  Look.strong(look, Output.cell(issue.title)),
  `${issue.key}  ${IssueText.state(look, issue)}  ${Look.state(look, issue.priority)}  project ${issue.projectId}`,
  Output.cell(
    `agent ${issue.assignedAgentId ?? "none"}  failed runs ${issue.attempts}  created ${Look.time(look, issue.createdAt)} by ${nameOf(issue.createdBy)}${look.isTerminal ? "" : `  id ${issue.id}`}`,
  ),
  ...issue.links.map((link) => linkLine(look, link, others)),
  ...(issue.description === null ? [] : ["", Output.multiline(issue.description)]),
  ...IssueText.comments(look, comments, look.isTerminal ? nameOf : undefined),
];

/** On a terminal, the issues that a link leads to, by their ids. */
const othersOf = Effect.fnUntraced(function* (access: Api.Access, { links }: Issue, json: boolean) {
  const { isTerminal } = yield* Look.ofStdout;
  const ids = json || !isTerminal ? [] : [...new Set(links.map((link) => link.targetIssueId))];
  const found = yield* Effect.forEach(
    ids,
    (issueId) =>
      Api.call(access, (client, options) => client.issues.get({ issueId }, options)).pipe(
        Effect.map((issue) => [[issueId, issue] as const]),
        // It was deleted, or moved out of sight.
        Effect.catchIf(
          ({ kind }) => kind === "notFound",
          () => Effect.succeed([]),
        ),
      ),
    { concurrency: 8 },
  );
  return new Map(found.flat());
});

export const show = Effect.fnUntraced(function* (flags: OfIssue) {
  const access = yield* Connection.open(flags);
  const { comments, issue } = yield* Api.call(access, async (client, options) => {
    const issueId = flags.issue;
    const issue = await client.issues.get({ issueId }, options);
    const newest = client.comments.list({ issueId, limit: 20, order: "desc" }, options);
    return { issue, comments: (await newest.page()).items.toReversed() };
  });
  const authors = comments.map(({ authorId, authorType }) => ({ type: authorType, id: authorId }));
  const removers = comments.flatMap(({ deletedBy }) => deletedBy ?? []);
  const [nameOf, others] = yield* Effect.all(
    [
      Names.of(access, flags, [issue.createdBy, ...authors, ...removers]),
      othersOf(access, issue, flags.json),
    ],
    { concurrency: 2 },
  );
  yield* Output.one(flags.json, { issue, comments }, (look) =>
    linesOf(look, { issue, comments, nameOf, others }),
  );
});

/** Timestamps in a sentence, such as "expired at 2026-01-01T12:00:00.000Z". */
const timestamps = /at (\d{4}-\d\d-\d\dT[\d:.]+Z)/g;

const reasonsOf = (look: Look.Look, { ready, reasons }: Readiness): ReadonlyArray<string> => [
  ready ? "The next heartbeat of its agent starts the issue." : "No heartbeat starts the issue.",
  ...reasons.map(({ code, detail }) =>
    Output.cell(`${code}: ${detail}`).replaceAll(timestamps, (text, at: string) =>
      look.isTerminal ? Look.time(look, at) : text,
    ),
  ),
];

export const why = Effect.fnUntraced(function* (flags: OfIssue) {
  const access = yield* Connection.open(flags);
  const readiness = yield* Api.call(access, (client, options) =>
    client.issues.readiness({ issueId: flags.issue }, options),
  );
  yield* Output.one(flags.json, readiness, (look) => reasonsOf(look, readiness));
});

export const log = Effect.fnUntraced(function* (flags: OfIssue & { readonly limit: number }) {
  const access = yield* Connection.open(flags);
  const { issue: issueId, limit } = flags;
  const entries = yield* Lists.take(access, limit, (client, options) =>
    client.issues.activity({ issueId, limit: Lists.pageSize(limit) }, options),
  );
  const nameOf = yield* Names.of(
    access,
    flags,
    entries.map(({ actor }) => actor),
  );
  yield* Output.list(
    flags.json,
    entries,
    ["TIME", "KIND", "BY", "DATA"],
    entries.map(({ actor, createdAt, data, kind }) => [
      Output.time(createdAt),
      kind,
      nameOf(actor),
      IssueText.data(data),
    ]),
  );
});
