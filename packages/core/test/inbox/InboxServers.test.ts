import { assert, describe } from "@effect/vitest";
import { Inbox, McpConnector, type Principal } from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import { admin, check, world } from "../support/McpWorld.ts";

const broken = Effect.fail(
  new McpConnector.ConnectorError({
    reason: "exited",
    message: "The server exited with code 3.",
    sent: true,
  }),
);

const items = (request: { readonly projectId?: ReadonlyArray<string> } = {}) =>
  Inbox.Inbox.use((inbox) => Effect.map(inbox.list(request), (page) => page.items));

const nobody = {
  projectId: null,
  issueId: null,
  issueKey: null,
  questionId: null,
  callId: null,
  agentId: null,
  blocks: null,
};

describe("Servers in the inbox", () => {
  check(
    "[inbox.server-error] a server with the status error is there until it works again",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      assert.deepStrictEqual(yield* items(), []);
      server.onConnect = broken;
      yield* world.verify(id);
      const { updatedAt } = yield* world.get(id);
      assert.deepStrictEqual(yield* items(), [
        {
          ...nobody,
          kind: "serverError",
          since: updatedAt,
          priority: "high",
          serverId: id,
          title: "test-notes",
          detail: "The server exited with code 3.",
        },
      ]);
      server.onConnect = Effect.void;
      yield* world.verify(id);
      assert.deepStrictEqual(yield* items(), []);
    }),
  );

  check(
    "[inbox.tools] a server with changed tools is there until they are accepted",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      server.tools = [Fixtures.definition("add", { title: "Adds more" })];
      yield* world.verify(id);
      const [item, ...more] = yield* items();
      assert.deepStrictEqual(more, []);
      assert.deepInclude(item, {
        ...nobody,
        kind: "toolsChanged",
        serverId: id,
        priority: "normal",
      });
      yield* world.verify(id, true);
      assert.deepStrictEqual(yield* items(), []);
    }),
  );

  check(
    "[inbox.servers] only an Admin bound to no project has servers, and only without projectId",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      server.onConnect = broken;
      yield* world.verify(id);
      const seenBy = (principal: Principal.Principal) =>
        Effect.map(Callers.as(principal)(items()), (found) => found.length);
      assert.strictEqual(yield* seenBy(admin), 1);
      assert.strictEqual(yield* seenBy({ ...admin, role: "Owner" }), 1);
      assert.strictEqual(yield* seenBy({ ...admin, role: "Editor" }), 0);
      assert.strictEqual(yield* seenBy({ ...admin, projects: ["project"] }), 0);
      assert.deepStrictEqual(yield* items({ projectId: ["project"] }), []);
    }),
  );
});
