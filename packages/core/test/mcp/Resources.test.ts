import { assert, describe } from "@effect/vitest";
import { Agents, McpConnector, Principal, ResourceGateway } from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Stream } from "effect";
import { assertTag, check, reasonOf, refusal, secret, world } from "../support/McpWorld.ts";

const gateway = ResourceGateway.ResourceGateway;

const list = (kind: McpConnector.ResourceKind = "resources", agentId = "bot", isNext = false) =>
  gateway.use((resources) => resources.list(agentId, kind, isNext));

/** The URIs that the agent can list. */
const uris = (agentId = "bot") =>
  Effect.map(list("resources", agentId), ({ items }) => items.map(({ uri }) => uri));

const read = (uri: string, agentId = "bot") =>
  gateway.use((resources) => resources.read(agentId, uri));

const resource = (uri: string, more: object = {}) => ({ uri, name: uri, ...more });

const failure = (reason: McpConnector.ConnectorError["reason"]) =>
  new McpConnector.ConnectorError({ reason, message: "Its own words.", sent: true });

/** `test-notes` and `test-tool`, each with a resource and a grant for `bot`. */
const two = Effect.gen(function* () {
  const notes = yield* world.scripted("notes");
  const tool = yield* world.scripted("tool");
  notes.resources.resources = [resource("file:///n")];
  tool.resources.resources = [resource("file:///t")];
  return {
    notes: yield* world.running(["add"], "test-notes"),
    tool: yield* world.running(["find"], "test-tool"),
  };
});

const both = ["qm+test-notes+file:///n", "qm+test-tool+file:///t"];

describe("Resources", () => {
  check(
    "[agents.mcp.resources.granted] resources belong to offered servers that the agent was granted as a whole",
    Effect.gen(function* () {
      const { notes, tool } = yield* two;
      yield* world.register("eve");
      assert.deepStrictEqual(yield* uris(), both);
      assert.deepStrictEqual(yield* uris("eve"), []);
      yield* assertTag(read("qm+test-notes+file:///n", "eve"), "NotFound");
      yield* world.grant(notes.id, "bot", ["add"]);
      yield* world.disable(tool.id);
      assert.deepStrictEqual(yield* uris(), []);
      yield* assertTag(read("qm+test-notes+file:///n"), "NotFound");
      yield* assertTag(read("qm+test-tool+file:///t"), "NotFound");
      yield* assertTag(read("qm+none+file:///t"), "NotFound");
      yield* assertTag(read("file:///n"), "NotFound");
      yield* world.grant(notes.id, "bot", null);
      yield* read("qm+test-notes+file:///n");
      yield* world.putAccess(notes.id, { agentId: "bot", granted: true, readOnly: true });
      yield* read("qm+test-notes+file:///n");
      assert.deepStrictEqual(notes.server.reads, ["file:///n", "file:///n"]);
      assert.deepStrictEqual(tool.server.reads, []);
      const asOther = read("qm+test-notes+file:///n").pipe(Callers.as(Principal.agent("eve")));
      yield* assertTag(asOther, "Forbidden");
    }),
  );

  check(
    "[agents.mcp.resources.paused] a paused agent reads nothing",
    Effect.gen(function* () {
      yield* two;
      yield* Agents.Agents.use((agents) => agents.put("bot", { paused: true }));
      assert.strictEqual(yield* reasonOf(read("qm+test-tool+file:///t")), "agentPaused");
    }),
  );

  check(
    "[agents.mcp.resources.asked] a server that has no resources is not contacted for a list",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      yield* world.update(id, { envValues: { NOTES_PROJECT: "other" } });
      yield* world.idle;
      assert.strictEqual(server.connections, 0);
      assert.deepStrictEqual(yield* list(), { items: [], incomplete: [] });
      assert.strictEqual(server.connections, 0);
      server.resources.resources = [resource("file:///n")];
      yield* world.verify(id);
      assert.deepStrictEqual(yield* uris(), ["qm+test-notes+file:///n"]);
    }),
  );

  check(
    "[agents.mcp.resources.independent] a server that hangs or fails costs no other server's list more than 5 s, once",
    Effect.gen(function* () {
      const { notes } = yield* two;
      notes.server.onListResources = Effect.never;
      const first = yield* Effect.forkChild(list());
      yield* world.pass("4 seconds");
      const second = yield* Effect.forkChild(list());
      yield* world.pass("1 second");
      const expected = {
        items: [resource("qm+test-tool+file:///t", { name: "file:///t" })],
        incomplete: [{ server: "test-notes", reason: "It did not list them within 5 s." }],
      };
      assert.deepStrictEqual(yield* Fiber.join(first), expected);
      // The second caller waits no longer than the first one.
      assert.deepStrictEqual(yield* Fiber.join(second), expected);
      assert.deepStrictEqual(yield* list(), expected);
      notes.server.onListResources = failure("listFailed");
      yield* notes.server.crash();
      yield* world.pass("1 minute");
      const failing = yield* Effect.forkChild(list());
      yield* world.pass("5 seconds");
      assert.deepStrictEqual((yield* Fiber.join(failing)).incomplete, [
        { server: "test-notes", reason: "It failed to list them." },
      ]);
      notes.server.onListResources = Effect.void;
      assert.deepStrictEqual(yield* uris(), both);
      // Listed resources stay listed.
      notes.server.onListResources = failure("listFailed");
      assert.deepStrictEqual(yield* uris(), both);
    }),
  );

  check(
    "[agents.mcp.resources.out] the resources of a server that is out stay listed, and reading one says when it is tried again",
    Effect.gen(function* () {
      const { notes } = yield* two;
      assert.deepStrictEqual(yield* uris(), both);
      notes.server.onConnect = failure("unreachable");
      yield* world.verify(notes.id);
      const found = yield* list();
      assert.lengthOf(found.items, 2);
      assert.match(found.incomplete[0]?.reason ?? "", /^It is not reachable since .*tried again/);
      const refused = yield* refusal(read("qm+test-notes+file:///n"));
      assert.strictEqual(refused._tag, "ToolUnavailable");
      assert.match(String("advice" in refused && refused.advice), /tried again at/);
      assert.deepStrictEqual(notes.server.reads, []);
    }),
  );

  check(
    "[agents.mcp.resources.malformed] a resource that clients could not read is left out alone, and secrets are replaced",
    Effect.gen(function* () {
      const { tool } = yield* two;
      tool.server.resources.resources = [
        null,
        "x",
        { name: "no uri" },
        { uri: "", name: "empty" },
        resource("file:///size", { size: "x" }),
        resource("file:///icons", { icons: [{}] }),
        resource("file:///large", { description: "x".repeat(70_000) }),
        resource("file:///half\ud800"),
        Fixtures.nested(300),
        { uri: "file:///a", title: null, annotations: { priority: 7 }, _meta: [], extra: 1 },
        resource("file:///b"),
      ];
      tool.server.resources.resourceTemplates = [
        { uriTemplate: 5, name: "x" },
        { uriTemplate: "note://{+path}", name: "x" },
      ];
      const found = yield* list();
      assert.deepStrictEqual(found.items.slice(1), [
        { name: "file:///a", uri: "qm+test-tool+file:///a", extra: 1 },
        resource("qm+test-tool+file:///b", { name: "file:///b" }),
      ]);
      assert.deepStrictEqual(found.incomplete, [
        { server: "test-tool", reason: "9 that clients could not read are left out." },
      ]);
      assert.deepStrictEqual((yield* list("resourceTemplates")).items, [
        { uriTemplate: "qm+test-tool+note://{+path}", name: "x" },
      ]);
    }),
  );

  check(
    "[agents.mcp.resources.bounded] of a server, 2,000 resources and 1 MiB are used",
    Effect.gen(function* () {
      const { tool } = yield* two;
      const many = (count: number, description = "") =>
        Array.from({ length: count }, (_, at) => resource(`file:///${at}`, { description }));
      tool.server.resources.resources = many(2_001);
      const found = yield* list();
      assert.lengthOf(found.items, 2_001);
      assert.deepStrictEqual(found.incomplete, [
        { server: "test-tool", reason: "Only the first 2000 of 2001 or more are used." },
      ]);
      tool.server.resources.resources = many(20, "x".repeat(60_000));
      assert.lengthOf((yield* list()).items, 18);
    }),
  );

  check(
    "[agents.mcp.resources.next] later pages have what the first page's request found",
    Effect.gen(function* () {
      const { tool } = yield* two;
      yield* list();
      tool.server.resources.resources = [];
      tool.server.onListResources = Effect.never;
      assert.lengthOf((yield* list("resources", "bot", true)).items, 2);
    }),
  );

  check(
    "[agents.mcp.resources.read] a read returns the contents with the URIs of agents, without secrets, as far as clients can read it",
    Effect.gen(function* () {
      const { notes } = yield* two;
      const contents = (given: unknown) =>
        Effect.gen(function* () {
          notes.server.onRead = () => Effect.succeed(given);
          return (yield* read("qm+test-notes+file:///n")).contents;
        });
      assert.deepStrictEqual(
        yield* contents({
          contents: [
            { uri: "file:///n/1", text: `is ${secret}`, mimeType: null },
            { text: "", _meta: { a: 1 } },
            { uri: "n 2", blob: "AA==", annotations: 5 },
            { uri: "file:///n/3", blob: "*" },
            7,
          ],
        }),
        [
          { uri: "qm+test-notes+file:///n/1", text: "is [secret NOTES_KEY]" },
          { uri: "qm+test-notes+file:///n", text: "", _meta: { a: 1 } },
          { uri: "qm+test-notes:n%202", blob: "AA==" },
          {
            uri: "qm+test-notes+file:///n",
            mimeType: "text/plain",
            text: '[Contents that are not valid: {"uri":"file:///n/3","blob":"*"}]',
          },
          {
            uri: "qm+test-notes+file:///n",
            mimeType: "text/plain",
            text: "[Contents that are not valid: 7]",
          },
        ],
      );
      for (const given of [null, 5, {}, { contents: 5 }, { contents: [Fixtures.nested(300)] }]) {
        yield* assertTag(contents(given), "RpcError");
      }
      const large = { contents: [{ uri: "file:///n", text: "x".repeat(4_200_000) }] };
      assert.deepInclude(yield* refusal(contents(large)), {
        message: "The resource of 4200044 bytes is larger than the limit of 4194304 bytes.",
      });
      notes.server.onRead = () =>
        new McpConnector.RpcError({ code: -32_050, message: "x".repeat(4_200_000) });
      assert.deepInclude(yield* refusal(read("qm+test-notes+file:///n")), {
        code: -32_050,
        message: "The server's error of 4200009 bytes is larger than the limit of 4194304 bytes.",
      });
      notes.server.onRead = () =>
        new McpConnector.ConnectorError({
          reason: "tooLarge",
          message: "Its own words.",
          sent: true,
          bytes: 40_000_000,
        });
      assert.deepInclude(yield* refusal(read("qm+test-notes+file:///n")), {
        _tag: "RpcError",
        message: "The resource of 40000000 bytes is larger than the limit of 4194304 bytes.",
      });
      yield* world.update(notes.id, { maxResultBytes: 1 });
      const small = { contents: [{ uri: "file:///n", text: "x" }] };
      assert.deepInclude(yield* refusal(contents(small)), {
        message: "The resource of 45 bytes is larger than the limit of 1 bytes.",
      });
    }),
  );

  check(
    "[agents.mcp.resources.failed] a read ends like a call: in time, with its server, and with its access",
    Effect.gen(function* () {
      const { notes } = yield* two;
      const started = Effect.gen(function* () {
        notes.server.onRead = () => Effect.never;
        const fiber = yield* Effect.forkChild(read("qm+test-notes+file:///n"));
        yield* world.idle;
        return fiber;
      });
      const late = yield* started;
      yield* world.pass("60 seconds");
      assert.strictEqual(yield* reasonOf(Fiber.join(late)), "timeout");
      const crashed = yield* started;
      yield* notes.server.crash();
      assert.strictEqual(yield* reasonOf(Fiber.join(crashed)), "crashed");
      yield* world.pass("1 minute");
      const answered = Deferred.makeUnsafe<void>();
      notes.server.onRead = (uri) =>
        Effect.as(Deferred.await(answered), { contents: [{ uri, text: "" }] });
      const revoked = yield* Effect.forkChild(read("qm+test-notes+file:///n"));
      yield* world.idle;
      yield* world.revoke(notes.id);
      yield* Deferred.succeed(answered, undefined);
      yield* assertTag(Fiber.join(revoked), "NotFound");
      yield* world.grant(notes.id);
      const disabled = yield* started;
      yield* world.disable(notes.id);
      yield* assertTag(Fiber.join(disabled), "NotFound");
    }),
  );

  check(
    "[agents.mcp.resources.updated] a read whose server is updated is read once more",
    Effect.gen(function* () {
      const { notes } = yield* two;
      notes.server.onRead = () => Effect.never;
      const fiber = yield* Effect.forkChild(read("qm+test-notes+file:///n"));
      yield* world.idle;
      notes.server.onRead = (uri) => Effect.succeed({ contents: [{ uri, text: "new" }] });
      yield* world.update(notes.id, { envValues: { NOTES_PROJECT: "other" } });
      assert.deepInclude((yield* Fiber.join(fiber)).contents[0], { text: "new" });
      assert.deepStrictEqual(notes.server.reads, ["file:///n", "file:///n"]);
    }),
  );

  check(
    "[agents.mcp.resources.limits] reads and calls share the limits of the access entry",
    Effect.gen(function* () {
      const { notes } = yield* two;
      const uri = "qm+test-notes+file:///n";
      yield* world.putAccess(notes.id, { agentId: "bot", granted: true, callsPerMinute: 2 });
      yield* read(uri);
      yield* world.call("test-notes__add");
      assert.deepInclude(yield* refusal(read(uri)), {
        _tag: "RpcError",
        message:
          "The call was not sent; it is safe to repeat after 60 s. The agent's calls of the server test-notes are limited to 2 per minute.",
      });
      assert.deepInclude(yield* world.call("test-notes__add"), { isError: true });
      yield* world.pass("61 seconds");
      yield* world.putAccess(notes.id, {
        agentId: "bot",
        granted: true,
        callsPerMinute: null,
        maxConcurrentCalls: 1,
      });
      notes.server.onRead = () => Effect.never;
      const first = yield* Effect.forkChild(read(uri));
      yield* world.idle;
      yield* assertTag(read(uri), "RpcError");
      yield* Fiber.interrupt(first);
      notes.server.onRead = (uri) => Effect.succeed({ contents: [{ uri, text: "" }] });
      yield* read(uri);
    }),
  );

  check(
    "[agents.mcp.resources.record] a read is recorded as a call of resources/read",
    Effect.gen(function* () {
      const { notes } = yield* two;
      yield* read("qm+test-notes+file:///n");
      notes.server.onRead = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_002, message: `no ${secret}` }));
      const error = yield* refusal(read("qm+test-notes+file:///none"));
      assert.deepInclude(error, { code: -32_002, message: "no [secret NOTES_KEY]" });
      const records = yield* world.records();
      assert.deepStrictEqual(
        records.map(({ agentId, outcome, serverId, tool }) => [agentId, serverId, tool, outcome]),
        [
          ["bot", notes.id, "resources/read", "error"],
          ["bot", notes.id, "resources/read", "ok"],
        ],
      );
    }),
  );

  check(
    "[agents.mcp.resources.announced] a server's announcements are gathered for a second",
    Effect.gen(function* () {
      const { notes } = yield* two;
      const heard: Array<string> = [];
      const resources = yield* gateway;
      yield* Effect.forkChild(
        Stream.runForEach(resources.changed, (id) => Effect.sync(() => heard.push(id))),
      );
      yield* world.idle;
      for (let at = 0; at < 50; at++) yield* notes.server.announceResources;
      yield* world.idle;
      assert.deepStrictEqual(heard, [notes.id]);
    }),
  );
});
