import {
  type Activity,
  type Actor,
  type ApiKey,
  type Attachment,
  Comment,
  CommentStore,
  type Event,
  type IdempotencyStore,
  type Issue,
  type IssueLink,
  IssueStore,
  LinkStore,
  type Run,
  RunStore,
  type Session,
  type Timestamp,
  type VersionStore,
} from "@quartermaster/core";
import { Effect, Option } from "effect";
import { at, id, type New, type Stored } from "./fixtures/Fixture.ts";
import { transact } from "./Storage.ts";

export { at, id } from "./fixtures/Fixture.ts";
export * from "./fixtures/AuditFixtures.ts";
export * from "./fixtures/EffectFixtures.ts";
export * from "./fixtures/McpFixtures.ts";
export * from "./fixtures/QuestionFixtures.ts";
export * from "./fixtures/WebhookFixtures.ts";

/**
 * Rows with default values and new ids, in the form that stores accept (`issueRow`, ...), and
 * effects that store such a row in a transaction (`issue`, ...).
 */

export const alice: Actor.Actor = { type: "User", id: "alice" };

export const issueRow = (overrides: Partial<Issue.NewIssue> = {}) =>
  Effect.map(id("iss"), (id): Issue.NewIssue => ({
    id,
    projectId: "project",
    prefix: "",
    title: "Mend the roof",
    description: null,
    status: "Open",
    priority: "normal",
    assignedAgentId: null,
    assigneeUserId: null,
    goalId: null,
    pausedBecause: null,
    attempts: 0,
    notBefore: null,
    labels: [],
    metadata: {},
    externalRef: null,
    resumed: false,
    version: 1,
    linkCount: 0,
    createdBy: alice,
    createdAt: at(0),
    updatedAt: at(0),
    startedAt: null,
    resolvedAt: null,
    closedAt: null,
    ...overrides,
  }));

export const issue = (
  overrides?: Partial<Issue.NewIssue>,
): Stored<Issue.IssueRow, IssueStore.IssueStore> =>
  Effect.gen(function* () {
    const store = yield* IssueStore.IssueStore;
    const { id } = yield* transact(store.insert(yield* issueRow(overrides)));
    return Option.getOrThrow(yield* store.get(id));
  });

export const linkRow = (
  source: Issue.IssueRow,
  target: Issue.IssueRow,
  overrides: Partial<IssueLink.LinkRow> = {},
) =>
  Effect.map(id("lnk"), (id): New<IssueLink.LinkRow> => ({
    id,
    relation: "Blocks",
    sourceId: source.id,
    sourceProjectId: source.projectId,
    targetId: target.id,
    targetProjectId: target.projectId,
    createdBy: alice,
    createdAt: at(0),
    ...overrides,
  }));

/** A link. By default the first issue blocks the second. */
export const link = (
  source: Issue.IssueRow,
  target: Issue.IssueRow,
  overrides?: Partial<IssueLink.LinkRow>,
): Stored<IssueLink.LinkRow, LinkStore.LinkStore> =>
  Effect.flatMap(linkRow(source, target, overrides), (row) =>
    LinkStore.LinkStore.use((store) => transact(store.insert(row))),
  );

export const commentRow = (issueId: string, overrides: Partial<Comment.CommentRow> = {}) =>
  Effect.map(id("cmt"), (id): New<Comment.CommentRow> => ({
    id,
    issueId,
    content: "Two slates are loose",
    authorType: "User",
    authorId: "alice",
    createdAt: at(0),
    ...Comment.unchanged,
    sourceId: null,
    ...overrides,
  }));

export const comment = (
  issueId: string,
  overrides?: Partial<Comment.CommentRow>,
): Stored<Comment.CommentRow, CommentStore.CommentStore> =>
  Effect.flatMap(commentRow(issueId, overrides), (row) =>
    CommentStore.CommentStore.use((store) => transact(store.insert(row))),
  );

/** A version of the issue's description by default. */
export const versionRow = (
  issueId: string,
  overrides: Partial<VersionStore.VersionRow> = {},
): New<VersionStore.VersionRow> => ({
  issueId,
  textId: issueId,
  version: 1,
  content: "Two slates are loose",
  actor: alice,
  createdAt: at(0),
  ...overrides,
});

export const activityRow = (issueId: string, overrides: Partial<Activity.ActivityRow> = {}) =>
  Effect.map(id("evt"), (id): New<Activity.ActivityRow> => ({
    id,
    issueId,
    kind: "created",
    actor: alice,
    data: {},
    createdAt: at(0),
    relatedProjectId: null,
    ...overrides,
  }));

export const attachmentRow = (issueId: string, overrides: Partial<Attachment.AttachmentRow> = {}) =>
  Effect.map(id("att"), (id): New<Attachment.AttachmentRow> => ({
    id,
    issueId,
    fileName: "roof.txt",
    contentType: "text/plain",
    size: 0,
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    downloadUrl: `/api/projects/attachments/${id}/download`,
    uploadedBy: alice,
    createdAt: at(0),
    ...overrides,
  }));

export const runRow = (
  held: Pick<Issue.IssueRow, "id" | "projectId"> & { readonly key?: string },
  overrides: Partial<Run.RunRow> = {},
) =>
  Effect.map(id("run"), (id): New<Run.RunRow> => ({
    id,
    agentId: "agent",
    issueId: held.id,
    issueKey: held.key ?? null,
    projectId: held.projectId,
    status: "active",
    outcome: null,
    startedAt: at(0),
    leaseExpiresAt: at(300),
    endedAt: null,
    leaseSeconds: 300,
    attempt: 1,
    stopReason: null,
    commentSeq: 0,
    versionSeq: 0,
    worker: null,
    acknowledgedAt: null,
    resumedAt: null,
    isFenceLifted: false,
    releaseAt: null,
    keyId: null,
    process: null,
    note: null,
    exitCode: null,
    commentId: null,
    ...overrides,
  }));

export const run = (
  held: Pick<Issue.IssueRow, "id" | "projectId">,
  overrides?: Partial<Run.RunRow>,
): Stored<Run.RunRow, RunStore.RunStore> =>
  Effect.gen(function* () {
    const runs = yield* RunStore.RunStore;
    const row = yield* runRow(held, overrides);
    yield* transact(runs.insert([row]));
    return Option.getOrThrow(yield* runs.get(row.id));
  });

/** The fields of a run that has ended. */
export const ended = (endedAt: Timestamp.Timestamp): Partial<Run.RunRow> => ({
  status: "ended",
  outcome: "resolved",
  endedAt,
});

export const keyRow = (overrides: Partial<ApiKey.ApiKeyRow> = {}) =>
  Effect.map(id("key"), (id): New<ApiKey.ApiKeyRow> => ({
    id,
    name: "Alice's",
    role: "Editor",
    projects: null,
    agentId: null,
    userId: "alice",
    createdAt: at(0),
    expiresAt: null,
    lastUsedAt: null,
    secretHash: "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
    ...overrides,
  }));

export const sessionRow = (overrides: Partial<Session.SessionRow> = {}) =>
  Effect.map(id("hash"), (hash): Session.SessionRow => ({
    hash,
    kind: "cookie",
    keyId: "key",
    createdAt: at(0),
    expiresAt: at(43_200),
    endsAt: at(604_800),
    parent: null,
    secretHash: null,
    ...overrides,
  }));

export const idempotencyRow = (overrides: Partial<IdempotencyStore.IdempotencyRow> = {}) =>
  Effect.map(id("idempotency"), (idempotencyKey): IdempotencyStore.IdempotencyRow => ({
    keyId: "key",
    idempotencyKey,
    fingerprint: "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
    status: 201,
    resourceId: "iss_1",
    createdAt: at(0),
    ...overrides,
  }));

export const eventRow = (overrides: Partial<Event.EventRow> = {}) =>
  Effect.map(id("evt"), (id): New<Event.EventRow> => ({
    id,
    kind: "issue.created",
    projectId: "project",
    subjectId: "iss_1",
    issueKey: null,
    actor: alice,
    data: {},
    createdAt: at(0),
    relatedProjectId: null,
    ...overrides,
  }));

/** An object nested `levels` levels deep. */
export const nested = (levels: number): Readonly<Record<string, unknown>> => {
  let value = {};
  for (let level = 1; level < levels; level++) value = { in: value };
  return value;
};
