// A small but complete host: a chain of three issues, two scripted agents, real MCP servers with a
// different grant for each agent, a pause, a crash of an agent, a review by a person, and a third
// agent that works over MCP.
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import {
  AgentHost,
  Comments,
  type Errors,
  Issues,
  type McpConnector,
  McpServers,
  Principal,
  Runs,
} from "@quartermaster/core";
import { Console, Effect, Fiber, FileSystem, Layer } from "effect";
import * as Quartermaster from "./Quartermaster.ts";
import { chapter, check, Surprise } from "./Story.ts";
import * as WorkLoop from "./WorkLoop.ts";

const textOf = ({ content }: McpConnector.ToolResult) =>
  content.map((part) => part["text"] ?? "").join("\n");

/** The task of the only issue that a heartbeat started. */
const pickUp = Effect.fnUntraced(function* (agent: AgentHost.HostedAgent, leaseSeconds = 60) {
  const { started } = yield* agent.heartbeat({ leaseSeconds });
  const [one] = started;
  if (one === undefined) return yield* new Surprise({ message: `${agent.id} was given nothing` });
  yield* Console.log(`  ${agent.id} picked up "${one.issue.title}"`);
  return agent.task(one);
});

/** Installs a server, verifies it, enables it, and grants it to one agent. */
const provide = Effect.fnUntraced(function* (
  input: { readonly catalogId: string; readonly envValues?: Record<string, string> },
  grant: { readonly agentId: string; readonly tools: ReadonlyArray<string> | null },
) {
  const servers = yield* McpServers.McpServers;
  const server = yield* servers.install(input);
  const { status, details } = yield* servers.verify(server.id);
  yield* Console.log(`  ${server.name}: ${details}`);
  yield* check("verified", status, "ok");
  yield* servers.enable(server.id);
  yield* servers.putAccess(server.id, { entries: [{ ...grant, granted: true }] });
  return server;
});

const program = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const runs = yield* Runs.Runs;
  const host = yield* AgentHost.AgentHost;
  const fs = yield* FileSystem.FileSystem;
  const desk = yield* fs.makeTempDirectoryScoped({ prefix: "quartermaster-desk-" });
  const ada = host.agent("ada");
  const bob = host.agent("bob");

  yield* chapter("Tools: two MCP servers, each for one agent only");
  yield* provide(
    { catalogId: "filesystem", envValues: { ALLOWED_DIRECTORY: desk } },
    { agentId: "ada", tools: null },
  );
  yield* provide({ catalogId: "everything" }, { agentId: "bob", tools: ["echo"] });

  yield* chapter("Work: three issues, each waiting for the one before");
  const report = yield* issues.create("demo", {
    title: "Write the report",
    assignedAgentId: "ada",
  });
  const notice = yield* issues.create("demo", {
    title: "Announce the report",
    assignedAgentId: "bob",
    blockedByIssueId: report.id,
  });
  const archive = yield* issues.create("demo", {
    title: "Archive the report",
    assignedAgentId: "ada",
    blockedByIssueId: notice.id,
  });
  const statusOf = (id: string) => Effect.map(issues.get(id), ({ status }) => status);
  yield* check("the last one is", archive.status, "WaitingOnDependency");

  yield* chapter("Ada writes; a person pauses her in the middle and lets her go on");
  const first = yield* pickUp(ada);
  const tools = yield* first.tools;
  yield* Console.log(`  ada may use ${tools.tools.length} tools`);
  const path = `${desk}/report.md`;
  yield* first.call("filesystem__write_file", { path, content: "# Report\n" });
  yield* first.turn;
  yield* issues.pause(report.id);
  yield* comments.create(report.id, { content: "Add the figures first.", authorType: "User" });
  const said = yield* first.turn.pipe(
    Effect.as(["nothing"]),
    Effect.catchTag("Stopped", (stopped) =>
      Effect.succeed(stopped.comments.map(({ content }) => content)),
    ),
  );
  yield* check("at her next turn she is told to stop, and", said.join(), "Add the figures first.");
  yield* check("nothing is picked up", (yield* ada.heartbeat()).started.length, 0);
  yield* comments.create(report.id, { content: "There are 42.", authorType: "User" });
  yield* issues.resume(report.id);
  const second = yield* pickUp(ada);
  const [answer] = (yield* second.comments({ order: "desc", limit: 1 })).items;
  yield* check("picking it up again she reads", answer?.content, "There are 42.");
  const content = `# Report\n\n${answer?.content}\n`;
  yield* second.call("filesystem__write_file", { path, content });
  yield* check(
    "she hands it in for review",
    (yield* second.finish({ outcome: "review", comment: "Figures are in." })).status,
    "PendingReview",
  );

  yield* chapter("A person reviews it");
  yield* issues.update(report.id, { status: "Resolved" });
  yield* check("the report is", yield* statusOf(report.id), "Resolved");
  yield* check("the notice wakes", yield* statusOf(notice.id), "Open");

  yield* chapter("Bob crashes; his lease expires, and no person has to step in");
  const crashed = yield* pickUp(bob, 5);
  yield* check("until then it is held", (yield* bob.heartbeat()).started.length, 0);
  yield* Effect.sleep("5200 millis");
  const again = yield* pickUp(bob);
  const late = yield* Effect.flip(crashed.finish({ outcome: "resolved" }));
  yield* check("the crashed run's late finish is refused", late._tag, "Stopped");

  yield* chapter("Bob announces; he has the tool that he was granted, and no other");
  const echo = yield* again.call("everything__echo", { message: "The report is out." });
  yield* check("echo says", textOf(echo), "Echo: The report is out.");
  for (const [name, args] of [
    ["everything__get-sum", { a: 1, b: 2 }],
    ["filesystem__read_text_file", { path }],
  ] as const) {
    const refusal = yield* Effect.flip(again.call(name, args));
    yield* check(`${name} is refused`, (refusal as Errors.ToolUnavailable).reason, "notGranted");
  }
  yield* again.finish({ outcome: "resolved" });

  yield* chapter("Ada works by herself: heartbeat, turns, finish");
  const working = yield* ada
    .work(
      (task) =>
        Effect.gen(function* () {
          yield* task.turn;
          const read = yield* task.call("filesystem__read_text_file", { path });
          return { outcome: "resolved", comment: `Archived: ${textOf(read).trim()}` } as const;
        }),
      { heartbeatSeconds: 1 },
    )
    .pipe(Effect.forkChild);
  while ((yield* statusOf(archive.id)) !== "Resolved") yield* Effect.sleep("50 millis");
  yield* Fiber.interrupt(working);
  const [last] = (yield* comments.list(archive.id)).items;
  yield* check("she commented", last?.content, "Archived: # Report\n\nThere are 42.");

  yield* WorkLoop.story;

  yield* chapter("What the timeline of the notice says");
  const { items } = yield* issues.activity(notice.id);
  yield* Console.log(`  ${items.map(({ kind }) => kind).join(", ")}`);
  const kinds = new Set(items.map(({ kind }) => kind));
  yield* check("the crash is on it", kinds.has("leaseExpired"), true);
  const held = yield* Effect.forEach(["ada", "bob", "cleo"], (id) =>
    Effect.map(runs.list(id), ({ items }) => items),
  );
  yield* check(
    "runs that have not ended",
    held.flat().filter((run) => run.status !== "ended").length,
    0,
  );
  yield* Console.log("\nAll as it should be.");
});

const person = Effect.provideService(Principal.CurrentPrincipal, Principal.user("maria"));

Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "quartermaster-demo-" });
  yield* Effect.provide(person(program), Quartermaster.layer(dataDir));
}).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(NodeFileSystem.layer)), NodeRuntime.runMain);
