import { assert, describe } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Fixtures, ScriptedPackages, TestCore } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Redacted } from "effect";
import { assertTag, check, secret, world, checkIn } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";

const broken = (message = "The server exited with code 3.") =>
  Effect.fail(new McpConnector.ConnectorError({ reason: "exited", message, sent: true }));

describe("Status", () => {
  check(
    "[mcp.verify.ok] A successful verify names the tools in order and the time",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = ["z", "a", "m"].map((name) => Fixtures.definition(name));
      const { id } = yield* world.notes();
      const result = yield* world.verify(id);
      assert.strictEqual(result.status, "ok");
      assert.deepStrictEqual(result.capabilities, ["z", "a", "m"]);
      assert.match(result.details, /^Responded in \d+ ms with 3 tools\.$/);
      const { lastVerification, status } = yield* world.get(id);
      assert.deepStrictEqual(lastVerification, {
        ...result,
        verifiedAt: "1970-01-01T00:00:00.000Z",
      });
      assert.strictEqual(status, "disabled");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.fresh] A verify starts a process of its own, once, even if one is warm",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const before = server.targets.length;
      yield* world.verify(id);
      assert.strictEqual(server.targets.length, before + 1);
      assert.strictEqual(server.connections, 1);
      server.onConnect = broken();
      yield* world.verify(id);
      assert.strictEqual(server.targets.length, before + 2);
    }),
  );

  check(
    "[mcp.verify.error] A failed verify has the reason, no capabilities, and sets error",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.onConnect = broken();
      const { id } = yield* world.notes();
      assert.deepStrictEqual(yield* world.verify(id), {
        status: "error",
        details: "The server exited with code 3.",
        tokens: null,
      });
      assert.strictEqual(yield* world.statusOf(id), "error");
      const last = (yield* world.events).at(-1);
      assert.strictEqual(last?.kind, "mcp.verified");
      assert.deepInclude(last?.data, {
        status: "error",
        details: "The server exited with code 3.",
      });
    }),
  );

  check(
    "[mcp.verify.back] A verify that succeeds after error restores the former status",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const { id } = yield* world.notes();
      for (const was of ["disabled", "enabled"] as const) {
        if (was === "enabled") yield* world.enable(id);
        server.onConnect = broken();
        yield* world.verify(id);
        yield* world.verify(id);
        assert.strictEqual(yield* world.statusOf(id), "error");
        server.onConnect = Effect.void;
        yield* world.verify(id);
        assert.strictEqual(yield* world.statusOf(id), was);
      }
    }),
  );

  check(
    "[mcp.verify.nested] a definition nested too deep is invalid",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = [Fixtures.definition("add", { inputSchema: Fixtures.nested(100_000) })];
      const { id } = yield* world.notes();
      const { details, status } = yield* world.verify(id);
      assert.strictEqual(status, "ok");
      assert.include(details, "add (It is nested more than 256 levels deep).");
      server.tools = [Fixtures.definition("add", { inputSchema: Fixtures.nested(200) })];
      assert.strictEqual((yield* world.verify(id)).status, "ok");
    }),
  );

  check(
    "[mcp.verify.outdated] A verify that a change overtakes is returned and not saved",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const gate = Deferred.makeUnsafe<void>();
      server.onList = Deferred.await(gate);
      const lists = server.lists;
      const verifying = yield* Effect.forkChild(world.verify(id, true));
      yield* world.idle;
      assert.isAbove(server.lists, lists);
      server.onList = Effect.void;
      yield* world.update(id, { envValues: { NOTES_KEY: "another-secret" } });
      server.tools = [Fixtures.definition("add", { description: "Adds more" })];
      yield* world.verify(id, true);
      const before = [
        yield* world.get(id),
        yield* world.servers((service) => service.tools(id)),
        yield* world.kinds,
      ];
      server.tools = [Fixtures.definition("add")];
      yield* Deferred.succeed(gate, undefined);
      assert.match((yield* Fiber.join(verifying)).details, /not stored\. Verify it again\.$/);
      const after = [
        yield* world.get(id),
        yield* world.servers((service) => service.tools(id)),
        yield* world.kinds,
      ];
      assert.deepStrictEqual(after, before);
    }),
  );

  check(
    "[mcp.verify.timeout] A server has 30 s to respond, tools/list included",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const { id } = yield* world.notes();
      server.onConnect = Effect.never;
      const silent = yield* Effect.forkChild(world.verify(id));
      yield* world.idle;
      assert.strictEqual(server.targets.length, 1);
      yield* world.pass("29 seconds");
      assert.isUndefined(silent.pollUnsafe());
      yield* world.pass("1 seconds");
      assert.match((yield* Fiber.join(silent)).details, /^Timed out after 30 s/);

      server.onConnect = Effect.sleep("10 seconds");
      server.onList = Effect.never;
      const listing = yield* Effect.forkChild(world.verify(id));
      yield* world.idle;
      assert.strictEqual(server.targets.length, 2);
      yield* world.pass("10 seconds");
      yield* world.pass("19 seconds");
      assert.isUndefined(listing.pollUnsafe());
      yield* world.pass("1 seconds");
      assert.match(
        (yield* Fiber.join(listing)).details,
        /^Timed out after 30 s: the server responded to `initialize` but not to `tools\/list`/,
      );
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.uninstalled] an uninstall ends a verify and everything it started",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const { id } = yield* world.notes();
      server.onList = Effect.never;
      const verifying = yield* Effect.forkChild(Effect.flip(world.verify(id)));
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      yield* world.uninstall(id);
      assert.strictEqual((yield* Fiber.join(verifying))._tag, "NotFound");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.uninstalled-waits] an uninstall returns after the processes of pending verifies have exited",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const { id } = yield* world.notes();
      const { folders } = yield* ScriptedPackages.ScriptedPackages;
      server.onList = Effect.never;
      server.onClose = Effect.sleep("5 seconds");
      const verifying = yield* Effect.forkChild(Effect.flip(world.verify(id)));
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      const uninstalling = yield* Effect.forkChild(world.uninstall(id));
      yield* world.pass(4_999);
      assert.isUndefined(uninstalling.pollUnsafe());
      assert.strictEqual(folders.size, 1);
      yield* world.pass(1);
      yield* Fiber.join(uninstalling);
      assert.deepStrictEqual([server.connections, folders.size], [0, 0]);
      assert.strictEqual((yield* Fiber.join(verifying))._tag, "NotFound");
    }),
  );

  checkIn(
    TestCore.layerMcpWith({
      storage: TestStorage.storage,
      catalog: TestCore.catalog([
        Fixtures.entry({
          id: "test-exposed",
          runtime: "none",
          manifest: {
            package: null,
            version: null,
            integrity: null,
            lockedAt: null,
            command: "exposed",
            args: ["--key", "${KEY}", "${REGION}"],
            env: {},
            isolation: "shared",
            state: false,
            sandbox: null,
          },
          envVars: [
            { name: "KEY", description: "", required: true, secret: true, default: null },
            { name: "REGION", description: "", required: false, secret: false, default: "eu" },
          ],
        }),
      ]),
    }),
    "[mcp.verify.arguments] A verify warns of secrets that the entry passes as arguments",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-exposed", { KEY: secret });
      const { details, status } = yield* world.verify(id);
      assert.strictEqual(status, "ok");
      assert.match(details, /^Responded in \d+ ms with 0 tools\. Every user .* can read KEY in /);
    }),
  );

  check(
    "[mcp.verify.prepares] A verify prepares the package first, under its own limit",
    Effect.gen(function* () {
      const packages = yield* ScriptedPackages.ScriptedPackages;
      packages.onPrepare = () => Effect.sleep("4 minutes");
      const { id } = yield* world.notes();
      const verifying = yield* Effect.forkChild(world.verify(id));
      yield* world.idle;
      assert.strictEqual(packages.prepared.length, 1);
      yield* world.idle;
      packages.onPrepare = () => Effect.void;
      yield* world.pass("4 minutes");
      assert.strictEqual((yield* Fiber.join(verifying)).status, "ok");
      assert.deepInclude(packages.prepared[0], { package: "@example/notes", version: "1.2.3" });
    }),
  );

  check(
    "[mcp.verify.target] A program gets its variables, arguments and folder; a URL gets its values encoded",
    Effect.gen(function* () {
      const program = yield* world.notes();
      yield* world.verify(program.id);
      const [target] = (yield* world.scripted("notes")).targets;
      if (target?.transport !== "stdio") return yield* Effect.die("not stdio");
      assert.deepStrictEqual(target.args.map(Redacted.value), ["--project", "main"]);
      assert.deepStrictEqual(
        Object.entries(target.env).map(([name, value]) => [name, Redacted.value(value)]),
        [
          ["NOTES_PROJECT", "main"],
          ["NOTES_KEY", secret],
        ],
      );
      assert.include(target.folder, program.id);

      const wiki = yield* world.install("test-wiki", { WIKI_TOKEN: secret, SPACE: "../a b/ü?" });
      yield* world.verify(wiki.id);
      const [remote] = (yield* world.scripted("wiki.example")).targets;
      if (remote === undefined || remote.transport === "stdio") {
        return yield* Effect.die("stdio");
      }
      assert.strictEqual(
        Redacted.value(remote.url),
        "https://wiki.example/spaces/..%2Fa%20b%2F%C3%BC%3F",
      );
      const { authorization } = remote.headers;
      assert.strictEqual(authorization && Redacted.value(authorization), `Bearer ${secret}`);

      const tool = yield* world.install("test-tool");
      yield* world.verify(tool.id);
      const [local] = (yield* world.scripted("tool")).targets;
      if (local?.transport !== "stdio") return yield* Effect.die("not stdio");
      const file = local.env["TOOL_FILE"];
      assert.strictEqual(file && Redacted.value(file), `${local.folder}/tool.json`);
    }),
  );

  check(
    "[mcp.status.idempotent] enable and disable are idempotent and emit one event per change",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      yield* world.disable(id);
      yield* world.enable(id);
      yield* world.enable(id);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* world.disable(id);
      yield* world.disable(id);
      assert.strictEqual(yield* world.statusOf(id), "disabled");
      const said = (yield* world.kinds).filter(
        (kind) => kind === "mcp.enabled" || kind === "mcp.disabled",
      );
      assert.deepStrictEqual(said, ["mcp.enabled", "mcp.disabled"]);
    }),
  );

  check(
    "[mcp.status.from-error] enable from error tries again, and disable leads to disabled",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const { id } = yield* world.notes();
      server.onConnect = broken();
      yield* world.verify(id);
      yield* world.disable(id);
      assert.strictEqual(yield* world.statusOf(id), "disabled");
      yield* world.verify(id);
      server.onConnect = Effect.void;
      yield* world.enable(id);
      assert.strictEqual(yield* world.statusOf(id), "enabled");
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
    }),
  );

  check(
    "[mcp.uninstall] an uninstall removes connection, folder and package and frees the name",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const packages = yield* ScriptedPackages.ScriptedPackages;
      const other = yield* world.install("test-files", { ROOT: "/home/x" });
      assert.strictEqual(packages.folders.size, 1);
      yield* world.uninstall(id);
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
      assert.strictEqual(packages.folders.size, 0);
      assert.deepStrictEqual(packages.retained.at(-1), ["files@3.0"]);
      yield* assertTag(world.get(id), "NotFound");
      yield* assertTag(world.uninstall(id), "NotFound");
      assert.strictEqual((yield* world.notes()).name, "test-notes");
      assert.strictEqual((yield* world.get(other.id)).status, "disabled");
      assert.include(yield* world.kinds, "mcp.uninstalled");
    }),
  );
});
