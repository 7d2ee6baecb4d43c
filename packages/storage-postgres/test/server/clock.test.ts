import { assert, it, vi } from "@effect/vitest";
import * as Load from "../support/Load.ts";
import * as Node from "../support/Node.ts";
import { withServer } from "../support/TestStorage.ts";

vi.setConfig({ testTimeout: 120_000 });

const isLong = process.env["QM_LONG"] === "1";

/** Shifts the clock of a process by hours. */
const shifted = (hours: number) =>
  `--import data:text/javascript,${encodeURIComponent(
    `const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
      static now() { return now() + ${hours * 3_600_000}; }
    };`,
  )}`;

withServer(() => {
  it("servers whose clocks are an hour ahead and behind use the time of the database, and end no lease of others", async () => {
    const env = Node.variables();
    const [here] = await Node.startAll(1, env);
    assert(here !== undefined);
    const [ahead, behind] = await Promise.all(
      [1, -1].map(async (hours) => {
        const { server } = await Node.serve({ ...env, NODE_OPTIONS: shifted(hours) });
        server.url = (await server.welcome()).url;
        server.key = here.server.key;
        const warning = hours > 0 ? "3600.0 s ahead of" : "3600.0 s behind";
        await server.line(({ message }) => String(message).includes(warning));
        return server;
      }),
    );
    assert(ahead !== undefined && behind !== undefined);
    const times: Array<number> = [];
    for (const server of [ahead, behind, here.server]) {
      const { body } = await server.call("POST", "/api/projects/p/issues", {
        body: { title: "On time", assignedAgentId: "night" },
      });
      times.push(Date.parse(body.createdAt));
    }
    assert.deepStrictEqual(times, times.toSorted());
    assert.isBelow(Math.max(...times) - Math.min(...times), 5_000);

    const beat = await here.server.call("POST", "/api/agents/night/heartbeat", { body: {} });
    const [run] = beat.body.started;
    const turn = (server: typeof ahead) =>
      server.call("POST", `/api/agents/night/runs/${run.runId}/turn`);
    for (const server of [ahead, behind]) {
      const again = await server.call("POST", "/api/agents/night/heartbeat", {
        body: { capacity: 0 },
      });
      assert.strictEqual(again.status, 200, again.text);
      const { body, text } = await turn(server);
      assert.strictEqual(body.action, "continue", text);
    }
    if (!isLong) return;
    const { body: last } = await here.server.call("POST", "/api/agents/night/heartbeat", {
      body: { capacity: 0, leaseSeconds: 5, runs: [run.runId] },
    });
    assert.lengthOf(last.renewed, 1);
    await Load.sleep(5_500);
    for (const server of [behind, ahead]) {
      const { body, status, text } = await turn(server);
      assert.isTrue(status === 409 || body.action === "stop", text);
    }
  });
});
