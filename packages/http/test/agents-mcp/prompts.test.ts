import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertRejects } from "../support/Assert.ts";
import * as World from "../support/World.ts";

const prompt = (name: string, more: object = {}) => ({ name, ...more });

/** `test-tool` has these prompts, and is granted to `bot`. */
const start = async (
  prompts: ReadonlyArray<unknown>,
  options?: Parameters<typeof World.forTest>[0],
) => {
  const world = await World.forTest(options);
  world.server.prompts = prompts;
  return { world, id: await world.usableTool() };
};

const namesOf = async ({ client }: Agent.Connected) =>
  (await client.listPrompts()).prompts.map(({ name }) => name);

const review = { name: "test-tool__review", arguments: { path: "a" } };
const ref = { type: "ref/prompt" as const, name: "test-tool__review" };
const argument = { name: "path", value: "v" };

for (const era of Agent.eras) {
  describe(`prompts ${era}`, { timeout: 60_000 }, () => {
    it("[agents.mcp.prompts.list] prompts of granted servers are listed, returned and completed", async () => {
      const full = prompt("review", {
        title: "Review",
        description: "Reviews a file",
        arguments: [{ name: "path", description: "The file", required: true }],
        icons: [{ src: "https://example.com/i.png" }],
        _meta: { "example.com/a": 1 },
      });
      const { world } = await start([full, prompt("plan")]);
      const { client } = await world.connect(era);
      assert.deepNestedInclude(client.getServerCapabilities(), {
        prompts: { listChanged: true },
        completions: {},
      });
      const { prompts } = await client.listPrompts();
      assertFields(prompts, [{ ...full, name: "test-tool__review" }, { name: "test-tool__plan" }]);
      world.server.onPrompt = (name, args) =>
        Effect.succeed({
          description: name,
          messages: [
            { role: "user", content: { type: "text", text: JSON.stringify(args) }, "x-more": 1 },
          ],
          "x-note": [1],
        });
      assertFields(await client.getPrompt(review), {
        description: "review",
        messages: [{ role: "user", content: { type: "text", text: '{"path":"a"}' } }],
        "x-note": [1],
      });
      assertFields(await client.complete({ ref, argument }), {
        completion: { values: ["va", "vb", "vc"], total: 3 },
      });
      const uri = "qm+test-tool+file:///{path}";
      await client.complete({
        ref: { type: "ref/resource", uri },
        argument,
        context: { arguments: { other: "o" } },
      });
      assert.deepStrictEqual(world.server.completions.at(-1), {
        ref: { type: "ref/resource", uri: "file:///{path}" },
        argument,
        context: { arguments: { other: "o" } },
      });
    });

    it("[agents.mcp.prompts.viewer] a Viewer's key and another agent's key have no prompts, and a Viewer's endpoint announces none", async () => {
      const { world } = await start([prompt("review")]);
      const viewer = await world.key({ role: "Viewer", agentId: "bot" });
      const other = await world.key({ role: "Editor", agentId: "eve" });
      for (const { key } of [viewer, other]) {
        assert.deepStrictEqual(await namesOf(await world.connect(era, key)), []);
      }
      const { client } = await world.connect(era, viewer.key);
      assert.doesNotHaveAnyKeys(client.getServerCapabilities(), ["prompts", "completions"]);
      const { client: eve } = await world.connect(era, other.key);
      await assertRejects(eve.getPrompt(review), { code: -32_602 });
      await assertRejects(eve.complete({ ref, argument }), { code: -32_602 });
      assert.lengthOf(world.server.prompted, 0);
    });

    it("[agents.mcp.prompts.errors] an unknown, a withheld and a failed prompt are errors of the protocol", async () => {
      const { world, id } = await start([prompt("review")]);
      const { client } = await world.connect(era);
      await assertRejects(client.getPrompt({ name: "test-tool__reviews" }), {
        code: -32_602,
        message: /There is no prompt test-tool__reviews\. Did you mean test-tool__review\?/,
      });
      for (const params of [{ name: 7 }, { name: ref.name, arguments: 7 }]) {
        const wrong = client.request({ method: "prompts/get", params: params as never });
        await assertRejects(wrong, { code: -32_602 });
      }
      const unclear = { ref: { type: "ref/none" }, argument: {} } as never;
      await assertRejects(client.request({ method: "completion/complete", params: unclear }), {
        code: -32_602,
      });
      world.server.onPrompt = () =>
        Effect.fail(new McpConnector.RpcError({ code: -32_050, message: "locked", data: [1] }));
      await assertRejects(client.getPrompt(review), {
        code: -32_050,
        message: /locked/,
        data: [1],
      });
      world.server.onPrompt = () => Effect.andThen(world.server.crash(), Effect.never);
      await assertRejects(client.getPrompt(review), {
        code: -32_603,
        message: /The prompt was not returned; it is safe to repeat/,
        data: { error: "tool-unavailable", reason: "crashed" },
      });
      world.server.prompts = [prompt("review", { title: "Other" })];
      await world.admin("POST", `/api/mcp/installed/${id}/verify`);
      assert.deepStrictEqual(await namesOf({ client } as Agent.Connected), []);
      await assertRejects(client.getPrompt(review), {
        code: -32_602,
        message: /withheld until an Admin accepts it/,
      });
      const { body } = await world.admin("GET", `/api/mcp/installed/${id}/tools`);
      const changed = (body as ReadonlyArray<Record<string, string>>).find(
        ({ kind }) => kind === "prompt",
      );
      assertFields(changed, { name: "review", state: "changed", tokens: 0 });
      const tools = [{ name: "review", digest: changed?.["digest"] }];
      const accepted = await world.admin("POST", `/api/mcp/installed/${id}/tools/accept`, {
        body: { tools },
      });
      assert.strictEqual(accepted.status, 200, accepted.text);
      assert.deepStrictEqual(await namesOf({ client } as Agent.Connected), ["test-tool__review"]);
    });

    it("[agents.mcp.prompts.changed] agents are notified of changed prompts after a grant, a revoke, a change at the server and an acceptance", async () => {
      const { world, id } = await start([prompt("a")]);
      const other = await world.key({ role: "Editor", agentId: "eve" });
      const connected = await Agent.connect(world.url, world.agent.key, era, "prompts");
      const eve = await Agent.connect(world.url, other.key, era, "prompts");
      let seen = 0;
      const told = async (names: ReadonlyArray<string>) => {
        await connected.changed(seen);
        seen = connected.changes();
        assert.deepStrictEqual(await namesOf(connected), names);
      };
      assert.deepStrictEqual(await namesOf(connected), ["test-tool__a"]);
      await world.grant(id, "bot", { granted: false });
      await told([]);
      await world.grant(id, "bot");
      await told(["test-tool__a"]);
      world.server.prompts = [prompt("a", { title: "A" })];
      await world.admin("POST", `/api/mcp/installed/${id}/verify`);
      await told([]);
      await world.admin("POST", `/api/mcp/installed/${id}/verify?accept=true`);
      await told(["test-tool__a"]);
      assert.strictEqual(eve.changes(), 0);
    });

    it("[agents.mcp.prompts.pages] a long list has pages, and an unknown cursor is refused", async () => {
      const names = Array.from({ length: 13 }, (_, n) => `p${n}`);
      const { world } = await start(
        names.map((name) => prompt(name)),
        { endpoint: { pageSize: 6 } },
      );
      const { client } = await world.connect(era);
      const found: Array<string> = [];
      let cursor: string | undefined;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const page = await client.request({ method: "prompts/list", params });
        assert.isAtMost(page.prompts.length, 6);
        found.push(...page.prompts.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepStrictEqual(
        found,
        names.map((name) => `test-tool__${name}`),
      );
      const nonsense = client.request({ method: "prompts/list", params: { cursor: "nonsense" } });
      await assertRejects(nonsense, { code: -32_602 });
    });
  });
}
