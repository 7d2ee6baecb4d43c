import { assert, describe } from "@effect/vitest";
import {
  CurrentRun,
  Errors,
  Issues,
  McpConnector,
  type Nodes,
  Passed,
  PassedRequests,
  ProcessLeaseStore,
  PromptGateway,
  ResourceGateway,
  Runs,
} from "@quartermaster/core";
import { type ScriptedServer, type Storage, TestCatalog, TestCore } from "@quartermaster/testing";
import {
  Clock,
  Context,
  Deferred,
  type Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Schema,
  Scope,
} from "effect";
import { checkWith, refusal, secret, world } from "../support/McpWorld.ts";

/** Nodes of a service whose server `test-notes` has state. They pass requests on to each other as JSON. */

const catalog = TestCore.catalog(
  TestCatalog.entries.map((entry) =>
    entry.id === "test-notes" ? { ...entry, manifest: { ...entry.manifest, state: true } } : entry,
  ),
);

const { decodeSync, encodeSync } = Schema;
const json = Schema.fromJsonString(Passed.Request);

type Handle = PassedRequests.PassedRequests["Service"]["handle"];

const house = Effect.gen(function* () {
  const node = yield* world.nodes;
  const handlers = new Map<string, Handle>();
  /** The requests that nodes passed on. */
  const passed: Array<Passed.Request> = [];
  const pass: NonNullable<typeof Nodes.Nodes.Service>["pass"] = (url, request, onProgress) => {
    passed.push(request);
    const handle = handlers.get(url);
    return handle === undefined
      ? Effect.fail(Passed.elsewhere("It does not respond."))
      : Effect.map(handle(decodeSync(json)(encodeSync(json)(request)), onProgress), (response) =>
          JSON.parse(JSON.stringify(response)),
        );
  };
  const add = Effect.fnUntraced(function* (
    url: string | null,
    options: Parameters<typeof node>[0] = {},
  ) {
    const on = yield* node({ catalog, nodes: { url, pass }, ...options });
    const { handle } = yield* on(PassedRequests.PassedRequests);
    if (url !== null) handlers.set(url, handle);
    return on;
  });
  return { add, handlers, passed };
});

/** Two nodes; the first one runs the server. */
const two = Effect.gen(function* () {
  const { add, handlers, passed } = yield* house;
  const one = yield* add("http://one");
  const other = yield* add("http://other");
  const { id, server } = yield* one(world.running());
  return { add, handlers, id, one, other, passed, server };
});

describe("servers with state", () => {
  checkWith(
    "[mcp.state.one] one node runs the process, and calls of all nodes reach it",
    Effect.gen(function* () {
      const { id, one, other, passed, server } = yield* two;
      const notes: Array<unknown> = [];
      server.onCall = ({ args, progress }) =>
        Effect.as(progress({ progress: 1, total: 2 }), {
          content: [{ type: "text", text: `${secret} ${JSON.stringify(args)}` }],
        });
      const onProgress = (progress: McpConnector.Progress) =>
        Effect.sync(() => void notes.push(progress));
      const result = yield* other(world.call("test-notes__add", { n: 1 }, { onProgress }));
      assert.deepStrictEqual(result.content, [
        { type: "text", text: '[secret NOTES_KEY] {"n":1}' },
      ]);
      assert.deepStrictEqual(notes, [{ progress: 1, total: 2 }]);
      yield* one(world.call("test-notes__add"));
      assert.deepStrictEqual([server.connections, server.targets.length], [1, 2]);
      assert.lengthOf(server.calls, 2);
      assert.deepStrictEqual(
        passed.map(({ action }) => action.kind),
        ["listTools", "callTool"],
      );
      const records = yield* one(world.records());
      assert.deepStrictEqual(
        records.map(({ outcome }) => outcome),
        ["ok", "ok"],
      );
      // A verify starts no second process.
      const verified = yield* other(world.verify(id));
      assert.deepInclude(verified, { status: "ok", capabilities: ["add"] });
      assert.deepStrictEqual([server.connections, server.targets.length], [1, 2]);
    }),
  );

  checkWith(
    "[mcp.state.one] failures of the server and cancellations pass between nodes",
    Effect.gen(function* () {
      const { other, server } = yield* two;
      server.onCall = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_000, message: "no" }));
      assert.isTrue((yield* other(world.call("test-notes__add"))).isError);
      server.onCall = () =>
        Effect.fail(
          new McpConnector.ConnectorError({ reason: "timeout", message: "Too slow.", sent: true }),
        );
      const late = yield* other(refusal(world.call("test-notes__add")));
      assert.deepInclude(late, { _tag: "ToolUnavailable", reason: "timeout" });
      const cancelled = Deferred.makeUnsafe<void>();
      server.onCall = () =>
        Effect.onInterrupt(Effect.never, () => Deferred.succeed(cancelled, undefined));
      const calling = yield* Effect.forkChild(other(world.call("test-notes__add")));
      yield* world.idle;
      yield* Fiber.interrupt(calling);
      yield* Deferred.await(cancelled);
    }),
  );

  checkWith(
    "[mcp.state.one] resources, prompts and completions of every node reach it",
    Effect.gen(function* () {
      const { add, passed } = yield* house;
      const one = yield* add("http://one");
      const other = yield* add("http://other");
      const notes = yield* one(world.scripted("notes"));
      notes.resources.resources = [{ uri: "file:///n", name: "n" }];
      notes.prompts = [{ name: "review" }];
      const { server } = yield* one(world.running());
      const resources = yield* other(ResourceGateway.ResourceGateway);
      const prompts = yield* other(PromptGateway.PromptGateway);
      const uri = "qm+test-notes+file:///n";
      const { items } = yield* other(resources.list("bot", "resources"));
      assert.deepStrictEqual(
        items.map((item) => item["uri"]),
        [uri],
      );
      const { contents } = yield* other(resources.read("bot", uri));
      assert.deepInclude(contents[0], { text: "file:///n" });
      const { messages } = yield* other(prompts.get("bot", "test-notes__review", { a: "b" }));
      assert.deepInclude(messages[0], { content: { type: "text", text: 'review {"a":"b"}' } });
      const ref = { type: "ref/prompt", name: "test-notes__review" } as const;
      const argument = { name: "a", value: "x" };
      const { completion } = yield* other(prompts.complete("bot", { ref, argument }));
      assert.deepStrictEqual(completion.values, ["xa", "xb", "xc"]);
      assert.deepStrictEqual(
        passed.map(({ action }) => action.kind),
        ["listTools", "listResources", "readResource", "getPrompt", "complete"],
      );
      assert.strictEqual(server.connections, 1);
      const { handle } = yield* one(PassedRequests.PassedRequests);
      for (const request of passed.slice(1)) {
        const refused = refusal(handle({ ...request, agentId: "eve" }, () => Effect.void));
        assert.deepInclude(yield* refused, { reason: "notGranted" });
      }
    }),
  );

  checkWith(
    "[mcp.state.other-node] without the URL of its node, calls on other nodes are refused with the reason otherNode",
    Effect.gen(function* () {
      const { add } = yield* house;
      const one = yield* add(null);
      const other = yield* add("http://other");
      const { id, server } = yield* one(world.running());
      for (let n = 0; n < 7; n++) {
        const refused = yield* other(refusal(world.call("test-notes__add")));
        assert.deepInclude(refused, { _tag: "ToolUnavailable", reason: "otherNode" });
      }
      assert.strictEqual(yield* other(world.statusOf(id)), "enabled");
      assert.lengthOf(server.calls, 0);
      const [record] = yield* other(world.records({ limit: 1 }));
      assert.strictEqual(record?.outcome, "otherNode");
      yield* one(world.call("test-notes__add"));
      // The process ends when it is unused, and the next node starts it.
      yield* world.pass("6 minutes");
      assert.strictEqual(server.connections, 0);
      yield* other(world.call("test-notes__add"));
      assert.strictEqual(server.connections, 1);
      assert.deepInclude(yield* one(world.call("test-notes__add")), {
        content: [{ type: "text", text: "ok" }],
      });
    }),
  );

  checkWith(
    "[mcp.state.effects] a call that happens once does so on any node, and is unknown if the reply was lost",
    Effect.gen(function* () {
      const { id, other, server } = yield* two;
      yield* other(world.update(id, { once: [{ tools: ["add"] }] }));
      yield* other(
        Issues.Issues.use((issues) => issues.create("p", { title: "Pay", assignedAgentId: "bot" })),
      );
      const { finish, heartbeat } = yield* other(Runs.Runs);
      /** Calls the tool in a run of its own, which then releases the issue. */
      const call = Effect.fnUntraced(function* (n: number) {
        const { started } = yield* other(heartbeat("bot", {}));
        const acting = { id: started[0]?.runId ?? "", agentId: "bot" };
        const calling = other(world.call("test-notes__add", { n }));
        return yield* Effect.provideService(calling, CurrentRun.CurrentRun, acting).pipe(
          Effect.ensuring(Effect.orDie(other(finish("bot", acting.id, { outcome: "released" })))),
        );
      });
      yield* call(1);
      yield* call(1);
      assert.lengthOf(server.calls, 1);
      server.onCall = () =>
        Effect.fail(
          new McpConnector.ConnectorError({ reason: "otherNode", message: "Lost.", sent: true }),
        );
      assert.deepInclude(yield* refusal(call(2)), { reason: "crashed" });
      assert.deepInclude(yield* refusal(call(2)), { reason: "effectUnknown" });
      assert.lengthOf(server.calls, 2);
    }),
  );

  checkWith(
    "[mcp.state.fence] the node that runs the server judges run and grant again",
    Effect.gen(function* () {
      const { id, one, other, passed, server } = yield* two;
      yield* other(world.call("test-notes__add"));
      const request = passed.at(-1);
      if (request === undefined) return assert.fail("nothing was passed on");
      const { handle } = yield* one(PassedRequests.PassedRequests);
      const ask = (changes: Partial<Passed.Request>) =>
        refusal(handle({ ...request, ...changes }, () => Effect.void));
      const reason = (changes: Partial<Passed.Request>) =>
        Effect.map(ask(changes), (error) => ("reason" in error ? error.reason : null));
      const calls = server.calls.length;
      assert.strictEqual(yield* reason({ nodeId: "another" }), "otherNode");
      assert.strictEqual(yield* reason({ generation: 99 }), "otherNode");
      assert.strictEqual(yield* reason({ serverId: "mcp_none" }), "otherNode");
      assert.strictEqual(yield* reason({ agentId: "eve" }), "notGranted");
      assert.strictEqual(yield* reason({ agentId: null }), "notGranted");
      assert.strictEqual(yield* reason({ runId: "run_none" }), "runEnded");
      const unknown = {
        kind: "callTool",
        name: "sub",
        args: {},
        timeoutMillis: 1,
        maxMillis: 1,
        maxResultBytes: 1,
      } as const;
      assert.strictEqual(yield* reason({ action: unknown }), "unknownTool");

      const issue = yield* one(
        Issues.Issues.use((issues) =>
          issues.create("p", { title: "Count", assignedAgentId: "bot" }),
        ),
      );
      const { started } = yield* one(Runs.Runs.use((runs) => runs.heartbeat("bot", {})));
      const runId = started[0]?.runId ?? "";
      yield* handle({ ...request, runId }, () => Effect.void);
      assert.strictEqual(server.calls.length, calls + 1);
      yield* one(Issues.Issues.use((issues) => issues.pause(issue.id)));
      const paused = yield* ask({ runId });
      assert.deepInclude(paused, { _tag: "ToolUnavailable", reason: "runEnded" });
      yield* one(world.revoke(id));
      assert.strictEqual(yield* reason({}), "notGranted");
      assert.strictEqual(server.calls.length, calls + 1);
    }),
  );

  checkWith(
    "[mcp.state.once] a process starts after the one before has exited",
    Effect.gen(function* () {
      const { id, one, other, server } = yield* two;
      const others: Array<number> = [];
      server.onConnect = Effect.sync(() => void others.push(server.connections));
      yield* closes(server, "3 seconds");
      yield* Effect.forkChild(other(world.update(id, { envValues: { NOTES_PROJECT: "p" } })));
      const calls = yield* Effect.forkChild(
        Effect.all([one(world.call("test-notes__add")), other(world.call("test-notes__add"))], {
          concurrency: "unbounded",
        }),
      );
      for (let n = 0; n < 8; n++) yield* world.pass("1 seconds");
      yield* Fiber.join(calls);
      assert.deepStrictEqual(others, [0]);
      assert.strictEqual(server.connections, 1);
      assert.lengthOf(server.calls, 2);
    }),
  );

  checkWith(
    "[mcp.state.lost] a node whose clock is past its lease sends no call",
    Effect.gen(function* () {
      const { one, server } = yield* two;
      const clock = yield* Clock.Clock;
      const later = 31_000 + (yield* Clock.currentTimeMillis);
      const frozen = one(refusal(world.call("test-notes__add"))).pipe(
        Effect.provideService(Clock.Clock, {
          ...clock,
          sleep: (duration) => clock.sleep(duration),
          currentTimeMillis: Effect.succeed(later),
          currentTimeMillisUnsafe: () => later,
        }),
      );
      assert.deepInclude(yield* frozen, { _tag: "ToolUnavailable", reason: "otherNode" });
      assert.lengthOf(server.calls, 0);
      yield* one(world.call("test-notes__add"));
    }),
  );

  checkWith(
    "[mcp.state.stop] a node that stops in order leaves the process to the next one",
    Effect.gen(function* () {
      const { add } = yield* house;
      const scope = yield* Scope.make();
      const one = yield* Scope.provide(add("http://one"), scope);
      const other = yield* add("http://other");
      const { server } = yield* one(world.running());
      yield* other(world.call("test-notes__add"));
      yield* Scope.close(scope, Exit.void);
      assert.strictEqual(server.connections, 0);
      yield* other(world.call("test-notes__add"));
      assert.strictEqual(server.connections, 1);
    }),
  );

  checkWith(
    "[mcp.state.lost] a node that cannot renew its lease stops the process before the lease expires, and then another node starts it",
    Effect.gen(function* () {
      const { add, handlers } = yield* house;
      let isBroken = false;
      const one = yield* add("http://one", { storage: failing(() => isBroken) });
      const other = yield* add("http://other");
      const { server } = yield* one(world.running());
      const others: Array<number> = [];
      server.onConnect = Effect.sync(() => void others.push(server.connections));
      yield* closes(server, "5 seconds");
      yield* world.pass("60 seconds");
      yield* other(world.call("test-notes__add"));
      assert.strictEqual(server.targets.length, 2);

      isBroken = true;
      yield* world.pass("16 seconds");
      yield* other(world.call("test-notes__add"));
      yield* world.pass("12 seconds");
      assert.strictEqual(server.connections, 0);
      const refused = yield* one(refusal(world.call("test-notes__add")));
      assert.notStrictEqual(refused._tag, "ToolUnavailable");
      const gone = yield* other(refusal(world.call("test-notes__add")));
      assert.deepInclude(gone, { _tag: "ToolUnavailable", reason: "otherNode" });
      handlers.delete("http://one");
      const dead = yield* other(refusal(world.call("test-notes__add")));
      assert.deepInclude(dead, { _tag: "ToolUnavailable", reason: "otherNode" });
      const retry = (dead as Errors.ToolUnavailable).retry;
      assert.strictEqual(Date.parse(retry?.retryAt ?? "") % 1_000, 0);
      assert.include((dead as Errors.ToolUnavailable).advice, "It is not reachable since");

      yield* world.pass("5 seconds");
      yield* other(world.call("test-notes__add"));
      assert.deepStrictEqual(others, [0]);
      assert.strictEqual(server.targets.length, 3);
    }),
  );
});

/** Makes the process of a server take that long to exit, until the test ends. */
const closes = (server: ScriptedServer.ScriptedServer, duration: Duration.Input) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      server.onClose = Effect.sleep(duration);
    }),
    () =>
      Effect.sync(() => {
        server.onClose = Effect.void;
      }),
  );

/** A storage whose leases cannot be read or written while `isBroken`. */
const failing = (isBroken: () => boolean) => (shared: Layer.Layer<Storage.Storage>) =>
  Layer.effectContext(
    Effect.map(Layer.build(shared), (context) => {
      const { get, put, remove } = Context.get(context, ProcessLeaseStore.ProcessLeaseStore);
      const error = new Errors.StorageError({ reason: "broken", isRetryable: true });
      const unless = <A>(effect: Effect.Effect<A, Errors.StorageError>) =>
        Effect.suspend(() => (isBroken() ? Effect.fail(error) : effect));
      return Context.add(context, ProcessLeaseStore.ProcessLeaseStore, {
        get: (id) => unless(get(id)),
        put: (lease) => unless(put(lease)),
        remove: (...args) => unless(remove(...args)),
      });
    }),
  );
