import { assert, describe } from "@effect/vitest";
import { McpServerStore, Principal } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { assertTag, reasonOf, world } from "../support/McpWorld.ts";
import * as OAuth from "../support/OAuthWorld.ts";

const { authorize, begin, begun, check, complete, secretNames } = OAuth;

describe("Authorizations", () => {
  check(
    "[mcp.oauth.begin] an Admin gets a URL for the browser with a state that cannot be guessed",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const { url } = yield* begin(id);
      const query = new URL(url).searchParams;
      assert.match(query.get("state") ?? "", /\.[\w-]{43}$/);
      assert.strictEqual(query.get("redirect_uri"), OAuth.where.redirectUri);
      assert.notStrictEqual(url, (yield* begin(id)).url);
      yield* assertTag(begin("mcp_none"), "NotFound");
      const editor = Callers.as(Principal.user("eve", "Editor"));
      yield* assertTag(editor(begin(id)), "Forbidden");
      yield* assertTag(
        Effect.provideService(begin(id), Principal.CurrentPrincipal, {
          ...Principal.user("bound", "Admin"),
          projects: ["p"],
        }),
        "Forbidden",
      );
    }),
  );

  check(
    "[mcp.oauth.which] only a remote server without a filled Authorization header can be authorized",
    Effect.gen(function* () {
      const wiki = yield* world.install("test-wiki", { WIKI_TOKEN: "wiki-token" });
      const filled = yield* world.install("test-optional", { BOARD_TOKEN: "board-token" });
      for (const { id } of [wiki, filled, yield* world.notes()]) {
        assert.strictEqual(yield* reasonOf(begin(id)), "notAuthorizable");
      }
      const { id } = yield* world.install("test-optional");
      yield* authorize(id);
      yield* world.verify(id);
      const server = yield* world.scripted(OAuth.host);
      assert.deepStrictEqual(OAuth.sent(server), ["Bearer access-canary-1"]);
    }),
  );

  check(
    "[mcp.oauth.event] an event names the user who started, and the next use has the token",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const server = yield* world.scripted(OAuth.host);
      yield* world.verify(id);
      const state = yield* begun(id);
      const answer = yield* Callers.as(Principal.user("other"))(complete(state));
      assert.deepStrictEqual(answer, { name: "test-board" });
      yield* world.verify(id);
      assert.deepStrictEqual(OAuth.sent(server), [undefined, "Bearer access-canary-1"]);
      const event = (yield* world.events).find(({ kind }) => kind === "mcp.updated");
      assert.deepStrictEqual(event?.actor, { type: "User", id: "root" });
      assert.deepStrictEqual(event?.data, { name: "test-board", authorized: true });
    }),
  );

  check(
    "[mcp.oauth.state-reused] A state works once",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const state = yield* begun(id);
      yield* complete(state);
      assert.strictEqual(yield* reasonOf(complete(state)), "badState");

      const failed = yield* begun(id);
      const refusal = yield* Effect.flip(complete(failed, { code: null, error: "access_denied" }));
      assert.include(refusal.message, "access_denied");
      assert.strictEqual(yield* reasonOf(complete(failed)), "badState");

      const both = yield* begun(id);
      const results = yield* Effect.all([complete(both), complete(both)].map(Effect.result), {
        concurrency: "unbounded",
      });
      assert.lengthOf(
        results.filter(({ _tag }) => _tag === "Success"),
        1,
      );
    }),
  );

  check(
    "[mcp.oauth.state-unknown] an unknown state is refused",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const state = yield* begun(id);
      const other = yield* world.install("test-board");
      const [, secret = ""] = state.split(".");
      const wrong = [null, "", state.slice(0, -1), `${state}x`, `${other.id}.${secret}`, `${id}.`];
      for (const one of [...wrong, `${id}.${"A".repeat(43)}`, `mcp_none.${secret}`]) {
        assert.strictEqual(yield* reasonOf(complete(one)), "badState");
      }
      assert.deepStrictEqual((yield* OAuth.script).asked, []);
      yield* complete(state);
    }),
  );

  check(
    "[mcp.oauth.state-expired] A state works for 10 minutes",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const early = yield* begun(id);
      yield* world.pass("1 minute");
      const late = yield* begun(id);
      yield* world.pass("9 minutes");
      assert.strictEqual(yield* reasonOf(complete(early)), "badState");
      yield* complete(late);
      assert.deepStrictEqual(yield* secretNames(id), ["oauth.tokens"]);
    }),
  );

  check(
    "[mcp.oauth.state-many] the number of pending authorizations of a server is bounded",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const first = yield* begun(id);
      yield* world.pass("1 minute");
      yield* Effect.replicateEffect(begin(id), 16);
      assert.lengthOf(yield* secretNames(id), 16);
      assert.strictEqual(yield* reasonOf(complete(first)), "badState");
      yield* world.pass("10 minutes");
      yield* begin(id);
      assert.lengthOf(yield* secretNames(id), 1);
    }),
  );

  check(
    "[mcp.oauth.issuer] the service refuses a response of another issuer before it uses the code",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const script = yield* OAuth.script;
      const evil = { issuer: "https://evil.example" };
      assert.strictEqual(
        yield* reasonOf(Effect.flatMap(begun(id), (state) => complete(state, evil))),
        "issuerMismatch",
      );
      script.namesIssuer = true;
      assert.strictEqual(yield* reasonOf(authorize(id)), "issuerMismatch");
      assert.deepStrictEqual(script.asked, []);
      const state = yield* begun(id);
      yield* complete(state, { issuer: "https://issuer.example" });
    }),
  );

  check(
    "[mcp.oauth.sealed] states, verifiers and tokens are sealed like secrets",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const state = yield* begun(id);
      const store = yield* McpServerStore.McpServerStore;
      const pending = yield* store.secrets(id);
      yield* complete(state);
      const rows = [...pending, ...(yield* store.secrets(id))];
      assert.lengthOf(rows, 2);
      assert.isTrue(
        rows.every(({ name }) => /^oauth\.(?:tokens|pending\.[0-9a-f]{64})$/.test(name)),
      );
      assert.notMatch(JSON.stringify([rows, yield* world.events, yield* world.get(id)]), /canary/);
      assert.notInclude(JSON.stringify(rows), state.split(".")[1] ?? "?");
      assert.deepStrictEqual((yield* world.get(id)).env, []);
    }),
  );

  check(
    "[mcp.oauth.uninstall] an uninstall removes tokens and pending authorizations",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      yield* authorize(id);
      const state = yield* begun(id);
      yield* world.uninstall(id);
      assert.deepStrictEqual(yield* secretNames(id), []);
      assert.strictEqual(yield* reasonOf(complete(state)), "badState");
    }),
  );
});
