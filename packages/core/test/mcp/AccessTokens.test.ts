import { assert, describe } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Fixtures, TestCatalog, TestCore } from "@quartermaster/testing";
import { Deferred, Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { reasonOf, world, checkWith } from "../support/McpWorld.ts";
import * as OAuth from "../support/OAuthWorld.ts";

const { authorize, check, secretNames, sent } = OAuth;

/** Tokens that last five minutes: a test that passes an hour runs the polls of that hour. */
const short = Effect.map(OAuth.script, (script) =>
  Object.assign(script, { expiresInSeconds: 300 }),
);

/** A board that was authorized five minutes ago. */
const late = Effect.gen(function* () {
  const script = yield* short;
  const server = yield* world.scripted(OAuth.host);
  const { id } = yield* world.install("test-board");
  yield* authorize(id);
  yield* TestClock.adjust("5 minutes");
  return { id, server, script };
});

describe("AccessTokens", () => {
  check(
    "[mcp.oauth.unauthorized] A 401 of a server is reported as such, with what to do",
    Effect.gen(function* () {
      const server = yield* world.scripted(OAuth.host);
      OAuth.wants(server, (header) => header !== undefined);
      const { id } = yield* world.install("test-board");
      const { details, status } = yield* world.verify(id);
      assert.strictEqual(status, "error");
      assert.strictEqual(
        details,
        "HTTP status 401: it wants authorization. The server must be authorized before it can be used.",
      );
      yield* authorize(id);
      assert.strictEqual((yield* world.verify(id)).status, "ok");

      const wiki = yield* world.scripted("wiki.example");
      wiki.onConnect = OAuth.refused;
      const other = yield* world.install("test-wiki", { WIKI_TOKEN: "wiki-token" });
      assert.notInclude((yield* world.verify(other.id)).details, "must be authorized");
    }),
  );

  check(
    "[mcp.oauth.refresh] tokens are refreshed in time, and the refresh interrupts no call",
    Effect.gen(function* () {
      yield* short;
      const { server } = yield* OAuth.running;
      yield* TestClock.adjust("3 minutes");
      yield* world.pass("30 seconds");
      const going = Deferred.makeUnsafe<void>();
      server.onCall = () => Effect.as(Deferred.await(going), { content: [] });
      const calling = yield* Effect.forkChild(world.call("test-board__move"));
      yield* world.idle;
      assert.strictEqual(server.calls.length, 1);
      server.onCall = () => Effect.succeed({ content: [] });
      yield* world.pass("20 seconds");
      yield* world.call("test-board__move");
      assert.deepStrictEqual(new Set(sent(server)), new Set(["Bearer access-canary-1"]));
      yield* world.pass("10 seconds");
      yield* world.call("test-board__move");
      assert.strictEqual(sent(server).at(-1), "Bearer access-canary-2");
      assert.strictEqual(server.connections, 2);
      yield* Deferred.succeed(going, undefined);
      assert.deepStrictEqual(yield* Fiber.join(calling), { content: [] });
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      assert.deepStrictEqual((yield* OAuth.script).asked, ["code-canary", "refresh-canary-1"]);
    }),
  );

  check(
    "[mcp.oauth.refresh-pins] the connection with the new token compares the tools, and a drop closes the old one too",
    Effect.gen(function* () {
      yield* short;
      const { id, server } = yield* OAuth.running;
      yield* TestClock.adjust("3 minutes");
      yield* world.pass("30 seconds");
      server.onCall = () => Effect.never;
      const calling = yield* Effect.forkChild(reasonOf(world.call("test-board__move")));
      yield* world.idle;
      assert.strictEqual(server.calls.length, 1);
      yield* world.pass("31 seconds");
      server.tools = [Fixtures.definition("move", { description: "Moves everything away" })];
      assert.strictEqual(yield* reasonOf(world.call("test-board__move")), "withheld");
      assert.lengthOf(server.calls, 1);
      yield* world.disable(id);
      assert.strictEqual(yield* Fiber.join(calling), "notEnabled");
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
    }),
  );

  check(
    "[mcp.oauth.refresh-shared] concurrent callers share one refresh",
    Effect.gen(function* () {
      const { id, script, server } = yield* late;
      const gate = Deferred.makeUnsafe<void>();
      script.onRefresh = Deferred.await(gate);
      const verifies = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(world.verify(id)),
      );
      yield* world.idle;
      assert.strictEqual(script.asked.length, 2);
      yield* world.idle;
      // An interrupted caller does not interrupt the refresh for the others.
      yield* Fiber.interrupt(verifies[0]!);
      yield* Deferred.succeed(gate, undefined);
      for (const one of verifies.slice(1)) {
        assert.strictEqual((yield* Fiber.join(one)).status, "ok");
      }
      assert.deepStrictEqual(script.asked, ["code-canary", "refresh-canary-1"]);
      assert.deepStrictEqual(new Set(sent(server)), new Set(["Bearer access-canary-2"]));
    }),
  );

  checkWith(
    "[mcp.oauth.refresh-nodes] nodes share one refresh",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const options = { catalog: OAuth.catalog };
      const nodes = [yield* node(options), yield* node(options)] as const;
      const { id, script, server } = yield* nodes[0](late);
      const gate = Deferred.makeUnsafe<void>();
      script.onRefresh = Deferred.await(gate);
      const verifies = yield* Effect.forEach(nodes, (on) => Effect.forkChild(on(world.verify(id))));
      yield* world.idle;
      assert.lengthOf(script.asked, 2);
      yield* world.pass("5 seconds");
      assert.lengthOf(script.asked, 2);
      yield* Deferred.succeed(gate, undefined);
      // The other node reads the tokens every 200 ms.
      yield* world.pass("200 millis");
      for (const verify of verifies) assert.strictEqual((yield* Fiber.join(verify)).status, "ok");
      assert.lengthOf(script.asked, 2);
      assert.deepStrictEqual(sent(server), ["Bearer access-canary-2", "Bearer access-canary-2"]);
    }),
  );

  check(
    "[mcp.oauth.invalid-grant] invalid_grant removes the tokens and is reported",
    Effect.gen(function* () {
      const { id, script, server } = yield* late;
      script.onRefresh = OAuth.failing("invalidGrant");
      const { details } = yield* world.verify(id);
      assert.match(details, /^Its authorization has expired\. The server must be authorized /);
      assert.deepStrictEqual(yield* secretNames(id), []);
      assert.deepStrictEqual(server.targets, []);
      const last = (yield* world.events).findLast(({ kind }) => kind === "mcp.updated");
      assert.deepStrictEqual(last?.data, { name: "test-board", authorized: false });
      assert.strictEqual(last?.actor.type, "System");
    }),
  );

  check(
    "[mcp.oauth.refresh-fails] failures other than invalid_grant remove no tokens",
    Effect.gen(function* () {
      const { id, script } = yield* late;
      for (const reason of ["unreachable", "refused", "redirected", "badAnswer"] as const) {
        script.onRefresh = OAuth.failing(reason);
        const { details, status } = yield* world.verify(id);
        assert.deepStrictEqual(
          [status, details],
          ["error", "Its token cannot be refreshed now: issuer.example answered HTTP status 500."],
        );
        assert.deepStrictEqual(yield* secretNames(id), ["oauth.tokens"]);
      }
      script.onRefresh = Effect.void;
      assert.strictEqual((yield* world.verify(id)).status, "ok");
      assert.strictEqual((yield* world.get(id)).status, "disabled");
    }),
  );

  check(
    "[mcp.oauth.refresh-early] A valid token is used while its refresh fails",
    Effect.gen(function* () {
      const { id, script, server } = yield* late;
      script.onRefresh = Effect.void;
      yield* world.verify(id);
      yield* TestClock.adjust("270 seconds");
      script.onRefresh = OAuth.failing("unreachable");
      assert.strictEqual((yield* world.verify(id)).status, "ok");
      assert.strictEqual(sent(server).at(-1), "Bearer access-canary-2");
    }),
  );

  check(
    "[mcp.oauth.refresh-later] A failed refresh is not repeated by each call",
    Effect.gen(function* () {
      const script = yield* OAuth.script;
      script.expiresInSeconds = 200;
      const { server } = yield* OAuth.running;
      const before = server.targets.length;
      script.onRefresh = OAuth.failing("unreachable");
      yield* world.pass("151 seconds");
      for (let calls = 0; calls < 5; calls++) {
        yield* world.call("test-board__move");
        yield* world.idle;
      }
      assert.strictEqual(server.targets.length - before, 1);
      assert.deepStrictEqual(script.asked, ["code-canary", "refresh-canary-1"]);
      script.onRefresh = Effect.void;
      yield* world.pass("49 seconds");
      yield* world.call("test-board__move");
      assert.strictEqual(sent(server).at(-1), "Bearer access-canary-2");
    }),
  );

  check(
    "[mcp.oauth.refused-token] A token that is refused before it expires is refreshed once",
    Effect.gen(function* () {
      const { id, server } = yield* OAuth.running;
      const script = yield* OAuth.script;
      OAuth.wants(server, (header) => header === "Bearer access-canary-2");
      assert.strictEqual((yield* world.verify(id)).status, "ok");
      assert.lengthOf(script.asked, 2);

      OAuth.wants(server, () => false);
      assert.strictEqual((yield* world.verify(id)).status, "error");
      assert.lengthOf(script.asked, 3);
    }),
  );

  check(
    "[mcp.oauth.refused-call] a token that is rejected during a call is refreshed, and the call is sent again",
    Effect.gen(function* () {
      const { server } = yield* OAuth.running;
      server.onCall = () =>
        sent(server).at(-1) === "Bearer access-canary-2"
          ? Effect.succeed({ content: [] })
          : OAuth.refused;
      const calling = yield* Effect.forkChild(world.call("test-board__move"));
      // The next connection is opened a second after the loss.
      yield* world.pass("1 second");
      yield* Fiber.join(calling);
      assert.lengthOf(server.calls, 2);
      assert.strictEqual(sent(server).at(-1), "Bearer access-canary-2");
    }),
  );

  check(
    "[mcp.oauth.refused-consent] without consent, the agent reads that only a person can help",
    Effect.gen(function* () {
      const { server } = yield* OAuth.running;
      const script = yield* OAuth.script;
      script.onRefresh = OAuth.failing("invalidGrant");
      server.onCall = () => OAuth.refused;
      OAuth.wants(server, () => false);
      for (let attempt = 0; attempt < 6; attempt++) {
        const calling = yield* Effect.forkChild(Effect.flip(world.call("test-board__move")));
        yield* world.pass("30 seconds");
        const failure = yield* Fiber.join(calling);
        const advice = failure._tag === "ToolUnavailable" ? failure.advice : undefined;
        assert.match(advice ?? "", /only a person can give.*ask an Admin to authorize/);
      }
      assert.isAtMost(server.calls.length, 2);
    }),
  );

  check(
    "[mcp.oauth.scope] the next authorization requests the scopes that a call turned out to need",
    Effect.gen(function* () {
      const { id, server } = yield* OAuth.running;
      const refuse = (scope: string) => {
        server.onCall = () =>
          Effect.fail(
            new McpConnector.ConnectorError({
              reason: "insufficientScope",
              message: `HTTP status 403: it requires the scopes ${scope}.`,
              sent: true,
              scope,
            }),
          );
      };
      const { scopes } = yield* OAuth.script;
      refuse("read write");
      const failure = yield* Effect.flip(world.call("test-board__move"));
      assert.match(
        String(failure),
        /requires the scopes read write\. The server must be authorized /,
      );
      yield* authorize(id);
      refuse("write delete");
      yield* Effect.flip(world.call("test-board__move"));
      refuse("x".repeat(2_000));
      yield* Effect.flip(world.call("test-board__move"));
      yield* authorize(id);
      assert.deepStrictEqual(scopes, [null, "read write", "read write delete"]);
      // The service does not request a scope again that the authorization server does not know.
      const state = yield* OAuth.begun(id);
      yield* Effect.flip(OAuth.complete(state, { code: null, error: "invalid_scope" }));
      yield* authorize(id);
      assert.deepStrictEqual(scopes.slice(3), ["read write delete", null]);
    }),
  );

  check(
    "[mcp.oauth.no-refresh] without a refresh token, a token is used until the server refuses it",
    Effect.gen(function* () {
      (yield* OAuth.script).refreshes = false;
      const { id, server, script } = yield* late;
      assert.strictEqual((yield* world.verify(id)).status, "ok");
      OAuth.wants(server, () => false);
      assert.match((yield* world.verify(id)).details, /must be authorized/);
      assert.deepStrictEqual(script.asked, ["code-canary"]);
    }),
  );

  check(
    "[mcp.oauth.scrubbed] A token that a server repeats is replaced",
    Effect.gen(function* () {
      const { id, server } = yield* OAuth.running;
      server.onCall = () =>
        Effect.succeed({ content: [{ type: "text", text: `got ${sent(server).at(-1)}` }] });
      const result = yield* world.call("test-board__move");
      assert.deepStrictEqual(result.content, [
        { type: "text", text: "got Bearer [secret authorization]" },
      ]);
      server.onConnect = Effect.suspend(() =>
        Effect.fail(
          new McpConnector.ConnectorError({
            reason: "httpStatus",
            message: `Unknown token ${sent(server).at(-1)}.`,
            sent: true,
          }),
        ),
      );
      assert.strictEqual(
        (yield* world.verify(id)).details,
        "Unknown token Bearer [secret authorization].",
      );
      assert.notMatch(JSON.stringify(yield* world.events), /canary/);
    }),
  );

  checkWith(
    "[mcp.oauth.origin] A token goes only to the origin it was issued for",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const moved = OAuth.board({ manifest: { url: "https://moved.example/mcp", headers: {} } });
      const before = yield* node({ catalog: OAuth.catalog });
      const after = yield* node({ catalog: TestCore.catalog([...TestCatalog.entries, moved]) });
      const { id } = yield* before(late);
      const server = yield* after(world.scripted("moved.example"));
      server.tools = [Fixtures.definition("move")];
      yield* after(world.update(id, { version: "catalog" }));
      yield* after(world.grant(id));
      yield* after(world.enable(id));
      yield* world.idle;
      assert.strictEqual(server.connections, 1);
      assert.deepStrictEqual(new Set(sent(server)), new Set([undefined]));
    }),
  );
});
