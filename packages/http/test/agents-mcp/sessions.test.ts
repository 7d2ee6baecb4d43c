import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { MemoryStorage, TestCore } from "@quartermaster/testing";
import { Layer, ManagedRuntime } from "effect";
import * as Agent from "../support/Agent.ts";
import { request } from "../support/Client.ts";
import type * as TestServer from "../support/TestServer.ts";
import * as World from "../support/World.ts";

/** Sessions of legacy protocol versions, which any node rebuilds from their id. */

const { answerOf, initialize } = Agent;

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Nodes with one storage. `key` is the agent's key at all of them. */
const sharing = async () => {
  const runtime = ManagedRuntime.make(MemoryStorage.layer);
  onTestFinished(() => runtime.dispose());
  const storage = Layer.succeedContext(await runtime.context());
  let key: string | undefined;
  return async (options: TestServer.Options = {}) => {
    const world = await World.forTest({ storage, ...options });
    key ??= world.agent.key;
    return nodeOf(world, key);
  };
};

type Node = ReturnType<typeof nodeOf>;

const nodeOf = (world: World.World, key: string) => {
  const post = (body: unknown, id: string, as = key) =>
    world.post(body, { "mcp-session-id": id }, as);
  return {
    world,
    key,
    begin: async (protocolVersion = "2025-11-25", capabilities = {}) => {
      const params = { ...initialize.params, protocolVersion, capabilities };
      const answer = await world.post({ ...initialize, params }, {}, key);
      assert.strictEqual(answer.status, 200);
      return answer.headers.get("mcp-session-id") ?? "";
    },
    status: async (id: string, as = key) => (await post(list, id, as)).status,
    call: async (id: string, name: string, args: object = {}) => {
      const params = { name, arguments: args };
      const { body } = await post({ ...list, method: "tools/call", params }, id);
      return body.result;
    },
    end: async (id: string, as = key) => {
      const headers = { "mcp-session-id": id };
      return (await world.as(as)("DELETE", "/mcp", { headers })).status;
    },
    /** Opens the stream of a session. `until` reads until the text appears or the stream ends. */
    stream: async (id: string) => {
      const headers = { accept: "text/event-stream", "mcp-session-id": id };
      const response = await request(world, "GET", "/mcp", { key, headers });
      assert.strictEqual(response.status, 200);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      return {
        until: async (part: string) => {
          for (;;) {
            const { done, value } = await reader.read();
            text += value ?? "";
            if (done || text.includes(part)) return text;
          }
        },
      };
    },
  };
};

const node = async (options?: TestServer.Options) => (await sharing())(options);

describe("a session", () => {
  it("[agents.mcp.session-rebuilt] a session continues at another node and after a restart, in every protocol version", async () => {
    const start = await sharing();
    const [one, other] = [await start(), await start()];
    const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    const client = {
      elicitation: { form: {}, url: {} },
      roots: { listChanged: true },
      sampling: {},
    };
    for (const version of versions) {
      const id = await one.begin(version, client);
      assert.match(id, /^[\x21-\x7e]{1,199}$/);
      assert.notInclude(id, one.key.slice(-64));
      const statuses = await Promise.all([other.status(id), other.status(id), one.status(id)]);
      assert.deepStrictEqual(statuses, [200, 200, 200]);
      const headers = { "mcp-session-id": id, "mcp-protocol-version": version };
      assert.strictEqual((await other.world.post(list, headers, one.key)).status, 200);
    }
    const id = await one.begin();
    await one.world.close();
    const again = await start();
    assert.include((await again.world.post(list, { "mcp-session-id": id }, one.key)).text, "ask");
    assert.strictEqual((await again.world.post(initialize, { "mcp-session-id": id })).status, 404);
  });

  it("[agents.mcp.session-rebuilt] its worker's run, stop and acknowledgement are the same at every node", async () => {
    const start = await sharing();
    const [one, other] = [await start(), await start()];
    const { id: issueId } = await one.world.issue({ assignedAgentId: "bot" });
    const id = await one.begin();
    const { run } = answerOf<{ run: { runId: string } }>(await one.call(id, "work_next"));
    const turnAt = async (at: Node) => answerOf(await at.call(id, "work_turn"))["action"];
    assert.strictEqual(await turnAt(other), "continue");
    const paused = await one.world.call("POST", `/api/projects/issues/${issueId}/pause`);
    assert.strictEqual(paused.status, 204);
    const third = await start();
    const told = await third.call(id, "whoami");
    const stop = { "quartermaster/stop": { runId: run.runId, reason: "paused" } };
    assert.deepStrictEqual(told._meta, stop);
    assert.strictEqual(await turnAt(one), "stop");
    assert.isUndefined((await third.call(id, "whoami"))._meta);
  });

  it("[agents.mcp.session-forged] an id that was changed, forged or issued to another key is unknown", async () => {
    const start = await sharing();
    const one = await start();
    const id = await one.begin();
    const other = await one.world.key({ role: "Editor", agentId: "bot" });
    const foreign = await start({ masterKeys: [TestCore.masterKey(8)] });
    for (const path of ["here", "elsewhere"]) {
      const at = path === "here" ? one : await start();
      for (let n = 0; n < id.length; n++) {
        const changed = id[n] === "A" ? "B" : "A";
        const forged = id.slice(0, n) + changed + id.slice(n + 1);
        assert.strictEqual(await at.status(forged), 404, `${path}: ${forged}`);
      }
      const forOther = id.replace(/^[^.]+/, other.id);
      for (const [forged, as] of [
        [id, other.key],
        [forOther, other.key],
        [forOther, one.key],
        [await foreign.begin(), one.key],
        [`${id}A`, one.key],
        [id.slice(0, -1), one.key],
        [`${id}.${id}`, one.key],
        ["a".repeat(48), one.key],
        ["x", one.key],
      ] as const) {
        assert.strictEqual(await at.status(forged, as), 404, `${path}: ${forged}`);
        assert.strictEqual(await at.end(forged, as), 404, `${path}: ${forged}`);
      }
      assert.strictEqual(await at.status(id), 200);
    }
  });

  it("[agents.mcp.session-ended] an ended session is unknown at every node, even after a restart", async () => {
    const start = await sharing();
    const [one, other] = [await start(), await start()];
    const [held, unknown] = [await one.begin(), await one.begin()];
    const stays = await one.begin();
    assert.strictEqual(await other.status(held), 200);
    assert.strictEqual(await other.end(held), 200);
    assert.strictEqual(await other.end(unknown), 200);
    const again = await start();
    for (const at of [one, other, again]) {
      for (const id of [held, unknown]) {
        assert.strictEqual(await at.status(id), 404);
        assert.strictEqual(await at.end(id), 404);
      }
      assert.strictEqual(await at.status(stays), 200);
    }
  });

  it("[agents.mcp.session-rotated] an id is valid while the master key under which it was issued exists", async () => {
    const start = await sharing();
    const [old, fresh] = [TestCore.masterKey(1), TestCore.masterKey(2)];
    const before = await start({ masterKeys: [old] });
    const id = await before.begin();
    const during = await start({ masterKeys: [fresh, old] });
    const later = await during.begin();
    const after = await start({ masterKeys: [fresh] });
    const statuses = async (at: Node) => [await at.status(id), await at.status(later)];
    assert.deepStrictEqual(await statuses(before), [200, 404]);
    assert.deepStrictEqual(await statuses(during), [200, 200]);
    assert.deepStrictEqual(await statuses(after), [404, 200]);
  });

  it("[agents.mcp.session-idle] an idle session that was released is rebuilt, and its stream reports that tools may have changed", async () => {
    const { begin, status, stream } = await node({ endpoint: { idleSeconds: 0 } });
    const id = await begin();
    assert.strictEqual(await status(id), 200);
    assert.include(await (await stream(id)).until("}"), "notifications/tools/list_changed");
  });

  it("[agents.mcp.session-bounds] a node holds a limited number of a key's sessions, and one that starts or is rebuilt replaces the least recently used", async () => {
    const one = await node({ endpoint: { maxSessionsPerKey: 2 } });
    const [first, second] = [await one.begin(), await one.begin()];
    const streams = [await one.stream(first), await one.stream(second)];
    assert.strictEqual(await one.status(first), 200);
    const third = await one.begin();
    // A session that is evicted loses only its stream.
    await streams[1]?.until("the end");
    const rebuilt = await one.stream(second);
    await rebuilt.until("list_changed");
    assert.deepStrictEqual(
      [await one.status(first), await one.status(second), await one.status(third)],
      [200, 200, 200],
    );
  });
});
