import { createHash } from "node:crypto";
import { assert, describe } from "@effect/vitest";
import { McpConnector, ToolGateway } from "@quartermaster/core";
import { Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import { assertTag, check, secret, world } from "../support/McpWorld.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The instructions that the agent `bot` reads. */
const read = ToolGateway.ToolGateway.use((gateway) => gateway.instructions("bot"));
const texts = Effect.map(read, (all) => all.map(({ text }) => text));

const verify = (id: string, accept: boolean | string = false) =>
  world.servers((service) => service.verify(id, { accept }));

/** `test-notes` with the instructions "One.", running. */
const running = Effect.gen(function* () {
  const server = yield* world.scripted("notes");
  server.instructions = "One.";
  return yield* world.running(["add"]);
});

const stateOf = (id: string) =>
  Effect.map(world.get(id), ({ instructions }) => instructions?.state);

describe("instructions of servers", () => {
  check(
    "[mcp.instructions.pinned] the first instructions are accepted, and later ones are withheld until they are accepted",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      assert.deepStrictEqual(yield* read, [{ server: "test-notes", text: "One." }]);
      const shown = yield* world.get(id);
      assert.deepStrictEqual(shown.instructions, {
        state: "accepted",
        digest: digestOf("One."),
        accepted: "One.",
        current: "One.",
      });
      server.instructions = "Two.";
      const { details } = yield* verify(id);
      assert.include(details, "Its instructions are changed, and withheld until");
      const changed = yield* world.get(id);
      assert.deepInclude(changed, { toolsChanged: true });
      assert.deepStrictEqual(changed.instructions, {
        state: "changed",
        digest: digestOf("Two."),
        accepted: "One.",
        current: "Two.",
      });
      assert.notStrictEqual(changed.toolsDigest, shown.toolsDigest);
      assert.deepStrictEqual(yield* texts, ["One."]);
      const event = (yield* world.events).findLast(({ kind }) => kind === "mcp.toolsChanged");
      assert.deepInclude(event?.data, { instructions: "changed", withheld: [] });
      server.instructions = null;
      yield* verify(id);
      assert.strictEqual(yield* stateOf(id), "gone");
      assert.deepInclude(yield* world.get(id), { toolsChanged: false });
      assert.deepStrictEqual(yield* texts, []);
      server.instructions = "One.";
      yield* verify(id);
      assert.deepStrictEqual(yield* texts, ["One."]);
    }),
  );

  check(
    "[mcp.instructions.new] instructions of a server that had none are withheld",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add"]);
      assert.isNull((yield* world.get(id)).instructions);
      server.instructions = "One.";
      yield* verify(id);
      assert.strictEqual(yield* stateOf(id), "new");
      assert.deepStrictEqual(yield* texts, []);
    }),
  );

  check(
    "[mcp.instructions.accept] an acceptance names the digest of the instructions, which stay as they are without it",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      server.instructions = "Two.";
      server.tools = [Fixtures.definition("add", { title: "2" })];
      yield* verify(id);
      const accept = (instructions?: string | null) =>
        world.servers((service) =>
          Effect.flatMap(service.tools(id), (tools) =>
            service.acceptTools(id, {
              tools: tools.map(({ digest, name }) => ({ name, digest: String(digest) })),
              ...(instructions === undefined ? {} : { instructions }),
            }),
          ),
        );
      yield* assertTag(accept(digestOf("One.")), "PreconditionFailed");
      assert.deepStrictEqual(yield* world.states(id), ["add: changed"]);
      yield* accept();
      yield* accept(null);
      assert.deepStrictEqual(yield* world.states(id), ["add: accepted"]);
      assert.strictEqual(yield* stateOf(id), "changed");
      assert.deepInclude(yield* world.get(id), { toolsChanged: true });
      yield* accept(digestOf("Two."));
      assert.deepStrictEqual(yield* texts, ["Two."]);
      assert.deepInclude(yield* world.get(id), { toolsChanged: false });
    }),
  );

  check(
    "[mcp.instructions.verify] a verify accepts the instructions that were recorded before it, and no others",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      server.instructions = "Two.";
      yield* verify(id);
      server.instructions = "Three.";
      yield* verify(id, true);
      assert.strictEqual(yield* stateOf(id), "changed");
      assert.deepStrictEqual(yield* texts, ["One."]);
      const digest = String((yield* world.get(id)).toolsDigest);
      server.instructions = "Four.";
      yield* assertTag(verify(id, digest), "PreconditionFailed");
      assert.deepStrictEqual(yield* texts, ["One."]);
      yield* verify(id, true);
      assert.deepStrictEqual(yield* texts, ["Four."]);
      server.instructions = "Five.";
      yield* verify(id);
      yield* verify(id, String((yield* world.get(id)).toolsDigest));
      assert.deepStrictEqual(yield* texts, ["Five."]);
    }),
  );

  check(
    "[mcp.instructions.text] 2,048 characters are used, without control characters and secrets",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      const textOf = (sent: unknown) =>
        Effect.gen(function* () {
          server.instructions = sent as string;
          yield* verify(id);
          return (yield* world.get(id)).instructions?.current;
        });
      assert.strictEqual(
        yield* textOf(`  Use\r\n\u001b[31m${secret}\u2028\tnow\u0000 \n`),
        "Use\n[31m[secret NOTES_KEY]\n\tnow",
      );
      assert.strictEqual(yield* textOf("x".repeat(3_000)), "x".repeat(2_048));
      for (const sent of [" \n", "", 5, {}, null]) assert.isNull(yield* textOf(sent));
    }),
  );

  check(
    "[mcp.instructions.granted] agents read instructions of offered servers of which they may use a tool",
    Effect.gen(function* () {
      const { id, server } = yield* running;
      yield* world.grant(id, "bot", ["add"]);
      assert.deepStrictEqual(yield* texts, ["One."]);
      yield* world.grant(id, "bot", []);
      assert.deepStrictEqual(yield* texts, []);
      yield* world.grant(id, "bot", null);
      yield* world.disable(id);
      assert.deepStrictEqual(yield* texts, []);
      yield* world.enable(id);
      yield* world.idle;
      server.onConnect = new McpConnector.ConnectorError({
        reason: "unreachable",
        message: "Refused.",
        sent: false,
      });
      yield* verify(id);
      assert.strictEqual(yield* world.statusOf(id), "error");
      assert.deepStrictEqual(yield* texts, ["One."]);
      yield* world.revoke(id);
      assert.deepStrictEqual(yield* texts, []);
    }),
  );
});
