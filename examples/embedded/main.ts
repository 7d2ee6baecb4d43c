// Quartermaster inside your own program: no server, no HTTP. An agent works on two issues, one of
// which blocks the other.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Core, EventLog, Issues, MasterKeys, Principal, Runs } from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Console, Effect, FileSystem, Layer, Redacted, Schema, Stream } from "effect";
import { SecureRandom } from "effect/crypto";

class Surprise extends Schema.TaggedError<Surprise>()("Surprise", { message: Schema.String }) {}

/** Prints a result, and fails if it is not the expected one. */
const check = Effect.fnUntraced(function* (what: string, actual: unknown, expected: unknown) {
  yield* Console.log(`${what}: ${actual}`);
  if (actual !== expected) {
    return yield* new Surprise({ message: `${what}: ${actual}, expected ${expected}` });
  }
});

const program = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const runs = yield* Runs.Runs;
  const events = yield* EventLog.EventLog;

  const moves = yield* events.subscribe({
    filter: { projectId: "shop", kinds: ["issue.statusChanged"] },
  });

  const schema = yield* issues.create("shop", {
    title: "Design the schema",
    assignedAgentId: "agent-1",
  });
  const api = yield* issues.create("shop", {
    title: "Build the API",
    assignedAgentId: "agent-1",
    blockedByIssueId: schema.id,
  });
  yield* check("a new issue is", schema.status, "Open");
  yield* check("one with a blocker is", api.status, "WaitingOnDependency");

  const { started } = yield* runs.heartbeat("agent-1", { capacity: 2 });
  yield* check(
    "the heartbeat started",
    started.map(({ issue }) => issue.title).join(),
    schema.title,
  );
  const first = yield* Effect.fromNullishOr(started[0]);

  const turn = yield* runs.turn("agent-1", first.runId);
  yield* check("between two turns the agent may", turn.action, "continue");
  const done = yield* runs.finish("agent-1", first.runId, {
    outcome: "resolved",
    comment: "Three tables, see the migration.",
  });
  yield* check("the finished issue is", done.status, "Resolved");
  yield* check("the one that waited is", (yield* issues.get(api.id)).status, "Open");

  const next = yield* runs.heartbeat("agent-1");
  const second = yield* Effect.fromNullishOr(next.started[0]);
  yield* check("the next heartbeat started", second.issue.title, api.title);
  const review = yield* runs.finish("agent-1", second.runId, { outcome: "review" });
  yield* check("handed in for review it is", review.status, "PendingReview");

  const told = yield* Stream.runCollect(Stream.take(moves, 5));
  for (const { data, subjectId } of told) {
    const title = subjectId === schema.id ? schema.title : api.title;
    yield* Console.log(`event: ${title}: ${data["from"]} -> ${data["to"]} (${data["cause"]})`);
  }
  yield* check("the last move was to", told.at(-1)?.data["to"], "PendingReview");
});

// Your program stores the directory and the key.
const storage = Layer.unwrap(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    return Storage.layer({ dataDir: yield* fs.makeTempDirectoryScoped() });
  }),
);
const masterKeys = Layer.unwrap(
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom;
    return MasterKeys.MasterKeys.layer([Redacted.make(yield* random.randomBytes(32))]);
  }),
);
const quartermaster = Core.layer.pipe(
  Layer.provide([storage, masterKeys]),
  Layer.provide([NodeCrypto.layer, NodeFileSystem.layer]),
);

program.pipe(
  Effect.provideService(Principal.CurrentPrincipal, Principal.user("ops")),
  Effect.provide(quartermaster),
  NodeRuntime.runMain,
);
