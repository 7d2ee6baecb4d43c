import { assert, describe } from "@effect/vitest";
import { Errors, Idempotency, Principal } from "@quartermaster/core";
import { Callers, ScriptedPackages, ScriptedRuntimes } from "@quartermaster/testing";
import { Effect, Redacted } from "effect";
import { assertTag, check, refusal, secret, world } from "../support/McpWorld.ts";

describe("Installing", () => {
  check(
    "[mcp.install.fields] an installed server is disabled and shows no value",
    Effect.gen(function* () {
      const installed = yield* world.notes();
      assert.deepInclude(installed, {
        name: "test-notes",
        catalogId: "test-notes",
        transport: "stdio",
        status: "disabled",
        version: "1.2.3",
        updateAvailable: false,
        lastVerification: null,
        toolsChanged: false,
        toolsDigest: null,
        tokens: 0,
        env: [
          { name: "NOTES_KEY", isSet: true },
          { name: "NOTES_PROJECT", isSet: false },
        ],
      });
      assert.match(installed.id, /^mcp_/);
      assert.deepStrictEqual(yield* world.get(installed.id), installed);
      assert.notInclude(JSON.stringify(installed), secret);
    }),
  );

  check(
    "[mcp.install.starts-nothing] an install prepares and starts nothing",
    Effect.gen(function* () {
      yield* world.notes();
      const packages = yield* ScriptedPackages.ScriptedPackages;
      assert.deepStrictEqual(packages.prepared, []);
      assert.deepStrictEqual((yield* world.scripted("notes")).targets, []);
    }),
  );

  check(
    "[mcp.install.names] the name is the entry's id, then -2, -3: the first free one",
    Effect.gen(function* () {
      const [first, second, third] = [
        yield* world.notes(),
        yield* world.notes(),
        yield* world.notes(),
      ];
      assert.deepStrictEqual(
        [first.name, second.name, third.name],
        ["test-notes", "test-notes-2", "test-notes-3"],
      );
      yield* world.uninstall(second.id);
      assert.strictEqual((yield* world.notes()).name, "test-notes-2");
      assert.deepStrictEqual(
        (yield* world.servers((service) => service.list)).map(({ name }) => name),
        ["test-notes", "test-notes-3", "test-notes-2"],
      );
    }),
  );

  check(
    "[mcp.install.once] a server has its settings of effects, or the defaults, and PUT null restores them",
    Effect.gen(function* () {
      const install = (settings: object) =>
        world.servers((service) =>
          service.install({
            catalogId: "test-notes",
            envValues: { NOTES_KEY: secret },
            ...settings,
          }),
        );
      const defaults = { once: [], onceErrors: "retry", settle: "agent" } as const;
      assert.deepInclude(yield* install({}), defaults);
      const once = [{ tools: ["pay", "send_*"], by: ["/to", "/a~1b/0"] }, { tools: ["mail"] }];
      const settings = { once, onceErrors: "unknown", settle: "person" } as const;
      const { id, ...installed } = yield* install(settings);
      assert.deepInclude(installed, settings);
      assert.deepInclude(yield* world.get(id), settings);
      assert.deepInclude(yield* world.update(id, { settle: null }), {
        ...settings,
        settle: "agent",
      });
      assert.deepInclude(
        yield* world.update(id, { once: null, onceErrors: null, settle: null }),
        defaults,
      );
      for (const wrong of [
        { once: Array.from({ length: 51 }, () => ({ tools: ["pay"] })) },
        { once: [{ tools: [] }] },
        { once: [{ tools: [""] }] },
        { once: [{ by: ["/to"] }] },
        { once: [{ tools: ["pay"], by: ["to"] }] },
        { once: [{ tools: ["pay"], by: ["/a~2"] }] },
        { once: [{ tools: ["pay"], by: Array.from({ length: 11 }, (_, n) => `/${n}`) }] },
        { onceErrors: "never" },
        { settle: "host" },
      ]) {
        yield* assertTag(install(wrong), "InvalidRequest");
        yield* assertTag(world.update(id, wrong as never), "InvalidRequest");
      }
    }),
  );

  check(
    "[mcp.install.call-settings] a server has sendContext and recordCalls, or the defaults of its transport",
    Effect.gen(function* () {
      const install = (catalogId: string, settings: object) =>
        world.servers((service) =>
          service.install({ catalogId, envValues: { NOTES_KEY: secret }, ...settings }),
        );
      const remote = { catalogId: "test-wiki", envValues: { WIKI_TOKEN: secret } };
      const ofStdio = { sendContext: true, recordCalls: "errors" } as const;
      const ofHttp = { sendContext: false, recordCalls: "errors" } as const;
      assert.deepInclude(yield* install("test-notes", {}), ofStdio);
      assert.deepInclude(yield* world.servers((service) => service.install(remote)), ofHttp);
      const settings = { sendContext: false, recordCalls: "all" } as const;
      const { id, ...installed } = yield* install("test-notes", settings);
      assert.deepInclude(installed, settings);
      assert.deepInclude(yield* world.update(id, { name: "renamed" }), settings);
      const changed = yield* world.update(id, { sendContext: true, recordCalls: "none" });
      assert.deepInclude(changed, { sendContext: true, recordCalls: "none" });
      yield* world.update(id, settings);
      const nulls = { sendContext: null, recordCalls: null };
      assert.deepInclude(yield* world.update(id, nulls), ofStdio);
      for (const wrong of [
        { sendContext: "yes" },
        { recordCalls: "some" },
        { recordCalls: true },
      ]) {
        yield* assertTag(install("test-notes", wrong), "InvalidRequest");
        yield* assertTag(world.update(id, wrong as never), "InvalidRequest");
      }
    }),
  );

  check(
    "[mcp.install.limits] a server has its limits, or the defaults, and PUT null restores them",
    Effect.gen(function* () {
      const install = (limits: object) =>
        world.servers((service) =>
          service.install({ catalogId: "test-notes", envValues: { NOTES_KEY: secret }, ...limits }),
        );
      const defaults = {
        maxResultBytes: 4_194_304,
        idleSeconds: 300,
        callTimeoutSeconds: null,
        callMaxSeconds: 3_600,
        warnings: [],
      };
      assert.deepInclude(yield* install({}), defaults);
      assert.deepInclude(
        yield* install({
          maxResultBytes: null,
          idleSeconds: null,
          callTimeoutSeconds: null,
          callMaxSeconds: null,
        }),
        defaults,
      );
      const limits = {
        maxResultBytes: 33_554_432,
        idleSeconds: 0,
        callTimeoutSeconds: 600,
        callMaxSeconds: 86_400,
      };
      const { id, ...installed } = yield* install(limits);
      assert.deepInclude(installed, limits);
      assert.deepInclude(yield* world.get(id), limits);
      assert.deepInclude(yield* world.update(id, { maxResultBytes: 1 }), {
        maxResultBytes: 1,
        idleSeconds: 0,
      });
      assert.deepInclude(yield* world.update(id, { name: "renamed" }), { maxResultBytes: 1 });
      assert.deepInclude(
        yield* world.update(id, {
          maxResultBytes: null,
          idleSeconds: null,
          callTimeoutSeconds: null,
          callMaxSeconds: null,
        }),
        defaults,
      );
      for (const wrong of [
        { maxResultBytes: 0 },
        { maxResultBytes: 33_554_433 },
        { maxResultBytes: 1.5 },
        { idleSeconds: -1 },
        { idleSeconds: 31_536_001 },
        { idleSeconds: "300" },
        { callTimeoutSeconds: 0 },
        { callTimeoutSeconds: 3_601 },
        { callMaxSeconds: 0 },
        { callMaxSeconds: 86_401 },
      ]) {
        yield* assertTag(install(wrong), "InvalidRequest");
        yield* assertTag(world.update(id, wrong as never), "InvalidRequest");
      }
    }),
  );

  check(
    "[mcp.install.warnings] callTimeoutSeconds above 600 has a warning that names the hosts which end calls earlier",
    Effect.gen(function* () {
      const { id, warnings } = yield* world.servers((service) =>
        service.install({
          catalogId: "test-notes",
          envValues: { NOTES_KEY: secret },
          callTimeoutSeconds: 601,
        }),
      );
      assert.lengthOf(warnings, 1);
      for (const host of ["Claude Code", "Codex", "Gemini CLI", "opencode"]) {
        assert.include(warnings[0], host);
      }
      assert.deepStrictEqual((yield* world.get(id)).warnings, warnings);
      assert.deepStrictEqual((yield* world.update(id, { callTimeoutSeconds: 600 })).warnings, []);
      assert.lengthOf((yield* world.update(id, { callTimeoutSeconds: 3_600 })).warnings, 1);
    }),
  );

  check(
    "[mcp.install.name-taken] A given name that is taken is refused",
    Effect.gen(function* () {
      assert.strictEqual((yield* world.notes("mine")).name, "mine");
      const refused = yield* refusal(world.notes("mine"));
      assert.deepInclude(refused, { _tag: "NameTaken", serverName: "mine" });
      for (const name of ["", "Mine", "a_b", "x".repeat(33)]) {
        yield* assertTag(world.notes(name), "InvalidRequest");
      }
      assert.strictEqual((yield* world.notes("x".repeat(32))).name.length, 32);
    }),
  );

  check(
    "[mcp.install.unknown-entry] an entry that the catalog does not have is refused",
    Effect.gen(function* () {
      const refused = yield* refusal(world.install("nothing"));
      assert.deepInclude(refused, { _tag: "UnknownReference", field: "catalogId", id: "nothing" });
    }),
  );

  check(
    "[mcp.install.unknown-env] A variable that the entry does not declare is refused",
    Effect.gen(function* () {
      const values = { NOTES_KEY: secret, OTHER: "x", ANOTHER: "y" };
      const refused = yield* refusal(world.install("test-notes", values));
      assert.deepInclude(refused, { _tag: "UnknownEnv", unknown: ["OTHER", "ANOTHER"] });
    }),
  );

  check(
    "[mcp.install.missing-env] A required variable that is absent, null or empty is refused",
    Effect.gen(function* () {
      for (const values of [{}, { NOTES_KEY: null }, { NOTES_KEY: "" }]) {
        const refused = yield* refusal(world.install("test-notes", values));
        assert.deepInclude(refused, { _tag: "MissingEnv", missing: ["NOTES_KEY"] });
      }
      assert.deepStrictEqual(yield* world.servers((service) => service.list), []);
      assert.deepStrictEqual(yield* world.events, []);
    }),
  );

  check(
    "[mcp.install.bad-value] A value with a line end or NUL is refused",
    Effect.gen(function* () {
      for (const value of ["a\nb", "a\rb", "a\0b", "a\ud800b"]) {
        const refused = yield* refusal(world.install("test-notes", { NOTES_KEY: value }));
        assert.instanceOf(refused, Errors.InvalidRequest);
        assert.notInclude(refused.message, value);
      }
    }),
  );

  check(
    "[mcp.install.redacted] A caller in process may give values as redacted strings",
    Effect.gen(function* () {
      const { id } = yield* world.servers((service) =>
        service.install({
          catalogId: "test-notes",
          envValues: { NOTES_KEY: Redacted.make(secret), NOTES_PROJECT: "main" },
        }),
      );
      yield* world.verify(id);
      const [target] = (yield* world.scripted("notes")).targets;
      const key = target?.transport === "stdio" ? target.env["NOTES_KEY"] : undefined;
      assert.strictEqual(key && Redacted.value(key), secret);
      const invalid = Redacted.make("two\nlines");
      const refused = yield* refusal(
        world.servers((service) => service.update(id, { envValues: { NOTES_KEY: invalid } })),
      );
      assert.instanceOf(refused, Errors.InvalidRequest);
      assert.strictEqual(refused.errors[0]?.path, "envValues.NOTES_KEY");
      assert.notInclude(JSON.stringify(refused), "two");
    }),
  );

  check(
    "[mcp.install.forbidden-path] A path inside or above the data directory is refused, and an option instead of an argument",
    Effect.gen(function* () {
      for (const path of ["/data", "/data/keys", "/", "--eval=1", "-"]) {
        const refused = yield* refusal(world.install("test-files", { ROOT: path }));
        assert.deepInclude(refused, { _tag: "ForbiddenPath", variable: "ROOT" });
      }
      const installed = yield* world.install("test-files", { ROOT: "/database" });
      const moved = world.servers((service) =>
        service.update(installed.id, { envValues: { ROOT: "/data/x" } }),
      );
      yield* assertTag(moved, "ForbiddenPath");
    }),
  );

  check(
    "[mcp.install.runtime-missing] A server whose runtime is not detected is refused",
    Effect.gen(function* () {
      const runtimes = yield* ScriptedRuntimes.ScriptedRuntimes;
      runtimes.report = { ...runtimes.report, node: { detected: false } };
      assert.deepInclude(yield* refusal(world.notes()), {
        _tag: "RuntimeMissing",
        runtime: "node",
      });
      yield* world.install("test-tool");
      yield* world.install("test-wiki", { WIKI_TOKEN: secret });
      yield* world.install("test-files", { ROOT: "/home/x" });
      runtimes.report = { ...runtimes.report, pipx: { detected: false } };
      yield* world.install("duckduckgo");
      runtimes.report = { ...runtimes.report, python: { detected: false } };
      assert.deepInclude(yield* refusal(world.install("duckduckgo")), { runtime: "pipx" });
    }),
  );

  check(
    "[mcp.install.idempotent] the same request returns the same server, whatever has changed",
    Effect.gen(function* () {
      const again = Effect.provideService(world.notes(), Idempotency.CurrentRequest, {
        keyId: "key",
        idempotencyKey: "once",
        content: "install",
      });
      const first = yield* again;
      const runtimes = yield* ScriptedRuntimes.ScriptedRuntimes;
      runtimes.report = { ...runtimes.report, node: { detected: false } };
      assert.deepStrictEqual(yield* again, first);
      assert.lengthOf(yield* world.servers((service) => service.list), 1);
    }),
  );

  check(
    "[mcp.install.event] the event names the user who installed, in the transaction of the change",
    Effect.gen(function* () {
      const installed = yield* world.notes();
      const [event] = yield* world.events;
      assert.deepInclude(event, {
        kind: "mcp.installed",
        projectId: null,
        subjectId: installed.id,
        actor: { type: "User", id: "root" },
        data: { name: "test-notes", catalogId: "test-notes" },
      });
    }),
  );

  check(
    "[mcp.admins] no caller below Admin, and no key bound to projects, manages servers",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const calls = [
        world.servers((service) => service.list),
        world.servers((service) => service.get(id)),
        world.notes(),
        world.servers((service) => service.update(id, {})),
        world.servers((service) => service.verify(id)),
        world.servers((service) => service.enable(id)),
        world.servers((service) => service.disable(id)),
        world.servers((service) => service.uninstall(id)),
        world.servers((service) => service.tools(id)),
        world.servers((service) => service.access(id)),
        world.servers((service) => service.putAccess(id, { entries: [] })),
      ];
      for (const call of calls) {
        for (const [principal, requiredRole] of [
          [Principal.user("eve", "Editor"), "Admin"],
          [Callers.user("eve", { role: "Owner", projects: ["p"] }), null],
        ] as const) {
          const refused = yield* refusal(Callers.as(principal)(call as Effect.Effect<unknown>));
          assert.deepInclude(refused, { _tag: "Forbidden", requiredRole });
        }
      }
      assert.deepStrictEqual(yield* world.kinds, ["mcp.installed"]);
    }),
  );

  check(
    "[mcp.unknown] an unknown server is a NotFound error",
    Effect.gen(function* () {
      for (const call of [
        world.servers((service) => service.get("mcp_x")),
        world.servers((service) => service.update("mcp_x", {})),
        world.servers((service) => service.verify("mcp_x")),
        world.servers((service) => service.enable("mcp_x")),
        world.servers((service) => service.disable("mcp_x")),
        world.servers((service) => service.uninstall("mcp_x")),
        world.servers((service) => service.tools("mcp_x")),
        world.servers((service) => service.access("mcp_x")),
        world.servers((service) => service.putAccess("mcp_x", { entries: [] })),
      ]) {
        assert.deepInclude(yield* refusal(call as Effect.Effect<unknown>), {
          _tag: "NotFound",
          resource: "installedServer",
          id: "mcp_x",
        });
      }
    }),
  );
});
