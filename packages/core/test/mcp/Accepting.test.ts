import { createHash } from "node:crypto";
import { assert, describe } from "@effect/vitest";
import { Tool } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Fiber } from "effect";
import { assertTag, check, reasonOf, refusal, world } from "../support/McpWorld.ts";

const { definition } = Fixtures;
const digestOf = (shown: Tool.ToolDefinition) =>
  createHash("sha256").update(Tool.canonical(shown)).digest("hex");

const toolsOf = (id: string) => world.servers((service) => service.tools(id));
const accept = (id: string, ...tools: ReadonlyArray<{ name: string; digest: string }>) =>
  world.servers((service) => service.acceptTools(id, { tools }));
const verifyAccepting = (id: string, accept: boolean | string) =>
  world.servers((service) => service.verify(id, { accept }));

/** The input of `accept` for the tools as they are shown now. */
const shown = (id: string) =>
  Effect.map(toolsOf(id), (tools) =>
    tools.map(({ digest, name }) => ({ name, digest: String(digest) })),
  );

const toolsDigest = (id: string) =>
  Effect.map(world.get(id), ({ toolsDigest }) => String(toolsDigest));

/**
 * A server with `add` and `find` accepted, which then changed `add`, added `more` and removed
 * `find`.
 */
const changed = Effect.gen(function* () {
  const { id, server } = yield* world.running(["add", "find"]);
  server.tools = [definition("add", { title: "2" }), definition("more")];
  yield* world.verify(id);
  return { id, server };
});

describe("accepting tools by digest", () => {
  check(
    "[mcp.accept.digest] each tool has the digest of its repaired definition, and the server one of all",
    Effect.gen(function* () {
      const { id: empty } = yield* world.notes("empty");
      assert.isNull((yield* world.get(empty)).toolsDigest);
      const { id, server } = yield* changed;
      const [add, more, find] = yield* toolsOf(id);
      assert.strictEqual(add?.digest, digestOf(definition("add", { title: "2" })));
      assert.strictEqual(more?.digest, digestOf(definition("more")));
      assert.strictEqual(find?.digest, digestOf(definition("find")));
      const before = yield* toolsDigest(id);
      assert.match(before, /^[0-9a-f]{64}$/);
      yield* accept(id, ...(yield* shown(id)));
      assert.strictEqual(yield* toolsDigest(id), before);
      server.tools = [definition("more", { title: null }), definition("add", { title: "2" })];
      yield* world.verify(id);
      assert.strictEqual(yield* toolsDigest(id), before);
      server.tools = [definition("add", { title: "2" })];
      yield* world.verify(id);
      assert.notStrictEqual(yield* toolsDigest(id), before);
    }),
  );

  check(
    "[mcp.accept.tools] the named tools are accepted, and a gone one is removed",
    Effect.gen(function* () {
      const { id } = yield* changed;
      const [add] = yield* shown(id);
      const tools = yield* accept(id, ...(add === undefined ? [] : [add]));
      assert.deepStrictEqual(
        tools.map(({ name, state }) => `${name}: ${state}`),
        ["add: accepted", "more: new", "find: gone"],
      );
      assert.isTrue((yield* world.get(id)).toolsChanged);
      assert.deepStrictEqual(yield* world.names(), ["test-notes__add"]);
      yield* accept(id, ...(yield* shown(id)));
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "more: accepted"]);
      assert.isFalse((yield* world.get(id)).toolsChanged);
      const event = (yield* world.events).at(-1);
      assert.deepInclude(event, { kind: "mcp.toolsChanged", subjectId: id });
      assert.deepInclude(event?.actor, { id: "root" });
      assert.deepInclude(event?.data, { accepted: ["add", "more", "find"], withheld: [] });
    }),
  );

  check(
    "[mcp.accept.differs] a digest that differs accepts nothing and names the tool",
    Effect.gen(function* () {
      const { id, server } = yield* changed;
      const before = yield* shown(id);
      server.tools = [definition("add", { title: "3" }), definition("more")];
      yield* world.verify(id);
      const refused = yield* refusal(accept(id, ...before));
      assert.deepInclude(refused, { _tag: "PreconditionFailed", version: null, names: ["add"] });
      assert.deepStrictEqual(yield* world.states(id), ["add: changed", "more: new", "find: gone"]);
      const unknown = accept(id, { name: "unknown", digest: digestOf(definition("unknown")) });
      assert.deepInclude(yield* refusal(unknown), { names: ["unknown"] });
      const more = before.find(({ name }) => name === "more");
      const twice = more === undefined ? [] : [more, more];
      yield* assertTag(accept(id, ...twice), "InvalidRequest");
    }),
  );

  check(
    "[mcp.accept.invalid] an invalid tool stays withheld, also with its digest",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      server.tools = [definition("add", { title: 5 })];
      yield* world.verify(id);
      yield* accept(id, ...(yield* shown(id)));
      assert.deepStrictEqual(yield* world.states(id), ["add: invalid"]);
    }),
  );
});

describe("accepting with a verify", () => {
  check(
    "[mcp.accept.recorded] only what was recorded before the request is accepted",
    Effect.gen(function* () {
      const { id, server } = yield* changed;
      server.tools = [definition("add", { title: "3" }), definition("more"), definition("extra")];
      const { details } = yield* verifyAccepting(id, true);
      assert.include(details, "withheld until a person accepts them: add, extra.");
      assert.deepStrictEqual(yield* world.states(id), [
        "add: changed",
        "more: accepted",
        "extra: new",
      ]);
    }),
  );

  check(
    "[mcp.accept.tools-digest] a toolsDigest accepts what it was shown with, or nothing",
    Effect.gen(function* () {
      const { id, server } = yield* changed;
      const digest = yield* toolsDigest(id);
      server.tools = [definition("add", { title: "3" }), definition("more")];
      const lists = server.lists;
      const late = yield* refusal(verifyAccepting(id, digest));
      assert.deepInclude(late, { _tag: "PreconditionFailed", version: null, names: ["add"] });
      assert.strictEqual(server.lists, lists + 1);
      assert.deepStrictEqual(yield* world.states(id), ["add: changed", "more: new", "find: gone"]);
      assert.strictEqual((yield* world.get(id)).lastVerification?.status, "ok");
      yield* assertTag(verifyAccepting(id, digest), "PreconditionFailed");
      assert.strictEqual(server.lists, lists + 1);
      const { status } = yield* verifyAccepting(id, yield* toolsDigest(id));
      assert.strictEqual(status, "ok");
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted", "more: accepted"]);
    }),
  );

  check(
    "[mcp.accept.unseen] of a server that changes its tools at every list, nothing unseen is ever served",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      let version = 0;
      server.onList = Effect.sync(() => {
        version++;
        const description = `Version ${version}`;
        server.tools = [
          definition("add", { description }),
          definition(`tool_${version % 3}`, { description }),
        ];
      });
      const { id } = yield* world.notes();
      yield* world.verify(id);
      yield* world.enable(id);
      yield* world.grant(id);
      yield* world.idle;
      const seen = new Set((yield* toolsOf(id)).map(({ accepted }) => Tool.canonical(accepted)));
      const look = Effect.map(toolsOf(id), (tools) => {
        for (const { current } of tools) seen.add(Tool.canonical(current));
      });
      const served = Effect.gen(function* () {
        for (const { accepted, state } of yield* toolsOf(id)) {
          if (state === "accepted") assert.isTrue(seen.has(Tool.canonical(accepted)));
        }
        return (yield* world.names()).length;
      });
      const ways = [
        Effect.flatMap(shown(id), (tools) => accept(id, ...tools)),
        verifyAccepting(id, true),
        Effect.flatMap(toolsDigest(id), (digest) => verifyAccepting(id, digest)),
        world.verify(id),
        Effect.andThen(server.announce, world.idle),
        Effect.andThen(server.crash(), world.pass("1 second")),
      ];
      let most = 0;
      for (let round = 0; round < 30; round++) {
        const way = ways[(round * 7) % ways.length] ?? Effect.void;
        yield* look;
        // Between the read and the acceptance, the server lists other tools.
        if (round % 2 === 0) yield* Effect.andThen(server.announce, world.idle);
        if (round % 2 === 0) yield* look;
        yield* Effect.ignore(way as Effect.Effect<unknown>);
        most = Math.max(most, yield* served);
      }
      assert.isAbove(most, 0);
      assert.isAbove(version, 30);
    }),
  );
});

describe("blocked tools", () => {
  const block = (id: string, ...names: ReadonlyArray<string>) =>
    world.servers((service) => service.blockTools(id, { names }));
  const unblock = (id: string, ...names: ReadonlyArray<string>) =>
    world.servers((service) => service.unblockTools(id, { names }));

  check(
    "[mcp.block] a blocked tool is withheld whatever its server lists, and no acceptance changes that",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "find"]);
      const tools = yield* block(id, "add", "later");
      assert.deepStrictEqual(
        tools.map(({ digest, name, state }) => [name, state, digest === null]),
        [
          ["add", "blocked", false],
          ["find", "accepted", false],
          ["later", "blocked", true],
        ],
      );
      assert.deepStrictEqual(yield* world.names(), ["test-notes__find"]);
      assert.strictEqual(yield* reasonOf(world.call("test-notes__add")), "withheld");
      assert.deepInclude((yield* world.events).at(-1)?.data, { blocked: ["add", "later"] });
      server.tools = [definition("add", { title: "2" }), definition("later")];
      yield* world.verify(id);
      yield* verifyAccepting(id, true);
      yield* accept(id, ...(yield* shown(id)));
      assert.deepStrictEqual(yield* world.states(id), ["add: blocked", "later: blocked"]);
      assert.isFalse((yield* world.get(id)).toolsChanged);
      server.tools = [];
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: blocked", "later: blocked"]);
    }),
  );

  check(
    "[mcp.unblock] an unblocked tool has the state of its definitions, and is unknown without one",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "find", "same"]);
      yield* block(id, "add", "find", "same", "never", "later");
      server.tools = [definition("add", { title: "2" }), definition("same"), definition("later")];
      yield* world.verify(id);
      const tools = yield* unblock(id, "add", "find", "same", "never", "later", "unknown");
      assert.deepStrictEqual(
        tools.map(({ name, state }) => `${name}: ${state}`),
        ["add: changed", "same: accepted", "later: new", "find: gone"],
      );
      assert.deepInclude((yield* world.events).at(-1)?.data, { withheld: ["add", "later"] });
      assert.isTrue((yield* world.get(id)).toolsChanged);
    }),
  );

  check(
    "[mcp.block] a block before the first list holds",
    Effect.gen(function* () {
      const server = yield* world.scripted("notes");
      server.tools = [definition("add"), definition("find")];
      const { id } = yield* world.notes();
      yield* block(id, "add");
      assert.deepStrictEqual(yield* world.states(id), ["add: blocked"]);
      yield* world.verify(id);
      assert.deepStrictEqual(yield* world.states(id), ["add: blocked", "find: accepted"]);
      yield* unblock(id, "add");
      assert.deepStrictEqual(yield* world.states(id), ["add: new", "find: accepted"]);
    }),
  );

  check(
    "[mcp.block.call] a block ends calls of the tool that are in flight",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "find"]);
      server.onCall = () => Effect.never;
      const fiber = yield* Effect.forkChild(reasonOf(world.call("test-notes__add")));
      yield* server.until(() => server.calls.length === 1);
      yield* block(id, "find");
      yield* world.idle;
      assert.strictEqual(server.calls[0]?.outcome, "inFlight");
      yield* block(id, "add");
      yield* world.pass("1 second");
      assert.strictEqual(yield* Fiber.join(fiber), "withheld");
      assert.strictEqual(server.calls[0]?.outcome, "cancelled");
    }),
  );

  check(
    "[mcp.block.limit] at most 2,000 tools are blocked that the server does not list",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const names = Array.from({ length: 2_001 }, (_, n) => `tool_${n}`);
      yield* assertTag(block(id, ...names), "LimitExceeded");
      assert.deepStrictEqual(yield* world.states(id), []);
      assert.lengthOf(yield* block(id, ...names.slice(1)), 2_000);
    }),
  );
});
