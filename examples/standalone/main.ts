// The same steps over HTTP, with the typed client. QM_URL and QM_KEY name a running server; without
// them the example starts one.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Client } from "@quartermaster/http/api";
import { Config, Console, Effect, Layer, Option, Random, Schema } from "effect";
import * as Server from "./server.ts";

class Surprise extends Schema.TaggedError<Surprise>()("Surprise", { message: Schema.String }) {}

/** Prints a result, and fails if it is not the expected one. */
const check = Effect.fnUntraced(function* (what: string, actual: unknown, expected: unknown) {
  yield* Console.log(`${what}: ${actual}`);
  if (actual !== expected) {
    return yield* new Surprise({ message: `${what}: ${actual}, expected ${expected}` });
  }
});

const program = Effect.gen(function* () {
  const client = yield* Client.Client;
  const agentId = `agent-${yield* Random.nextIntBetween(1, 1_000_000)}`;

  const schema = yield* client.issues.create({
    params: { projectId: "shop" },
    headers: {},
    payload: { title: "Design the schema", assignedAgentId: agentId },
  });
  const api = yield* client.issues.create({
    params: { projectId: "shop" },
    headers: {},
    payload: { title: "Build the API", assignedAgentId: agentId, blockedByIssueId: schema.id },
  });
  yield* check("one with a blocker is", api.status, "WaitingOnDependency");

  // A refusal is a typed error: the `type` of the problem chooses its class.
  const dependents = yield* client.issues
    .close({ params: { issueId: schema.id }, headers: {}, query: {} })
    .pipe(
      Effect.as<ReadonlyArray<string>>([]),
      Effect.catchTag("OpenDependents", (problem) => Effect.succeed(problem.dependents)),
    );
  yield* check("its blocker cannot be closed while this issue waits", dependents.join(), api.id);

  const { started } = yield* client.agents.heartbeat({ params: { agentId }, payload: {} });
  const run = yield* Effect.fromNullishOr(started[0]);
  yield* check("the heartbeat started", run.issue.title, schema.title);
  const done = yield* client.agents.finish({
    params: { agentId, runId: run.runId },
    payload: { outcome: "resolved", comment: "Three tables, see the migration." },
  });
  yield* check("the finished issue is", done.status, "Resolved");

  const freed = yield* client.issues.get({ params: { issueId: api.id } });
  yield* check("the one that waited is", freed.status, "Open");

  for (const { id } of [api, schema]) {
    yield* client.issues.delete({ params: { issueId: id }, headers: {}, query: { confirm: true } });
  }
});

const client = Layer.unwrap(
  Effect.gen(function* () {
    const given = yield* Config.all({
      url: Config.String("QM_URL"),
      key: Config.Redacted("QM_KEY"),
    }).pipe(Config.option);
    const { key, url } = Option.isSome(given) ? given.value : yield* Server.start;
    yield* Console.log(`the server is at ${url}`);
    return Client.Client.layer({ baseUrl: url, apiKey: key });
  }),
);

program.pipe(Effect.provide(client), Effect.provide(NodeServices.layer), NodeRuntime.runMain);
