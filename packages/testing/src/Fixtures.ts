import {
  type Activity,
  type Actor,
  type ApiKey,
  type Attachment,
  type CatalogEntry,
  type Comment,
  CommentStore,
  type Errors,
  type Event,
  type Id,
  type IdempotencyStore,
  type Issue,
  type IssueLink,
  IssueStore,
  type InstalledServer,
  LinkStore,
  McpServerStore,
  type Run,
  RunStore,
  type Session,
  Timestamp,
  type Tool,
  type ToolCall,
  type Transactor,
} from "@quartermaster/core";
import { Effect } from "effect";
import { SecureRandom } from "effect/crypto";
import { transact } from "./Storage.ts";

/**
 * Rows with sane defaults and new ids, as a store takes them (`issueRow`, ...), and effects that
 * store such a row in a transaction (`issue`, ...).
 */

type New<Row> = Omit<Row, "seq">;

/** Stores a row in `Store`, in a transaction of its own or as part of the one around it. */
type Stored<Row, Store> = Effect.Effect<
  Row,
  Errors.StorageError,
  Store | SecureRandom.SecureRandom | Transactor.Transactor
>;

/** The timestamp `seconds` after the start of 2026. */
export const at = (seconds: number): Timestamp.Timestamp =>
  Timestamp.addSeconds("2026-01-01T00:00:00.000Z", seconds);

export const alice: Actor.Actor = { type: "User", id: "alice" };

/** A new id with that prefix. */
export const id = (
  prefix: Id.Prefix | "project" | "agent" | "user" | "goal" | "hash" | "idempotency",
) =>
  Effect.map(
    Effect.flatMap(SecureRandom.SecureRandom, (random) => random.ulid),
    (ulid) => `${prefix}_${ulid}`,
  );

export const issueRow = (overrides: Partial<Issue.IssueRow> = {}) =>
  Effect.map(id("iss"), (id): New<Issue.IssueRow> => ({
    id,
    projectId: "project",
    title: "Mend the roof",
    description: null,
    status: "Open",
    priority: "normal",
    assignedAgentId: null,
    assigneeUserId: null,
    goalId: null,
    paused: false,
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
  overrides?: Partial<Issue.IssueRow>,
): Stored<Issue.IssueRow, IssueStore.IssueStore> =>
  Effect.flatMap(issueRow(overrides), (row) =>
    IssueStore.IssueStore.use((store) => transact(store.insert(row))),
  );

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
    ...overrides,
  }));

export const comment = (
  issueId: string,
  overrides?: Partial<Comment.CommentRow>,
): Stored<Comment.CommentRow, CommentStore.CommentStore> =>
  Effect.flatMap(commentRow(issueId, overrides), (row) =>
    CommentStore.CommentStore.use((store) => transact(store.insert(row))),
  );

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
  held: Pick<Issue.IssueRow, "id" | "projectId">,
  overrides: Partial<Run.RunRow> = {},
) =>
  Effect.map(id("run"), (id): New<Run.RunRow> => ({
    id,
    agentId: "agent",
    issueId: held.id,
    projectId: held.projectId,
    status: "active",
    outcome: null,
    startedAt: at(0),
    leaseExpiresAt: at(300),
    endedAt: null,
    leaseSeconds: 300,
    stopReason: null,
    commentSeq: 0,
    ...overrides,
  }));

export const run = (
  held: Pick<Issue.IssueRow, "id" | "projectId">,
  overrides?: Partial<Run.RunRow>,
): Stored<Run.RunRow, RunStore.RunStore> =>
  Effect.gen(function* () {
    const runs = yield* RunStore.RunStore;
    const [row] = yield* transact(runs.insert([yield* runRow(held, overrides)]));
    return row ?? (yield* Effect.die("insert answered no row"));
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
    actor: alice,
    data: {},
    createdAt: at(0),
    relatedProjectId: null,
    ...overrides,
  }));

/** A catalog entry: a program of this host with a required and an optional variable. */
export const entry = (
  overrides: Partial<CatalogEntry.CatalogEntry> = {},
): CatalogEntry.CatalogEntry => ({
  id: "notes",
  name: "Notes",
  description: "Keeps notes",
  category: "productivity",
  transport: "stdio",
  runtime: "node",
  verified: true,
  installInstructions: "Make a key, and supply it.",
  homepage: null,
  manifest: {
    package: "@example/notes",
    version: "1.2.3",
    integrity: null,
    command: "notes",
    args: ["--project", "${NOTES_PROJECT}"],
    env: {},
    isolation: "shared",
  },
  envVars: [
    { name: "NOTES_KEY", description: "The key", required: true, secret: true, default: null },
    {
      name: "NOTES_PROJECT",
      description: "The project",
      required: false,
      secret: false,
      default: "main",
    },
  ],
  ...overrides,
});

/** An installed server. By default its name is its id. */
export const serverRow = (overrides: Partial<InstalledServer.InstalledServerRow> = {}) =>
  Effect.map(id("mcp"), (id): New<InstalledServer.InstalledServerRow> => ({
    id,
    name: id,
    entry: entry(),
    status: "enabled",
    formerStatus: "enabled",
    lastVerification: null,
    known: true,
    toolsChanged: false,
    generation: 1,
    toolsVersion: 1,
    createdAt: at(0),
    updatedAt: at(0),
    ...overrides,
  }));

export const server = (
  overrides?: Partial<InstalledServer.InstalledServerRow>,
): Stored<InstalledServer.InstalledServerRow, McpServerStore.McpServerStore> =>
  Effect.flatMap(serverRow(overrides), (row) =>
    McpServerStore.McpServerStore.use((store) => transact(store.insert(row))),
  );

export const secretRow = (
  serverId: string,
  name: string,
  overrides: Partial<InstalledServer.SecretRow> = {},
): InstalledServer.SecretRow => ({
  serverId,
  name,
  keyId: "5feceb66",
  nonce: "AAAAAAAAAAAAAAAA",
  sealed: "c2VhbGVk",
  ...overrides,
});

/** The definition of a tool, as its server lists it. */
export const definition = (
  name: string,
  overrides: Readonly<Record<string, unknown>> = {},
): Tool.ToolDefinition => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object" },
  ...overrides,
});

/** An object in an object, and so on, so many levels deep. */
export const nested = (levels: number): Readonly<Record<string, unknown>> => {
  let value = {};
  for (let level = 1; level < levels; level++) value = { in: value };
  return value;
};

/** A tool that was accepted as it is. */
export const toolRow = (
  name: string,
  position: number,
  overrides: Partial<Tool.ToolRow> = {},
): Tool.ToolRow => ({
  name,
  position,
  accepted: definition(name),
  current: definition(name),
  ...overrides,
});

export const toolCallRow = (overrides: Partial<ToolCall.ToolCall> = {}) =>
  Effect.map(id("evt"), (id): ToolCall.ToolCall => ({
    id,
    agentId: "agent",
    serverId: "mcp_1",
    tool: "add_note",
    startedAt: at(0),
    durationMs: 12,
    outcome: "ok",
    requestBytes: 34,
    responseBytes: 56,
    ...overrides,
  }));
