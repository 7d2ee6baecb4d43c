import { assert, describe } from "@effect/vitest";
import { Connections, McpConnector } from "@quartermaster/core";
import { Fixtures, ScriptedPackages } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { check, reasonOf, world } from "../support/McpWorld.ts";

const failing = Effect.fail(
  new McpConnector.ConnectorError({ reason: "exited", message: "It exited.", sent: true }),
);

describe("Connections", () => {
  check(
    "[mcp.connect.background] enable opens the connection in the background",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.onConnect = Effect.never;
      const { id } = yield* world.notes();
      yield* world.enable(id);
      yield* world.idle;
      assert.strictEqual(server.targets.length, 1);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
    }),
  );

  check(
    "[mcp.connect.demand] A call opens the connection, also of a server whose tools are unknown",
    Effect.gen(function* () {
      const { server } = yield* world.running();
      yield* world.pass("301 seconds");
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
      yield* world.call("test-notes__add");
      assert.strictEqual(server.connections, 1);

      const tool = yield* world.scripted("tool");
      tool.onConnect = failing;
      tool.tools = [Fixtures.definition("turn")];
      const { id } = yield* world.install("test-tool");
      yield* world.grant(id);
      yield* world.enable(id);
      yield* world.idle;
      assert.strictEqual(tool.targets.length, 1);
      tool.onConnect = Effect.void;
      const calling = yield* Effect.forkChild(world.call("test-tool__turn"));
      yield* world.pass("1 seconds");
      assert.deepInclude(yield* Fiber.join(calling), { content: [{ type: "text", text: "ok" }] });
      assert.strictEqual(yield* reasonOf(world.call("test-tool__other")), "unknownTool");
    }),
  );

  check(
    "[mcp.connect.demand-granted] an agent without a grant opens no connection",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      yield* world.register("eve");
      const server = yield* world.scripted("notes");
      server.onConnect = failing;
      yield* world.enable(id);
      yield* world.idle;
      assert.strictEqual(server.targets.length, 1);
      assert.strictEqual(
        yield* reasonOf(world.call("test-notes__add", {}, { agentId: "eve" })),
        "unknownTool",
      );
      assert.lengthOf(server.targets, 1);
    }),
  );

  check(
    "[mcp.connect.shared] one warm connection serves all agents and calls",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const before = server.targets.length;
      yield* world.grant(id, "second");
      yield* Effect.all(
        ["bot", "second", "bot", "second"].map((agentId) =>
          world.call("test-notes__add", {}, { agentId }),
        ),
        { concurrency: "unbounded" },
      );
      assert.lengthOf(server.calls, 4);
      assert.strictEqual(server.targets.length, before);
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.connect.once] concurrent callers open one connection",
    Effect.gen(function* () {
      const { server } = yield* world.running();
      yield* world.pass("301 seconds");
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
      const before = server.targets.length;
      yield* Effect.all(
        Array.from({ length: 5 }, () => world.call("test-notes__add")),
        { concurrency: "unbounded" },
      );
      assert.strictEqual(server.targets.length, before + 1);
    }),
  );

  check(
    "[mcp.connect.isolation] with isolation agent, each agent has a connection and a folder of its own",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["go"], "test-sessions");
      yield* world.grant(id, "second");
      const before = server.targets.length;
      yield* world.call("test-sessions__go");
      yield* world.call("test-sessions__go");
      yield* world.call("test-sessions__go", {}, { agentId: "second" });
      const opened = server.targets.slice(before);
      assert.lengthOf(opened, 2);
      assert.strictEqual(server.connections, 2);
      const folders = opened.map((target) => target.transport === "stdio" && target.folder);
      assert.strictEqual(new Set(folders).size, 2);
    }),
  );

  check(
    "[mcp.connect.isolation-first] the service reads the tools of a server with isolation agent when it is enabled",
    Effect.gen(function* () {
      const server = yield* world.scripted("sessions");
      server.tools = [Fixtures.definition("go")];
      const { id } = yield* world.install("test-sessions");
      yield* world.grant(id);
      yield* world.enable(id);
      yield* world.idle;
      assert.isTrue(yield* Effect.map(world.names(), (list) => list.length === 1));
    }),
  );

  check(
    "[mcp.connect.idle] an unused connection closes after 5 minutes",
    Effect.gen(function* () {
      const { server } = yield* world.running();
      const connections = yield* Connections.Connections;
      yield* world.pass("4 minutes");
      yield* world.call("test-notes__add");
      yield* world.pass("4 minutes");
      assert.strictEqual(yield* connections.count, 1);
      yield* world.pass("61 seconds");
      yield* world.idle;
      assert.isTrue(yield* Effect.map(connections.count, (count) => count === 0));
      assert.strictEqual(server.connections, 0);
      yield* world.pass("10 minutes");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.idle.server] an unused connection closes after idleSeconds of its server, and never with 0",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* world.update(id, { idleSeconds: 10 });
      yield* world.call("test-notes__add");
      yield* world.pass("9 seconds");
      assert.strictEqual(server.connections, 1);
      yield* world.pass("2 seconds");
      assert.strictEqual(server.connections, 0);
      yield* world.update(id, { idleSeconds: 0 });
      yield* world.call("test-notes__add");
      yield* world.pass("20 minutes");
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.connect.restart] A crashed server restarts after 0.5 s, then after twice the delay",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const before = server.targets.length;
      const started = () => server.targets.length - before;
      server.onConnect = failing;
      yield* server.crash();
      for (const [count, millis] of [500, 1_000, 2_000].entries()) {
        yield* world.pass(millis - 1);
        assert.strictEqual(started(), count);
        yield* world.pass(1);
        yield* world.idle;
        assert.strictEqual(started(), count + 1);
      }
      server.onConnect = Effect.void;
      yield* world.pass(4_000);
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* world.call("test-notes__add");
    }),
  );

  check(
    "[mcp.connect.given-up] five failures within a minute put the server in error, and a verify restores it",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const before = server.targets.length;
      server.onConnect = failing;
      yield* server.crash("The server exited with code 9.");
      for (const [count, millis] of [500, 1_000, 2_000].entries()) {
        yield* world.pass(millis);
        yield* world.idle;
        assert.strictEqual(server.targets.length - before, count + 1);
      }
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* world.pass(4_000);
      yield* world.idle;
      assert.isTrue(yield* Effect.map(world.statusOf(id), (status) => status === "error"));
      assert.strictEqual(server.targets.length - before, 4);
      yield* world.pass("29 seconds");
      assert.strictEqual(server.targets.length - before, 4);
      const last = (yield* world.events).at(-1);
      assert.deepInclude(last, {
        kind: "mcp.failed",
        subjectId: id,
        actor: { type: "System", id: "quartermaster" },
        data: {
          name: "test-notes",
          reason: "It exited.",
          since: "1970-01-01T00:00:00.000Z",
          retryAt: "1970-01-01T00:00:37.500Z",
        },
      });
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "failing");
      server.onConnect = Effect.void;
      yield* world.verify(id);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* world.call("test-notes__add");
    }),
  );

  check(
    "[mcp.connect.given-up-slow] A server that hangs at its start five times in a row is given up",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.onConnect = Effect.never;
      const { id } = yield* world.notes();
      yield* world.enable(id);
      for (const [count, millis] of [0, 500, 1_000, 2_000, 4_000].entries()) {
        yield* world.pass(millis);
        yield* world.idle;
        assert.strictEqual(server.targets.length, count + 1);
        assert.strictEqual(yield* world.statusOf(id), "enabled");
        yield* world.pass("30 seconds");
      }
      yield* world.idle;
      assert.isTrue(yield* Effect.map(world.statusOf(id), (status) => status === "error"));
      yield* world.pass("29 seconds");
      assert.lengthOf(server.targets, 5);
    }),
  );

  check(
    "[mcp.connect.given-up-not] failures that are far apart do not put the server in error",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      for (let times = 0; times < 8; times++) {
        yield* server.crash();
        yield* world.pass("15 seconds");
        yield* world.idle;
        assert.strictEqual(server.connections, 1);
        yield* world.idle;
      }
      assert.strictEqual(yield* world.statusOf(id), "enabled");
    }),
  );

  check(
    "[mcp.connect.unlisted] A connection whose tools cannot be read again is replaced",
    Effect.gen(function* () {
      const { server } = yield* world.running();
      const before = server.targets.length;
      server.onList = Effect.fail(
        new McpConnector.ConnectorError({ reason: "listFailed", message: "No.", sent: true }),
      );
      yield* server.announce;
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
      server.onList = Effect.void;
      yield* world.pass(500);
      yield* world.idle;
      assert.strictEqual(server.targets.length, before + 1);
      yield* world.call("test-notes__add");
    }),
  );

  check(
    "[mcp.connect.hanging-list] A tool list that never arrives does not block calls forever",
    Effect.gen(function* () {
      const { server } = yield* world.running();
      const lists = server.lists;
      server.onList = Effect.never;
      yield* server.announce;
      yield* world.idle;
      assert.isAbove(server.lists, lists);
      const calling = yield* Effect.forkChild(Effect.flip(world.call("test-notes__add")));
      // The call may not start waiting for the list until the first of these steps.
      yield* Effect.repeat(world.pass("30 seconds"), {
        while: () => calling.pollUnsafe() === undefined,
        times: 20,
      });
      const refused = yield* Fiber.join(calling);
      assert.strictEqual(refused._tag, "ToolUnavailable");
    }),
  );

  check(
    "[mcp.drop.closed] disable and uninstall wait until all connections are closed, all at the same time",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["go"], "test-sessions");
      const { folders } = yield* ScriptedPackages.ScriptedPackages;
      yield* world.pass("301 seconds");
      server.onClose = Effect.sleep("5 seconds");
      for (const [round, end] of (["disable", "uninstall"] as const).entries()) {
        yield* world.enable(id);
        for (const agentId of ["idle", "other", "busy"]) {
          yield* world.grant(id, agentId);
          if (agentId === "busy") server.onCall = () => Effect.never;
          yield* Effect.forkChild(Effect.exit(world.call("test-sessions__go", {}, { agentId })));
          yield* world.idle;
          assert.strictEqual(server.calls.length % 3, server.connections % 3);
        }
        assert.deepStrictEqual([server.calls.length, server.connections], [3 * (round + 1), 3]);
        const ending = yield* Effect.forkChild(world[end](id));
        yield* world.pass(4_999);
        assert.isUndefined(ending.pollUnsafe());
        assert.strictEqual(server.connections, 3);
        assert.isAbove(folders.size, 0);
        yield* world.pass(1);
        yield* Fiber.join(ending);
        assert.strictEqual(server.connections, 0);
        server.onCall = () => Effect.succeed({ content: [] });
      }
      assert.strictEqual(folders.size, 0);
    }),
  );

  check(
    "[mcp.drop.opening] disable ends a connection that is opening and fails its waiters",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* world.pass("301 seconds");
      server.onList = Effect.never;
      const lists = server.lists;
      const calling = yield* Effect.forkChild(reasonOf(world.call("test-notes__add")));
      yield* world.idle;
      assert.isAbove(server.lists, lists);
      yield* world.disable(id);
      assert.strictEqual(server.connections, 0);
      assert.strictEqual(yield* Fiber.join(calling), "notEnabled");
    }),
  );

  check(
    "[mcp.drop.enable] enable after an error closes the connections opened before",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      server.onConnect = failing;
      yield* world.verify(id);
      server.onConnect = Effect.void;
      const before = server.targets.length;
      yield* world.enable(id);
      yield* world.idle;
      assert.isAbove(server.targets.length, before);
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
    }),
  );
});
