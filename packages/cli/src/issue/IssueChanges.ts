import type { CallOptions, Client, Issue, IssueLink } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Input from "../Input.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";
import * as IssueText from "./IssueText.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

interface Fields {
  readonly description: Option.Option<string>;
  readonly priority: Option.Option<Issue["priority"]>;
  readonly agent: Option.Option<string>;
  readonly assignee: Option.Option<string>;
  readonly goal: Option.Option<string>;
  readonly notBefore: Option.Option<string>;
  readonly label: ReadonlyArray<string>;
  readonly metadata: ReadonlyArray<string>;
  readonly externalRef: Option.Option<string>;
}

const isNone = (texts: ReadonlyArray<string>): boolean => texts.length === 1 && texts[0] === "none";

const metadataOf = Effect.fnUntraced(function* (entries: ReadonlyArray<string>) {
  if (entries.length === 0) return undefined;
  if (isNone(entries)) return null;
  const pairs: Array<readonly [string, string]> = [];
  for (const entry of entries) {
    const at = entry.indexOf("=");
    if (at < 1) return yield* usage(`--meta takes KEY=TEXT, not ${entry}.`);
    pairs.push([entry.slice(0, at), entry.slice(at + 1)]);
  }
  return Object.fromEntries(pairs);
});

const timeOf = (text: string) =>
  text.trim() === "none" ? Effect.succeed(null) : Duration.timeFromNow(text);

/** Only the given fields: the server clears a field that is null. */
const fieldsOf = Effect.fnUntraced(function* (fields: Fields) {
  const { agent, assignee, description, externalRef, goal, label, notBefore, priority } = fields;
  const ref = Option.getOrUndefined(externalRef);
  const text = Option.isSome(description) ? yield* Input.text(description.value) : undefined;
  return {
    description: text,
    priority: Option.getOrUndefined(priority),
    assignedAgentId: Option.getOrUndefined(agent),
    assigneeUserId: Option.getOrUndefined(assignee),
    goalId: Option.getOrUndefined(goal),
    notBefore: Option.isSome(notBefore) ? yield* timeOf(notBefore.value) : undefined,
    labels: label.length === 0 ? undefined : isNone(label) ? null : label,
    metadata: yield* metadataOf(fields.metadata),
    externalRef: ref === "none" ? null : ref,
  };
});

export const create = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    Fields & {
      readonly project: Option.Option<string>;
      readonly title: string;
      readonly blockedBy: Option.Option<string>;
    },
) {
  const access = yield* Connection.open(flags);
  const projectId = yield* DefaultProject.required(access, flags.project);
  const fields = yield* fieldsOf(flags);
  const issue = yield* Api.call(access, (client, options) =>
    client.issues.create(
      {
        projectId,
        title: flags.title,
        blockedByIssueId: Option.getOrUndefined(flags.blockedBy),
        ...fields,
      },
      options,
    ),
  );
  yield* Output.warnings(issue.warnings);
  // Prints only the key, for scripts such as `ID=$(quartermaster issue create ...)`.
  yield* Output.one(flags.json, issue, [issue.key]);
});

export const plan = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: Option.Option<string>;
    readonly file: string;
  },
) {
  const body = yield* Input.jsonObject("The plan", yield* Input.file("The plan", flags.file));
  const access = yield* Connection.open(flags);
  const projectId = yield* DefaultProject.required(access, flags.project);
  const created = yield* Api.call(access, (client, options) =>
    client.issues.plan(
      // The server validates the contents of the file.
      { ...(body as unknown as Parameters<Client["issues"]["plan"]>[0]), projectId },
      options,
    ),
  );
  yield* Output.warnings(new Set(created.flatMap(({ warnings }) => warnings)));
  yield* Output.list(
    flags.json,
    created,
    ["REF", "KEY", "STATUS"],
    created.map(({ issue, ref }) => [ref, issue.key, Output.state(issue.status)]),
  );
});

export const edit = Effect.fnUntraced(function* (
  flags: OfIssue & Fields & { readonly title: Option.Option<string> },
) {
  const access = yield* Connection.open(flags);
  const fields = { title: Option.getOrUndefined(flags.title), ...(yield* fieldsOf(flags)) };
  if (Object.values(fields).every((value) => value === undefined)) {
    return yield* usage("Name at least one field to change, such as --priority high.");
  }
  const issue = yield* Api.call(access, (client, options) =>
    client.issues.update({ issueId: flags.issue, ...fields }, options),
  );
  yield* Output.warnings(issue.warnings);
  yield* Output.one(flags.json, issue, (look) => [IssueText.line(look, issue)]);
});

export const move = Effect.fnUntraced(function* (flags: OfIssue & { readonly to: string }) {
  const access = yield* Connection.open(flags);
  const issue = yield* Api.call(access, (client, options) =>
    client.issues.update({ issueId: flags.issue, projectId: flags.to }, options),
  );
  yield* Output.one(flags.json, issue, (look) => [IssueText.line(look, issue)]);
});

export const comment = Effect.fnUntraced(function* (flags: OfIssue & { readonly content: string }) {
  const access = yield* Connection.open(flags);
  const content = yield* Input.text(flags.content);
  const comment = yield* Api.call(access, (client, options) =>
    client.comments.create({ issueId: flags.issue, content }, options),
  );
  yield* Output.one(flags.json, comment, [comment.id]);
});

const linkTypes = {
  "blocked-by": "BlockedBy",
  blocks: "Blocks",
  "related-to": "RelatedTo",
  "duplicate-of": "DuplicateOf",
} as const satisfies Record<string, IssueLink["linkType"]>;

export const link = Effect.fnUntraced(function* (
  flags: OfIssue & { readonly type: keyof typeof linkTypes; readonly target: string },
) {
  const access = yield* Connection.open(flags);
  const link = yield* Api.call(access, (client, options) =>
    client.links.create(
      { issueId: flags.issue, targetIssueId: flags.target, linkType: linkTypes[flags.type] },
      options,
    ),
  );
  yield* Output.one(flags.json, link, [link.id]);
});

export const unlink = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly link: string },
) {
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) =>
    client.links.delete({ linkId: flags.link }, options),
  );
  yield* Output.one(flags.json, { deleted: flags.link }, []);
});

/** Makes a change that returns nothing, then reads and prints the issue. */
const changed = (
  change: (client: Client, issueId: string, options: CallOptions) => Promise<unknown>,
) =>
  Effect.fnUntraced(function* (flags: OfIssue) {
    const access = yield* Connection.open(flags);
    const issue = yield* Api.call(access, async (client, options) => {
      await change(client, flags.issue, options);
      return client.issues.get({ issueId: flags.issue }, options);
    });
    yield* Output.one(flags.json, issue, (look) => [IssueText.line(look, issue)]);
  });

export const pause = changed((client, issueId, options) =>
  client.issues.pause({ issueId }, options),
);

export const resume = changed((client, issueId, options) =>
  client.issues.resume({ issueId }, options),
);

export const review = changed((client, issueId, options) =>
  client.issues.update({ issueId, status: "PendingReview" }, options),
);

export const resolve = changed((client, issueId, options) =>
  client.issues.update({ issueId, status: "Resolved" }, options),
);

export const close = (flags: OfIssue & { readonly force: boolean }) =>
  changed((client, issueId, options) =>
    client.issues.close({ issueId, force: flags.force || undefined }, options),
  )(flags);

export const remove = Effect.fnUntraced(function* (flags: OfIssue & { readonly yes: boolean }) {
  if (!flags.yes) return yield* usage("Deleting an issue cannot be undone. Confirm with --yes.");
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) =>
    client.issues.delete({ issueId: flags.issue, confirm: true }, options),
  );
  yield* Output.one(flags.json, { deleted: flags.issue }, []);
});
