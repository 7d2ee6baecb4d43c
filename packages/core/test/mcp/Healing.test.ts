import { assert, describe } from "@effect/vitest";
import { Connections, McpConnector } from "@quartermaster/core";
import { Fixtures, type ScriptedServer } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { check, checkWith, reasonOf, refusal, world } from "../support/McpWorld.ts";

const down = Effect.fail(
  new McpConnector.ConnectorError({ reason: "unreachable", message: "Refused.", sent: false }),
);

/** `test-tool`: a program without secrets, enabled, granted to `bot`, and connected. */
const running = world.running(["add"], "test-tool");
const call = world.call("test-tool__add");

/**
 * Makes the server fail until its status is `error`, 7.5 s later. The clock of a server with
 * secrets advances in steps.
 */
const fall = Effect.fnUntraced(function* (server: ScriptedServer.ScriptedServer, steps = [7_500]) {
  server.onConnect = down;
  yield* server.crash();
  for (const millis of steps) yield* world.pass(millis);
});

const adviceOf = <A, E, R>(refused: Effect.Effect<A, E, R>) =>
  Effect.map(refusal(refused), (error) => String(Reflect.get(error, "advice")));

describe("Healing", () => {
  check(
    "[mcp.outage.heals] a server that is out is tried again after 30 s, 1, 2, 4 and 5 minutes, and its first success enables it",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      yield* fall(server);
      assert.deepInclude(yield* world.get(id), {
        status: "error",
        outage: {
          since: "1970-01-01T00:00:00.000Z",
          reason: "Refused.",
          attempts: 0,
          retryAt: "1970-01-01T00:00:37.500Z",
        },
      });
      const before = server.targets.length;
      for (const [count, seconds] of [30, 60, 120, 240, 300, 300].entries()) {
        yield* world.pass(seconds * 1_000 - 1);
        assert.strictEqual(server.targets.length - before, count);
        yield* world.pass(1);
        assert.strictEqual(server.targets.length - before, count + 1);
        assert.strictEqual((yield* world.get(id)).outage?.attempts, count + 1);
      }
      server.onConnect = Effect.void;
      yield* world.pass("300 seconds");
      assert.deepInclude(yield* world.get(id), { status: "enabled", outage: null });
      assert.strictEqual(server.connections, 1);
      const [failed, recovered] = (yield* world.events).slice(-2);
      assert.deepInclude(failed, {
        kind: "mcp.failed",
        data: {
          name: "test-tool",
          reason: "Refused.",
          since: "1970-01-01T00:00:00.000Z",
          retryAt: "1970-01-01T00:00:37.500Z",
        },
      });
      assert.deepInclude(recovered, {
        kind: "mcp.recovered",
        subjectId: id,
        actor: { type: "System", id: "quartermaster" },
        data: { name: "test-tool", since: "1970-01-01T00:00:00.000Z", attempts: 7 },
      });
      yield* call;
      assert.strictEqual(server.targets.length - before, 7);
    }),
  );

  check(
    "[mcp.outage.hour] a server that comes and goes for an hour is tried at the same times in each outage, and ends enabled",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      const before = server.targets.length;
      for (let cycle = 1; cycle <= 6; cycle++) {
        yield* fall(server);
        yield* world.pass("210 seconds");
        assert.strictEqual(yield* world.statusOf(id), "error");
        assert.strictEqual(yield* reasonOf(call), "failing");
        server.onConnect = Effect.void;
        yield* world.pass("240 seconds");
        assert.strictEqual(yield* world.statusOf(id), "enabled");
        yield* call;
        // The service makes four attempts before the status is `error`, and four afterward.
        assert.strictEqual(server.targets.length - before, 8 * cycle);
        yield* world.pass("142500 millis");
        assert.strictEqual(yield* world.statusOf(id), "enabled");
      }
      const changes = (yield* world.kinds).filter((kind) => /failed|recovered/.test(kind));
      assert.deepStrictEqual(
        changes,
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? "mcp.failed" : "mcp.recovered")),
      );
    }),
  );

  check(
    "[mcp.outage.crashes] a server that one agent's calls crash is out after five, and serves all again after 30 s",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      yield* world.grant(id, "second");
      const { onCall } = server;
      server.onCall = () => Effect.andThen(server.crash(), Effect.never);
      for (const millis of [500, 1_000, 2_000, 4_000]) {
        assert.strictEqual(yield* reasonOf(call), "crashed");
        yield* world.pass(millis);
      }
      assert.strictEqual(yield* reasonOf(call), "crashed");
      yield* world.idle;
      assert.strictEqual(yield* world.statusOf(id), "error");
      server.onCall = onCall;
      const second = world.call("test-tool__add", {}, { agentId: "second" });
      assert.strictEqual(yield* reasonOf(second), "failing");
      yield* world.pass("30 seconds");
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* second;
    }),
  );

  check(
    "[mcp.outage.calls] a remote server that five calls do not reach is out, and back once it lists its tools",
    Effect.gen(function* () {
      const server = yield* world.scripted("wiki.example");
      server.tools = [Fixtures.definition("add")];
      const { id } = yield* world.install("test-wiki", { WIKI_TOKEN: "token-of-the-wiki" });
      yield* world.verify(id);
      yield* world.enable(id);
      yield* world.grant(id);
      yield* world.idle;
      const call = world.call("test-wiki__add");
      yield* call;
      const { onCall } = server;
      server.onCall = () => down;
      for (let count = 1; count <= 5; count++) {
        assert.strictEqual(yield* world.statusOf(id), "enabled");
        assert.strictEqual(yield* reasonOf(call), "failing");
      }
      assert.strictEqual(yield* world.statusOf(id), "error");
      server.onCall = onCall;
      yield* world.pass("30 seconds");
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* call;
      assert.strictEqual(server.connections, 1);
    }),
  );

  checkWith(
    "[mcp.outage.nodes] nodes make each attempt once, and the first success on any node ends the outage",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const [first, second] = [yield* node(), yield* node()];
      const { id, server } = yield* first(running);
      yield* first(fall(server));
      const before = server.targets.length;
      for (const [count, seconds] of [30, 60].entries()) {
        yield* world.pass(seconds * 1_000);
        assert.strictEqual(server.targets.length - before, count + 1);
      }
      server.onConnect = Effect.void;
      yield* world.pass("120 seconds");
      assert.strictEqual(server.targets.length - before, 3);
      for (const on of [first, second]) {
        assert.strictEqual(yield* on(world.statusOf(id)), "enabled");
        yield* on(call);
      }
      const kinds = (yield* first(world.kinds)).filter((kind) => /failed|recovered/.test(kind));
      assert.deepStrictEqual(kinds, ["mcp.failed", "mcp.recovered"]);
    }),
  );

  checkWith(
    "[mcp.outage.restart] a node that starts tries servers that are out when they are due",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const { id, server } = yield* Effect.scoped(
        Effect.gen(function* () {
          const on = yield* node();
          const started = yield* on(running);
          yield* on(fall(started.server));
          yield* world.pass("30 seconds");
          return started;
        }),
      );
      const before = server.targets.length;
      yield* world.pass("20 seconds");
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* node();
          yield* world.pass(39_999);
          assert.strictEqual(server.targets.length, before);
          yield* world.pass(1);
          assert.strictEqual(server.targets.length, before + 1);
        }),
      );
      server.onConnect = Effect.void;
      yield* world.pass("10 minutes");
      assert.strictEqual(server.targets.length, before + 1);
      const on = yield* node();
      yield* world.idle;
      assert.strictEqual(server.targets.length, before + 2);
      assert.strictEqual(yield* on(world.statusOf(id)), "enabled");
    }),
  );

  check(
    "[mcp.outage.agent] with isolation agent, an agent's failures refuse only its calls, with the same delays",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["go"], "test-sessions");
      yield* world.grant(id, "second");
      const go = (agentId: string) => world.call("test-sessions__go", {}, { agentId });
      yield* go("second");
      // The process belongs to the agent, because it runs in the agent's folder.
      const broken = Effect.suspend(() => {
        const target = server.targets.at(-1);
        return target?.transport === "stdio" && target.folder.endsWith("bot") ? down : Effect.void;
      });
      server.onConnect = broken;
      for (const millis of [0, 500, 1_000, 2_000, 4_000]) {
        const calling = yield* Effect.forkChild(adviceOf(go("bot")));
        yield* world.pass(millis);
        assert.match(yield* Fiber.join(calling), /is not reachable since 1970-01-01T00:00:00Z/);
      }
      const before = server.targets.length;
      assert.strictEqual(
        yield* adviceOf(go("bot")),
        "The call was not sent; it is safe to repeat. Its server is not reachable since 1970-01-01T00:00:00Z (8 s); it is tried again at 1970-01-01T00:00:37Z (in 30 s).",
      );
      assert.strictEqual(server.targets.length, before);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* go("second");
      assert.notInclude(yield* world.kinds, "mcp.failed");

      for (const seconds of [30, 60]) {
        yield* world.pass(seconds * 1_000 - 1);
        assert.strictEqual(yield* reasonOf(go("bot")), "failing");
        const attempts = server.targets.length;
        yield* world.pass(1);
        assert.strictEqual(yield* reasonOf(go("bot")), "failing");
        assert.strictEqual(server.targets.length, attempts + 1);
      }
      server.onConnect = Effect.void;
      yield* world.pass("119 seconds");
      assert.strictEqual(yield* reasonOf(go("bot")), "failing");
      yield* world.pass("1 seconds");
      yield* go("bot");
    }),
  );

  check(
    "[mcp.outage.now] verify, enable and a change of a server that is out try it immediately",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      for (const again of [
        world.verify(id),
        world.enable(id),
        world.update(id, { envValues: { NOTES_PROJECT: "other" } }),
      ]) {
        yield* fall(server, [500, 1_000, 2_000, 4_000]);
        assert.strictEqual(yield* world.statusOf(id), "error");
        server.onConnect = Effect.void;
        yield* again;
        yield* world.idle;
        assert.deepInclude(yield* world.get(id), { status: "enabled", outage: null });
        yield* world.call("test-notes__add");
        yield* world.pass("1 minutes");
      }
    }),
  );

  check(
    "[mcp.outage.verify] a failed verify takes an enabled server out, which heals, and changes no outage",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      const before = server.targets.length;
      server.onConnect = down;
      yield* world.verify(id);
      const { outage, status } = yield* world.get(id);
      assert.strictEqual(status, "error");
      assert.strictEqual(outage?.retryAt, "1970-01-01T00:00:30.000Z");
      yield* world.pass("20 seconds");
      yield* world.verify(id);
      assert.deepStrictEqual((yield* world.get(id)).outage, outage);
      yield* world.pass("10 seconds");
      // The connection that stayed open has listed its tools.
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      assert.strictEqual(server.targets.length - before, 2);
      yield* call;

      yield* world.verify(id);
      server.onConnect = Effect.void;
      server.onList = down;
      yield* world.pass("30 seconds");
      // The connection failed to list its tools, and is closed.
      assert.strictEqual(yield* world.statusOf(id), "error");
      assert.strictEqual(server.connections, 0);
      server.onList = Effect.void;
      yield* world.pass("60 seconds");
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.outage.not] a server that was disabled before its error is not tried again",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      yield* world.disable(id);
      server.onConnect = down;
      yield* world.verify(id);
      server.onConnect = Effect.void;
      const before = server.targets.length;
      const { outage } = yield* world.get(id);
      assert.deepInclude(outage, { reason: "Refused.", retryAt: null });
      yield* world.pass("1 hours");
      assert.strictEqual(server.targets.length, before);
      assert.strictEqual(yield* world.statusOf(id), "error");
      assert.strictEqual(yield* reasonOf(call), "failing");
      assert.deepStrictEqual(yield* world.names(), []);
    }),
  );

  check(
    "[mcp.outage.disabled] a server that is disabled during an attempt stays disabled",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      yield* fall(server);
      server.onConnect = Effect.void;
      const lists = server.lists;
      server.onList = Effect.never;
      yield* world.pass("30 seconds");
      assert.strictEqual(server.lists, lists + 1);
      assert.strictEqual(server.connections, 1);
      yield* world.disable(id);
      assert.strictEqual(server.connections, 0);
      server.onList = Effect.void;
      const before = server.targets.length;
      yield* world.pass("1 hours");
      assert.deepInclude(yield* world.get(id), { status: "disabled", outage: null });
      assert.strictEqual(server.targets.length, before);
      assert.notInclude(yield* world.kinds, "mcp.recovered");
    }),
  );

  check(
    "[mcp.outage.bounded] a node tries at most three servers at the same time",
    Effect.gen(function* () {
      const server = yield* world.scripted("tool");
      server.onConnect = down;
      for (let n = 0; n < 5; n++) yield* world.enable((yield* world.install("test-tool")).id);
      yield* world.pass(7_500);
      assert.lengthOf(server.targets, 25);
      server.onConnect = Effect.never;
      yield* world.pass("30 seconds");
      assert.lengthOf(server.targets, 28);
      yield* world.pass("30 seconds");
      assert.lengthOf(server.targets, 30);
      yield* world.pass("30 seconds");
      const connections = yield* Connections.Connections;
      assert.strictEqual(yield* connections.count, 0);
    }),
  );

  check(
    "[mcp.outage.listed] the tools of a server that is out stay listed, and a call fails immediately with the times",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      const revision = yield* world.revision();
      yield* fall(server);
      assert.deepStrictEqual(yield* world.names(), ["test-tool__add"]);
      assert.strictEqual(yield* world.revision(), revision);
      yield* world.pass("12 seconds");
      const before = server.targets.length;
      const refused = yield* refusal(call);
      assert.deepInclude(refused, {
        _tag: "ToolUnavailable",
        reason: "failing",
        advice:
          "The call was not sent; it is safe to repeat. Its server is not reachable since 1970-01-01T00:00:00Z (20 s); it is tried again at 1970-01-01T00:00:37Z (in 18 s).",
        retry: { since: "1970-01-01T00:00:00.000Z", retryAt: "1970-01-01T00:00:37.500Z" },
      });
      assert.strictEqual(server.targets.length, before);
      yield* world.disable(id);
      assert.deepStrictEqual(yield* world.names(), []);
    }),
  );

  check(
    "[mcp.outage.sentence] a call that was not sent says since when its server is not reachable and when it is tried again",
    Effect.gen(function* () {
      const { server } = yield* running;
      server.onConnect = down;
      yield* server.crash();
      yield* world.pass("500 millis");
      const waiting = yield* Effect.forkChild(adviceOf(call));
      yield* world.pass("1 seconds");
      assert.strictEqual(
        yield* Fiber.join(waiting),
        "The call was not sent; it is safe to repeat. Its server is not reachable since 1970-01-01T00:00:00Z (2 s); it is tried again at 1970-01-01T00:00:03Z (in 2 s).",
      );
      server.onConnect = Effect.void;
      yield* world.pass("2 seconds");
      // A remote server that is briefly unreachable loses no connection.
      const { onCall } = server;
      server.onCall = () => down;
      yield* adviceOf(call);
      yield* world.pass("90 seconds");
      assert.match(
        yield* adviceOf(call),
        /Its server is not reachable since 1970-01-01T00:00:03Z \(90 s\); it is tried again with the next call\.$/,
      );
      server.onCall = onCall;
      yield* call;
      server.onCall = () => down;
      assert.match(yield* adviceOf(call), /since 1970-01-01T00:01:33Z \(0 s\)/);
    }),
  );

  check(
    "[mcp.outage.unlisted] a server that never listed its tools is out with the same words, and has its tools once it is back",
    Effect.gen(function* () {
      const server = yield* world.scripted("tool");
      const { id } = yield* world.install("test-tool");
      yield* world.grant(id);
      server.onConnect = down;
      yield* world.enable(id);
      yield* world.pass(7_500);
      assert.match(yield* adviceOf(call), /it is tried again at 1970-01-01T00:00:37Z/);
      server.onConnect = Effect.void;
      server.tools = [{ name: "add", inputSchema: { type: "object" } }];
      yield* world.pass("30 seconds");
      assert.deepStrictEqual(yield* world.names(), ["test-tool__add"]);
    }),
  );
});
