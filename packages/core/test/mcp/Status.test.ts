import { assert, describe } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Fixtures, ScriptedPackages } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Redacted } from "effect";
import {
  assertTag,
  check,
  disable,
  enable,
  events,
  get,
  install,
  kinds,
  notes,
  pass,
  running,
  scripted,
  secret,
  servers,
  settle,
  statusOf,
  uninstall,
  untilSync,
  update,
  verify,
} from "../support/McpWorld.ts";

const broken = (message = "The server exited with code 3.") =>
  Effect.fail(new McpConnector.ConnectorError({ reason: "exited", message, sent: true }));

describe("Status", () => {
  check(
    "[mcp.verify.ok] names the tools in the server's order, and the time",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      server.tools = ["z", "a", "m"].map((name) => Fixtures.definition(name));
      const { id } = yield* notes();
      const result = yield* verify(id);
      assert.strictEqual(result.status, "ok");
      assert.deepStrictEqual(result.capabilities, ["z", "a", "m"]);
      assert.match(result.details, /^Answered in \d+ ms with 3 tools\.$/);
      const { lastVerification, status } = yield* get(id);
      assert.deepStrictEqual(lastVerification, {
        ...result,
        verifiedAt: "1970-01-01T00:00:00.000Z",
      });
      assert.strictEqual(status, "disabled");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.fresh] starts a process of its own, once, though one is warm",
    Effect.gen(function* () {
      const { id, server } = yield* running();
      const before = server.targets.length;
      yield* verify(id);
      assert.strictEqual(server.targets.length, before + 1);
      assert.strictEqual(server.connections, 1);
      server.onConnect = broken();
      yield* verify(id);
      assert.strictEqual(server.targets.length, before + 2);
    }),
  );

  check(
    "[mcp.verify.error] says the reason, has no capabilities, and puts the server in error",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      server.onConnect = broken();
      const { id } = yield* notes();
      assert.deepStrictEqual(yield* verify(id), {
        status: "error",
        details: "The server exited with code 3.",
      });
      assert.strictEqual(yield* statusOf(id), "error");
      const last = (yield* events).at(-1);
      assert.strictEqual(last?.kind, "mcp.verified");
      assert.deepInclude(last?.data, {
        status: "error",
        details: "The server exited with code 3.",
      });
    }),
  );

  check(
    "[mcp.verify.back] one that succeeds after error returns the server to what it was",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      const { id } = yield* notes();
      for (const was of ["disabled", "enabled"] as const) {
        if (was === "enabled") yield* enable(id);
        server.onConnect = broken();
        yield* verify(id);
        yield* verify(id);
        assert.strictEqual(yield* statusOf(id), "error");
        server.onConnect = Effect.void;
        yield* verify(id);
        assert.strictEqual(yield* statusOf(id), was);
      }
    }),
  );

  check(
    "[mcp.verify.nested] a list of tools that is nested too deep is the server's error",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      server.tools = [Fixtures.definition("add", { inputSchema: Fixtures.nested(100_000) })];
      const { id } = yield* notes();
      assert.deepStrictEqual(yield* verify(id), {
        status: "error",
        details: "Its list of tools is nested more than 256 levels deep.",
      });
      server.tools = [Fixtures.definition("add", { inputSchema: Fixtures.nested(200) })];
      assert.strictEqual((yield* verify(id)).status, "ok");
    }),
  );

  check(
    "[mcp.verify.outdated] one that ends after a change is answered, not kept",
    Effect.gen(function* () {
      const { id, server } = yield* running();
      const gate = Deferred.makeUnsafe<void>();
      server.onList = Deferred.await(gate);
      const lists = server.lists;
      const verifying = yield* Effect.forkChild(verify(id, true));
      yield* untilSync(() => server.lists > lists);
      server.onList = Effect.void;
      yield* update(id, { envValues: { NOTES_KEY: "another-secret" } });
      server.tools = [Fixtures.definition("add", { description: "Adds more" })];
      yield* verify(id, true);
      const before = [yield* get(id), yield* servers((service) => service.tools(id)), yield* kinds];
      server.tools = [Fixtures.definition("add")];
      yield* Deferred.succeed(gate, undefined);
      assert.match((yield* Fiber.join(verifying)).details, /not stored: verify it again\.$/);
      const after = [yield* get(id), yield* servers((service) => service.tools(id)), yield* kinds];
      assert.deepStrictEqual(after, before);
    }),
  );

  check(
    "[mcp.verify.timeout] a server that does not answer is given 30 s, listing included",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      const { id } = yield* notes();
      server.onConnect = Effect.never;
      const silent = yield* Effect.forkChild(verify(id));
      yield* untilSync(() => server.targets.length === 1);
      yield* pass("29 seconds");
      assert.isUndefined(silent.pollUnsafe());
      yield* pass("1 seconds");
      assert.match((yield* Fiber.join(silent)).details, /^Timed out after 30 s/);

      server.onConnect = Effect.sleep("10 seconds");
      server.onList = Effect.never;
      const listing = yield* Effect.forkChild(verify(id));
      yield* untilSync(() => server.targets.length === 2);
      yield* pass("10 seconds");
      yield* pass("19 seconds");
      assert.isUndefined(listing.pollUnsafe());
      yield* pass("1 seconds");
      assert.match(
        (yield* Fiber.join(listing)).details,
        /^Timed out after 30 s: `initialize` was answered, `tools\/list` was not/,
      );
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.uninstalled] an uninstall ends it, and what it started",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      const { id } = yield* notes();
      server.onList = Effect.never;
      const verifying = yield* Effect.forkChild(Effect.flip(verify(id)));
      yield* untilSync(() => server.connections === 1);
      yield* uninstall(id);
      assert.strictEqual((yield* Fiber.join(verifying))._tag, "NotFound");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.prepares] the package is prepared first, with a time of its own",
    Effect.gen(function* () {
      const packages = yield* ScriptedPackages.ScriptedPackages;
      packages.onPrepare = () => Effect.sleep("4 minutes");
      const { id } = yield* notes();
      const verifying = yield* Effect.forkChild(verify(id));
      yield* untilSync(() => packages.prepared.length === 1);
      yield* settle;
      packages.onPrepare = () => Effect.void;
      yield* pass("4 minutes");
      assert.strictEqual((yield* Fiber.join(verifying)).status, "ok");
      assert.deepInclude(packages.prepared[0], { package: "@example/notes", version: "1.2.3" });
    }),
  );

  check(
    "[mcp.verify.target] a program gets its variables, arguments and folder; an address its values, encoded",
    Effect.gen(function* () {
      const program = yield* notes();
      yield* verify(program.id);
      const [target] = (yield* scripted("notes")).targets;
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

      const wiki = yield* install("test-wiki", { WIKI_TOKEN: secret, SPACE: "../a b/ü?" });
      yield* verify(wiki.id);
      const [remote] = (yield* scripted("wiki.example")).targets;
      if (remote === undefined || remote.transport === "stdio") {
        return yield* Effect.die("stdio");
      }
      assert.strictEqual(
        Redacted.value(remote.url),
        "https://wiki.example/spaces/..%2Fa%20b%2F%C3%BC%3F",
      );
      const { authorization } = remote.headers;
      assert.strictEqual(authorization && Redacted.value(authorization), `Bearer ${secret}`);

      const tool = yield* install("test-tool");
      yield* verify(tool.id);
      const [local] = (yield* scripted("tool")).targets;
      if (local?.transport !== "stdio") return yield* Effect.die("not stdio");
      const file = local.env["TOOL_FILE"];
      assert.strictEqual(file && Redacted.value(file), `${local.folder}/tool.json`);
    }),
  );

  check(
    "[mcp.status.idempotent] enable and disable are idempotent, each said once",
    Effect.gen(function* () {
      const { id } = yield* notes();
      yield* disable(id);
      yield* enable(id);
      yield* enable(id);
      assert.strictEqual(yield* statusOf(id), "enabled");
      yield* disable(id);
      yield* disable(id);
      assert.strictEqual(yield* statusOf(id), "disabled");
      const said = (yield* kinds).filter(
        (kind) => kind === "mcp.enabled" || kind === "mcp.disabled",
      );
      assert.deepStrictEqual(said, ["mcp.enabled", "mcp.disabled"]);
    }),
  );

  check(
    "[mcp.status.from-error] enable tries again, disable is the way back",
    Effect.gen(function* () {
      const server = yield* scripted("notes");
      const { id } = yield* notes();
      server.onConnect = broken();
      yield* verify(id);
      yield* disable(id);
      assert.strictEqual(yield* statusOf(id), "disabled");
      yield* verify(id);
      server.onConnect = Effect.void;
      yield* enable(id);
      assert.strictEqual(yield* statusOf(id), "enabled");
      yield* untilSync(() => server.connections === 1);
    }),
  );

  check(
    "[mcp.uninstall] takes connection, folder, package and name along",
    Effect.gen(function* () {
      const { id, server } = yield* running();
      const packages = yield* ScriptedPackages.ScriptedPackages;
      const other = yield* install("test-files", { ROOT: "/home/x" });
      assert.strictEqual(packages.folders.size, 1);
      yield* uninstall(id);
      yield* untilSync(() => server.connections === 0);
      assert.strictEqual(packages.folders.size, 0);
      assert.deepStrictEqual(packages.retained.at(-1), ["files@3.0"]);
      yield* assertTag(get(id), "NotFound");
      yield* assertTag(uninstall(id), "NotFound");
      assert.strictEqual((yield* notes()).name, "test-notes");
      assert.strictEqual((yield* get(other.id)).status, "disabled");
      assert.include(yield* kinds, "mcp.uninstalled");
    }),
  );
});
