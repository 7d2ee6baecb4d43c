import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import * as ActivityStoreTest from "./ActivityStoreTest.ts";
import * as AgentSessionStoreTest from "./AgentSessionStoreTest.ts";
import * as AgentStoreTest from "./AgentStoreTest.ts";
import * as AttachmentContentTest from "./AttachmentContentTest.ts";
import * as AttachmentStoreTest from "./AttachmentStoreTest.ts";
import * as AuditStoreTest from "./AuditStoreTest.ts";
import * as CallBodyStoreTest from "./CallBodyStoreTest.ts";
import * as CatalogStoreTest from "./CatalogStoreTest.ts";
import * as CommentStoreTest from "./CommentStoreTest.ts";
import * as EffectStoreTest from "./EffectStoreTest.ts";
import * as EventStoreTest from "./EventStoreTest.ts";
import * as IdempotencyStoreTest from "./IdempotencyStoreTest.ts";
import * as InboxStoreTest from "./InboxStoreTest.ts";
import * as IssueStoreTest from "./IssueStoreTest.ts";
import * as KeyStoreTest from "./KeyStoreTest.ts";
import * as LinkStoreTest from "./LinkStoreTest.ts";
import * as McpServerStoreTest from "./McpServerStoreTest.ts";
import * as ProcessLeaseStoreTest from "./ProcessLeaseStoreTest.ts";
import * as ProjectStoreTest from "./ProjectStoreTest.ts";
import * as QuestionStoreTest from "./QuestionStoreTest.ts";
import * as RunLogStoreTest from "./RunLogStoreTest.ts";
import * as RunStoreTest from "./RunStoreTest.ts";
import * as SavedViewStoreTest from "./SavedViewStoreTest.ts";
import * as SessionStoreTest from "./SessionStoreTest.ts";
import * as SnoozeStoreTest from "./SnoozeStoreTest.ts";
import * as StatsStoreTest from "./StatsStoreTest.ts";
import * as ToolCallStoreTest from "./ToolCallStoreTest.ts";
import * as TransactorTest from "./TransactorTest.ts";
import * as UsageStoreTest from "./UsageStoreTest.ts";
import * as VersionStoreTest from "./VersionStoreTest.ts";
import * as WebhookStoreTest from "./WebhookStoreTest.ts";

/**
 * The requirements of every storage: the suites of all ports. Each block of tests builds the layer
 * once and requires an empty storage.
 */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`Storage: ${name}`, () => {
    TransactorTest.suite(name, storage);
    IssueStoreTest.suite(name, storage);
    LinkStoreTest.suite(name, storage);
    CommentStoreTest.suite(name, storage);
    QuestionStoreTest.suite(name, storage);
    InboxStoreTest.suite(name, storage);
    ActivityStoreTest.suite(name, storage);
    AttachmentStoreTest.suite(name, storage);
    AttachmentContentTest.suite(name, storage);
    AgentStoreTest.suite(name, storage);
    ProjectStoreTest.suite(name, storage);
    RunStoreTest.suite(name, storage);
    RunLogStoreTest.suite(name, storage);
    EffectStoreTest.suite(name, storage);
    KeyStoreTest.suite(name, storage);
    SessionStoreTest.suite(name, storage);
    AgentSessionStoreTest.suite(name, storage);
    IdempotencyStoreTest.suite(name, storage);
    EventStoreTest.suite(name, storage);
    McpServerStoreTest.suite(name, storage);
    AuditStoreTest.suite(name, storage);
    CallBodyStoreTest.suite(name, storage);
    CatalogStoreTest.suite(name, storage);
    ProcessLeaseStoreTest.suite(name, storage);
    SnoozeStoreTest.suite(name, storage);
    SavedViewStoreTest.suite(name, storage);
    StatsStoreTest.suite(name, storage);
    ToolCallStoreTest.suite(name, storage);
    UsageStoreTest.suite(name, storage);
    VersionStoreTest.suite(name, storage);
    WebhookStoreTest.suite(name, storage);
  });
};
