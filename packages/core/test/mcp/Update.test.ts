import { assert, describe } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Fixtures, ScriptedPackages, TestCatalog, TestCore } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Redacted } from "effect";
import { assertTag, check, refusal, secret, world, checkWith } from "../support/McpWorld.ts";

/** The values that the service passed to the server's last connection. */
const given = Effect.fnUntraced(function* (address = "notes") {
  const target = (yield* world.scripted(address)).targets.at(-1);
  if (target?.transport !== "stdio") return yield* Effect.die("not stdio");
  return Object.fromEntries(
    Object.entries(target.env).map(([name, value]) => [name, Redacted.value(value)]),
  );
});

const newer = TestCatalog.entries.map((entry) =>
  entry.id === "test-notes"
    ? {
        ...entry,
        manifest: { ...entry.manifest, version: "2.0.0", command: "notes2" },
        envVars: [
          ...entry.envVars,
          { name: "REGION", description: "", required: true, secret: false, default: null },
        ],
      }
    : entry,
);

/** Two releases of the service on the same storage and servers. */
const releases = Effect.gen(function* () {
  const node = yield* world.nodes;
  const before = yield* node();
  const after = yield* node({ catalog: TestCore.catalog(newer) });
  return { before, after };
});

describe("Updating", () => {
  check(
    "[mcp.update.values] values merge, null removes an optional one, and the next use has them",
    Effect.gen(function* () {
      const { id } = yield* world.running();
      yield* world.update(id, { envValues: { NOTES_PROJECT: "other" } });
      yield* world.call("test-notes__add");
      assert.deepStrictEqual(yield* given(), { NOTES_KEY: secret, NOTES_PROJECT: "other" });
      const updated = yield* world.update(id, {
        envValues: { NOTES_PROJECT: null, NOTES_KEY: "k2" },
      });
      assert.deepStrictEqual(updated.env, [
        { name: "NOTES_KEY", isSet: true },
        { name: "NOTES_PROJECT", isSet: false },
      ]);
      yield* world.call("test-notes__add");
      assert.deepStrictEqual(yield* given(), { NOTES_KEY: "k2", NOTES_PROJECT: "main" });
    }),
  );

  check(
    "[mcp.update.limits] a changed maxResultBytes closes no connection, a changed idleSeconds does",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const updates = Effect.map(world.events, (events) =>
        events.filter(({ kind }) => kind === "mcp.updated").map(({ data }) => data),
      );
      yield* world.update(id, { maxResultBytes: 1_000 });
      assert.strictEqual(server.connections, 1);
      yield* world.update(id, { maxResultBytes: 1_000, idleSeconds: 300 });
      assert.lengthOf(yield* updates, 1);
      yield* world.update(id, { idleSeconds: 60 });
      assert.strictEqual(server.connections, 0);
      const [first, second] = yield* updates;
      assert.deepInclude(first, { maxResultBytes: 1_000, idleSeconds: 300, variables: [] });
      assert.deepInclude(second, { maxResultBytes: 1_000, idleSeconds: 60 });
    }),
  );

  check(
    "[mcp.update.same] an update that changes nothing closes nothing and emits no event",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      const before = yield* world.get(id);
      const told = yield* world.kinds;
      for (const input of [
        {},
        { name: before.name },
        { envValues: {} },
        { version: "catalog" },
      ] as const) {
        assert.deepStrictEqual(yield* world.update(id, input), before);
      }
      assert.deepStrictEqual(yield* world.kinds, told);
      yield* world.call("test-notes__add");
      // One connection for the verify, one for all calls.
      assert.lengthOf(server.targets, 2);
    }),
  );

  check(
    "[mcp.update.refused] A refused update changes nothing",
    Effect.gen(function* () {
      const first = yield* world.notes();
      yield* world.notes("second");
      const before = yield* world.get(first.id);
      const envValues = { NOTES_KEY: "changed-value" };
      for (const [input, tag] of [
        [{ envValues: { NOTES_KEY: null } }, "MissingEnv"],
        [{ envValues: { NOTES_KEY: "" } }, "MissingEnv"],
        [{ envValues: { ...envValues, OTHER: "x" } }, "UnknownEnv"],
        [{ envValues, name: "second" }, "NameTaken"],
        [{ envValues, name: "No" }, "InvalidRequest"],
        [{ envValues, version: "2" as "catalog" }, "InvalidRequest"],
      ] as const) {
        yield* assertTag(world.update(first.id, input), tag);
      }
      assert.deepStrictEqual(yield* world.get(first.id), before);
      yield* world.verify(first.id);
      assert.strictEqual((yield* given())["NOTES_KEY"], secret);
      yield* world.update(first.id, { name: "test-notes" });
    }),
  );

  checkWith(
    "[mcp.update.version] the version moves if the newer one verifies; otherwise nothing changes",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id, server } = yield* before(world.running());
      const second = yield* after(world.scripted("notes2"));
      const old = yield* after(world.get(id));
      assert.deepInclude(old, { version: "1.2.3", updateAvailable: true });
      yield* after(assertTag(world.update(id, { version: "catalog" }), "MissingEnv"));

      const move = { version: "catalog", envValues: { REGION: "eu" } } as const;
      second.onConnect = Effect.fail(
        new McpConnector.ConnectorError({
          reason: "exited",
          message: `No ${secret}`,
          sent: true,
        }),
      );
      const refused = yield* after(refusal(world.update(id, move)));
      assert.deepInclude(refused, { _tag: "VerificationFailed" });
      assert.deepInclude(refused, {
        verification: { status: "error", details: "No [secret NOTES_KEY]", tokens: null },
      });
      assert.deepStrictEqual(yield* after(world.get(id)), old);
      assert.strictEqual(server.connections, 1);

      second.onConnect = Effect.void;
      second.tools = [Fixtures.definition("add"), Fixtures.definition("more")];
      const moved = yield* after(world.update(id, move));
      assert.deepInclude(moved, {
        version: "2.0.0",
        updateAvailable: false,
        status: "enabled",
        toolsChanged: true,
      });
      assert.deepInclude(moved.lastVerification, { status: "ok", capabilities: ["add", "more"] });
      assert.deepStrictEqual(yield* after(world.states(id)), ["add: accepted", "more: new"]);
      assert.deepStrictEqual(yield* after(given("notes2")), {
        NOTES_KEY: secret,
        NOTES_PROJECT: "main",
        REGION: "eu",
      });
      yield* after(world.call("test-notes__add"));
      assert.lengthOf(second.calls, 1);
      const { retained } = yield* after(ScriptedPackages.ScriptedPackages);
      assert.deepStrictEqual(retained.at(-1), ["@example/notes@2.0.0"]);
    }),
  );

  checkWith(
    "[mcp.update.version-package] the package of a move is retained while it is verified",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id } = yield* before(world.running());
      const other = yield* before(world.notes("other"));
      const second = yield* after(world.scripted("notes2"));
      second.onConnect = Effect.sleep("5 seconds");
      const { retained } = yield* after(ScriptedPackages.ScriptedPackages);
      const values = { version: "catalog", envValues: { REGION: "eu" } } as const;
      const moving = yield* Effect.forkChild(after(world.update(id, values)));
      yield* world.idle;
      assert.strictEqual(second.targets.length, 1);
      yield* after(world.uninstall(other.id));
      assert.isNotEmpty(retained);
      for (const names of retained) {
        assert.deepStrictEqual(names, ["@example/notes@1.2.3", "@example/notes@2.0.0"]);
      }
      yield* world.pass("5 seconds");
      yield* Fiber.join(moving);
      assert.deepStrictEqual(retained.at(-1), ["@example/notes@2.0.0"]);
    }),
  );

  checkWith(
    "[mcp.update.version-concurrent] A move preserves another update made in the meantime",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id } = yield* before(world.running());
      const second = yield* after(world.scripted("notes2"));
      second.onConnect = Effect.sleep("5 seconds");
      const moving = yield* Effect.forkChild(
        after(world.update(id, { version: "catalog", envValues: { REGION: "eu" } })),
      );
      yield* world.idle;
      assert.strictEqual(second.targets.length, 1);
      yield* after(world.update(id, { name: "renamed" }));
      yield* world.pass("5 seconds");
      const moved = yield* Fiber.join(moving);
      assert.deepInclude(moved, { name: "renamed", version: "2.0.0" });
      yield* before(world.update(id, { name: "again" }));
      assert.strictEqual((yield* after(world.get(id))).version, "2.0.0");
    }),
  );

  checkWith(
    "[mcp.update.version-uninstalled] an uninstall ends a move to a newer version",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id } = yield* before(world.running());
      const second = yield* after(world.scripted("notes2"));
      second.onList = Effect.never;
      const moving = yield* Effect.forkChild(
        Effect.flip(after(world.update(id, { version: "catalog", envValues: { REGION: "eu" } }))),
      );
      yield* world.idle;
      assert.strictEqual(second.connections, 1);
      yield* after(world.uninstall(id));
      assert.strictEqual((yield* Fiber.join(moving))._tag, "NotFound");
      assert.strictEqual(second.connections, 0);
    }),
  );

  checkWith(
    "[mcp.nodes.drop] A change on one node closes the connections of the others",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id, server } = yield* before(world.running());
      yield* after(world.call("test-notes__add"));
      assert.strictEqual(server.connections, 2);
      yield* before(world.update(id, { envValues: { NOTES_PROJECT: "p" } }));
      yield* world.pass("1 seconds");
      yield* world.idle;
      assert.strictEqual(server.connections, 0);

      server.onCall = () => Effect.never;
      const calls = server.calls.length;
      const calling = yield* Effect.forkChild(Effect.flip(after(world.call("test-notes__add"))));
      yield* world.idle;
      assert.isAbove(server.calls.length, calls);
      yield* before(world.disable(id));
      yield* world.pass("1 seconds");
      assert.deepInclude(yield* Fiber.join(calling), { reason: "notEnabled" });

      yield* before(world.enable(id));
      const more = yield* Effect.forkChild(Effect.flip(after(world.call("test-notes__add"))));
      yield* world.idle;
      assert.isAbove(server.calls.length, calls + 1);
      yield* before(world.grant(id, "bot", []));
      yield* world.pass("1 seconds");
      assert.deepInclude(yield* Fiber.join(more), { reason: "notGranted" });

      yield* before(world.uninstall(id));
      yield* world.pass("1 seconds");
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
    }),
  );

  checkWith(
    "[mcp.nodes.drop-enabled] enable after an error closes the connections of other nodes",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const { id, server } = yield* before(world.running());
      yield* after(world.call("test-notes__add"));
      server.onConnect = Effect.fail(
        new McpConnector.ConnectorError({ reason: "exited", message: "It exited.", sent: true }),
      );
      yield* before(world.verify(id));
      assert.strictEqual(server.connections, 2);
      server.onConnect = Effect.void;
      yield* before(world.enable(id));
      yield* world.pass("1 seconds");
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      yield* after(world.call("test-notes__add"));
      assert.strictEqual(server.connections, 2);
    }),
  );

  checkWith(
    "[mcp.nodes.drop-each] A server that is slow to stop delays no other server",
    Effect.gen(function* () {
      const { after, before } = yield* releases;
      const [slow, quick] = [
        yield* before(world.running()),
        yield* before(world.running(["go"], "test-tool")),
      ];
      yield* after(world.call("test-notes__add"));
      yield* after(world.call("test-tool__go"));
      const ended = Deferred.makeUnsafe<void>();
      slow.server.onClose = Deferred.await(ended);
      yield* Effect.forkChild(before(world.disable(slow.id)));
      yield* world.idle;
      yield* before(world.disable(quick.id));
      yield* world.pass("1 seconds");
      yield* world.idle;
      assert.strictEqual(quick.server.connections, 0);
      yield* Deferred.succeed(ended, undefined);
    }),
  );

  checkWith(
    "[mcp.nodes.files] every node prepares the package of an enabled server, and removes its processes, folders and package with it",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const one = yield* node();
      const other = yield* node({ scripted: TestCore.scripted });
      const packages = yield* other(ScriptedPackages.ScriptedPackages);
      const server = yield* other(world.scripted("notes"));
      server.tools = [Fixtures.definition("add")];
      const { id } = yield* one(world.running());
      yield* world.pass("1 seconds");
      assert.deepStrictEqual(
        packages.prepared.map((manifest) => manifest.package),
        ["@example/notes"],
      );
      assert.strictEqual(server.targets.length, 0);
      yield* other(world.call("test-notes__add"));
      assert.deepStrictEqual([server.connections, packages.folders.size], [1, 1]);
      yield* one(world.update(id, { envValues: { NOTES_PROJECT: "p" } }));
      yield* world.pass("1 seconds");
      assert.strictEqual(server.connections, 0);
      assert.deepStrictEqual(packages.retained.at(-1), ["@example/notes@1.2.3"]);
      yield* other(world.call("test-notes__add"));

      const gone = Deferred.makeUnsafe<void>();
      server.onClose = Deferred.await(gone);
      yield* one(world.uninstall(id));
      yield* world.pass("1 seconds");
      assert.deepStrictEqual([server.connections, packages.folders.size], [1, 1]);
      yield* Deferred.succeed(gone, undefined);
      yield* world.idle;
      assert.deepStrictEqual([server.connections, packages.folders.size], [0, 0]);
      assert.deepStrictEqual(packages.retained.at(-1), []);
    }),
  );

  check(
    "[mcp.update.no-late-drop] the event of a change does not close a connection opened after the change",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* world.update(id, { envValues: { NOTES_PROJECT: "p" } });
      server.onCall = () => Effect.as(Effect.sleep("5 seconds"), { content: [] });
      const calling = yield* Effect.forkChild(world.call("test-notes__add"));
      yield* world.idle;
      assert.strictEqual(server.calls.length, 1);
      yield* world.idle;
      yield* world.pass("5 seconds");
      assert.deepStrictEqual(yield* Fiber.join(calling), { content: [] });
    }),
  );
});
