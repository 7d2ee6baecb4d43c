export * as Fixtures from "./Fixtures.ts";
export * as MemoryStorage from "./MemoryStorage.ts";
export * as SeededRandom from "./SeededRandom.ts";
export * as Storage from "./Storage.ts";
export * as TestCore from "./TestCore.ts";

export * as ScriptedConnector from "./mcp/ScriptedConnector.ts";
export * as ScriptedOAuth from "./mcp/ScriptedOAuth.ts";
export * as ScriptedPackages from "./mcp/ScriptedPackages.ts";
export * as ScriptedRuntimes from "./mcp/ScriptedRuntimes.ts";
export * as ScriptedServer from "./mcp/ScriptedServer.ts";
export * as ScriptedSpawner from "./mcp/ScriptedSpawner.ts";
export * as TestCatalog from "./mcp/TestCatalog.ts";

export * as ActivityStoreTest from "./suites/ActivityStoreTest.ts";
export * as AgentStoreTest from "./suites/AgentStoreTest.ts";
export * as AttachmentContentTest from "./suites/AttachmentContentTest.ts";
export * as AttachmentStoreTest from "./suites/AttachmentStoreTest.ts";
export * as CommentStoreTest from "./suites/CommentStoreTest.ts";
export * as EventStoreTest from "./suites/EventStoreTest.ts";
export * as IdempotencyStoreTest from "./suites/IdempotencyStoreTest.ts";
export * as IssueStoreTest from "./suites/IssueStoreTest.ts";
export * as KeyStoreTest from "./suites/KeyStoreTest.ts";
export * as LinkStoreTest from "./suites/LinkStoreTest.ts";
export * as McpServerStoreTest from "./suites/McpServerStoreTest.ts";
export * as ProjectStoreTest from "./suites/ProjectStoreTest.ts";
export * as RunStoreTest from "./suites/RunStoreTest.ts";
export * as AgentSessionStoreTest from "./suites/AgentSessionStoreTest.ts";
export * as SessionStoreTest from "./suites/SessionStoreTest.ts";
export * as StorageTest from "./suites/StorageTest.ts";
export * as ToolCallStoreTest from "./suites/ToolCallStoreTest.ts";
export * as TransactorTest from "./suites/TransactorTest.ts";

export * as Callers from "./model/Callers.ts";
export * as HammerTest from "./model/HammerTest.ts";
export * as ModelTest from "./model/ModelTest.ts";
export * as RacesTest from "./races/RacesTest.ts";
