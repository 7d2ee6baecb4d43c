import { assert, describe } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Fixtures, ScriptedPackages } from "@quartermaster/testing";
import { Deferred, Effect, Fiber } from "effect";
import { assertTag, check, world } from "../support/McpWorld.ts";

const isPhase = (kind: string) => ["mcp.preparing", "mcp.prepared", "mcp.verified"].includes(kind);

describe("preparing", () => {
  check(
    "[mcp.prepare.events] a verify and an enable report the start and the result of the preparation",
    Effect.gen(function* () {
      const packages = yield* ScriptedPackages.ScriptedPackages;
      packages.onPrepare = () => Effect.sleep("80 seconds");
      const { id } = yield* world.notes();
      const phases = Effect.map(world.events, (events) =>
        events.filter(({ kind }) => isPhase(kind) || kind === "mcp.enabled"),
      );
      const verifying = yield* Effect.forkChild(world.verify(id));
      yield* world.idle;
      const [preparing, ...none] = yield* phases;
      assert.deepInclude(preparing, { kind: "mcp.preparing", subjectId: id });
      assert.deepInclude(preparing?.actor, { type: "User", id: "root" });
      const program = { name: "test-notes", package: "@example/notes@1.2.3" };
      assert.deepStrictEqual(preparing?.data, program);
      assert.deepStrictEqual(none, []);
      packages.onPrepare = () => Effect.void;
      yield* world.pass("80 seconds");
      yield* Fiber.join(verifying);
      const [, prepared, verified] = yield* phases;
      const ok = { ...program, status: "ok", details: "Prepared in 80000 ms." };
      assert.deepStrictEqual([prepared?.kind, prepared?.data], ["mcp.prepared", ok]);
      assert.strictEqual(verified?.kind, "mcp.verified");

      packages.onPrepare = () =>
        new McpConnector.ConnectorError({
          reason: "prepareFailed",
          message: "npm is not there.",
          sent: false,
        });
      for (let n = 0; n < 2; n++) yield* world.enable(id);
      yield* world.idle;
      const later = (yield* phases).slice(3);
      const kinds = later.map(({ kind }) => kind);
      assert.deepStrictEqual(kinds, ["mcp.enabled", "mcp.preparing", "mcp.prepared"]);
      const failed = { ...program, status: "error", details: "npm is not there." };
      assert.deepStrictEqual(later[2]?.data, failed);
    }),
  );

  check(
    "[mcp.prepare.remote] a remote server is not prepared, and a local program has no package",
    Effect.gen(function* () {
      const wiki = yield* world.install("test-wiki", { WIKI_TOKEN: "token-of-the-wiki" });
      yield* world.verify(wiki.id);
      assert.notInclude(yield* world.kinds, "mcp.preparing");
      yield* world.verify((yield* world.install("test-tool")).id);
      const event = (yield* world.events).find(({ kind }) => kind === "mcp.preparing");
      assert.deepStrictEqual(event?.data, { name: "test-tool", package: null });
    }),
  );
});

describe("a verify in the background", () => {
  check(
    "[mcp.verify.hang-up] stores its result after its caller was interrupted",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const gate = Deferred.makeUnsafe<void>();
      server.tools = [Fixtures.definition("add")];
      server.onList = Deferred.await(gate);
      const { id } = yield* world.notes();
      const verifying = yield* Effect.forkChild(world.verify(id));
      yield* world.idle;
      yield* Fiber.interrupt(verifying);
      assert.isNull((yield* world.get(id)).lastVerification);
      yield* Deferred.succeed(gate, undefined);
      yield* world.idle;
      assert.deepInclude((yield* world.get(id)).lastVerification, {
        status: "ok",
        capabilities: ["add"],
      });
      assert.include(yield* world.kinds, "mcp.verified");
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.verify.started] returns the server immediately, or the refusals that need no connection",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const gate = Deferred.makeUnsafe<void>();
      server.onList = Deferred.await(gate);
      const { id } = yield* world.notes();
      const start = (serverId: string, accept?: string) =>
        world.servers((service) => service.startVerify(serverId, { accept }));
      assert.deepInclude(yield* start(id), { id, lastVerification: null });
      yield* assertTag(start("mcp_none"), "NotFound");
      yield* assertTag(start(id, "0".repeat(64)), "PreconditionFailed");
      yield* Deferred.succeed(gate, undefined);
      yield* world.idle;
      assert.strictEqual((yield* world.get(id)).lastVerification?.status, "ok");
      assert.strictEqual(server.targets.length, 1);
    }),
  );

  check(
    "[mcp.verify.shared] verifies of one server at the same time are one, unless they accept or the server changed",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      const gate = Deferred.makeUnsafe<void>();
      server.onList = Deferred.await(gate);
      const { id } = yield* world.notes();
      const verify = (accept: boolean) => Effect.forkChild(world.verify(id, accept));
      const together = [yield* verify(false), yield* verify(false), yield* verify(true)];
      yield* world.idle;
      assert.strictEqual(server.connections, 2);
      yield* Fiber.interrupt(together[0]!);
      yield* world.update(id, { envValues: { NOTES_KEY: "another-secret" } });
      const last = yield* verify(false);
      yield* world.idle;
      assert.strictEqual(server.connections, 3);
      yield* Deferred.succeed(gate, undefined);
      assert.match((yield* Fiber.join(together[1]!)).details, /not stored\. Verify it again\.$/);
      assert.strictEqual((yield* Fiber.join(last)).status, "ok");
      yield* world.verify(id);
      assert.strictEqual(server.targets.length, 4);
    }),
  );
});
